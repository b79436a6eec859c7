// SPDX-License-Identifier: Apache-2.0
#include "lower/primitive_region.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ops/op_kinds.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

bool has(const std::vector<LogicalTensor>& tensors, size_t id) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [id](const LogicalTensor& tensor) { return tensor.id == id; });
}

bool is_primitive(const Op& op) {
  return op.kind == op_kind::kMatMul || op.kind == op_kind::kSoftMax;
}

// The position of the only one, of which the partition makes no input.
Result<size_t> find_primitive(const Partition& partition) {
  const std::vector<Op>& ops = partition.ops;
  const auto first = std::find_if(ops.begin(), ops.end(), is_primitive);
  if (first == ops.end()) return unimplemented("the partition has no MatMul or SoftMax");
  if (const auto other = std::find_if(first + 1, ops.end(), is_primitive); other != ops.end())
    return unimplemented("a partition has one MatMul or SoftMax, and " + op_text(*other) +
                         " is a second one");
  for (size_t p = 0; p < first->inputs.size(); ++p)
    if (!has(partition.inputs, first->inputs[p].id))
      return unimplemented(input_text(*first, p) +
                           " is computed by the partition; a primitive runs before all else");
  return static_cast<size_t>(first - ops.begin());
}

Status check_ranks(const Op& op) {
  for (const auto* side : {&op.inputs, &op.outputs})
    for (const LogicalTensor& tensor : *side)
      if (tensor.rank == kUnknownRank)
        return unimplemented(op_text(op) + " has a tensor of unknown rank");
  return {};
}

// The stats of a SoftMax are handed out, not read.
Status check_stats(const Partition& partition, const Op& op) {
  for (size_t port = 1; port < op.outputs.size(); ++port)
    for (const Op& reader : partition.ops)
      if (has(reader.inputs, op.outputs[port].id))
        return unimplemented(op_text(reader) + " reads the stats of " + op_text(op));
  return {};
}

// Memory even where it has one element, which would be a scalar.
LogicalTensor as_input(LogicalTensor result) {
  const auto end = result.dims.begin() + result.rank;
  if (std::all_of(result.dims.begin(), end, [](int64_t extent) { return extent == 1; }))
    std::fill(result.dims.begin(), end, kUnknownDim);
  return result;
}

Result<LoweredRegion> lower_epilogue(const Partition& partition, size_t primitive) {
  const LogicalTensor& result = partition.ops[primitive].outputs[0];
  if (result.rank == 0)
    return unimplemented(output_text(partition.ops[primitive], 0) +
                         " is a scalar, which programs do not read from memory");
  Partition epilogue = partition;
  epilogue.ops.erase(epilogue.ops.begin() + static_cast<std::ptrdiff_t>(primitive));
  epilogue.inputs.push_back(as_input(result));
  auto lowered = lower_region(epilogue);
  if (lowered.ok() && (!lowered->pointwise || !lowered->summed_extents.empty()))
    return unimplemented("what follows " + op_text(partition.ops[primitive]) + " sums or gathers");
  return lowered;
}

}  // namespace

bool looks_like_primitive(const Partition& partition) {
  return find_primitive(partition).ok();
}

Result<LoweredPrimitive> lower_primitive(const Partition& partition) {
  const auto found = find_primitive(partition);
  if (!found.ok()) return found.status();
  const Op& op = partition.ops[*found];
  LoweredPrimitive lowered;
  lowered.form = {*found, op.outputs[0].id};
  IOTADNN_TRY(check_ranks(op));
  IOTADNN_TRY(check_stats(partition, op));
  if (partition.ops.size() == 1) return lowered;
  for (size_t port = 1; port < op.outputs.size(); ++port)
    if (has(partition.outputs, op.outputs[port].id))
      return unimplemented("what follows " + op_text(op) +
                           " hands out no tensor of the shape of its stats");
  auto epilogue = lower_epilogue(partition, *found);
  if (!epilogue.ok()) return epilogue.status();
  lowered.epilogue = std::move(*epilogue);
  return lowered;
}

}  // namespace iotadnn::impl
