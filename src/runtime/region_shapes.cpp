// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_shapes.h"

#include <algorithm>
#include <string>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

// Every tensor of the same id gets what is found.
Status infer_through(std::vector<Op>& ops, const InputData& data) {
  std::unordered_map<size_t, LogicalTensor> known;
  for (Op& op : ops) {
    ShapeContext shapes;
    shapes.op = &op;
    for (LogicalTensor& in : op.inputs)
      if (const auto found = known.find(in.id); found != known.end()) in = found->second;
    for (const LogicalTensor& in : op.inputs) {
      const auto found = data.find(in.id);
      shapes.inputs.push_back(
          {&in, found == data.end() ? nullptr : const_cast<void*>(found->second)});
    }
    shapes.outputs = op.outputs;
    IOTADNN_TRY(infer_shapes(shapes));
    op.outputs = shapes.outputs;
    for (const LogicalTensor& out : op.outputs)
      known[out.id] = out;
  }
  return {};
}

// The input of the region as given, dense where the compiled one says nothing else.
Status fill_in(size_t port, const LogicalTensor& given, LogicalTensor& input) {
  const LogicalTensor compiled = input;
  input = given;
  input.id = compiled.id;
  if (given.property == Property::host_scalar) return {};
  const bool fill_strides = given.layout != LayoutType::strided;
  if (fill_strides && is_fully_known(compiled)) {
    input = compiled;
    return {};
  }
  if (is_fully_known(input) && !fill_strides) return {};
  if (!is_known_shape(given.dims, given.rank))
    return invalid_shape("input " + std::to_string(port) + " of the partition has shape " +
                         shape_text(given.dims, given.rank) + " still unknown at execute");
  const auto dense = dense_strides(given.dims, given.rank);
  if (!dense.ok()) return dense.status();
  input.strides = *dense;
  input.layout = LayoutType::strided;
  return {};
}

}  // namespace

const LogicalTensor* RegionShapes::find(size_t id) const {
  for (const LogicalTensor& in : inputs)
    if (in.id == id) return &in;
  for (const Op& op : ops)
    for (const LogicalTensor& out : op.outputs)
      if (out.id == id) return &out;
  return nullptr;
}

Status infer_region(RegionShapes& shapes, const InputData& data) {
  IOTADNN_TRY(infer_through(shapes.ops, data));
  for (LogicalTensor& tensor : shapes.outputs)
    for (const Op& op : shapes.ops)
      for (const LogicalTensor& out : op.outputs)
        if (out.id == tensor.id) tensor = out;
  return {};
}

Status resolve_region(RegionShapes& shapes, const std::vector<LogicalTensor>& given,
                      const InputData& data) {
  for (size_t i = 0; i < shapes.inputs.size(); ++i)
    IOTADNN_TRY(fill_in(i, given[i], shapes.inputs[i]));
  for (Op& op : shapes.ops) {
    for (LogicalTensor& in : op.inputs)
      if (const size_t i = position_of(shapes.inputs, in.id); i < shapes.inputs.size())
        in = shapes.inputs[i];
    for (LogicalTensor& out : op.outputs)
      if (const size_t o = position_of(shapes.outputs, out.id); o < shapes.outputs.size())
        out = shapes.outputs[o];
  }
  return infer_region(shapes, data);
}

size_t position_of(const std::vector<LogicalTensor>& tensors, size_t id) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [id](const LogicalTensor& t) { return t.id == id; });
  return static_cast<size_t>(found - tensors.begin());
}

int64_t stride_of(const LogicalTensor& tensor, int d) {
  return tensor.dims[d] == 1 ? 0 : tensor.strides[d];
}

bool same_extents(const LogicalTensor& a, const LogicalTensor& b) {
  return a.rank == b.rank && std::equal(a.dims.begin(), a.dims.begin() + a.rank, b.dims.begin());
}

}  // namespace iotadnn::impl
