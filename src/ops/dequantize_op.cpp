// SPDX-License-Identifier: Apache-2.0
#include "ops/dequantize_op.h"

#include <algorithm>
#include <string>

#include "base/float16.h"
#include "ops/arguments.h"
#include "ops/broadcast.h"
#include "ops/elements.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::dequantize_op {
namespace {

constexpr size_t kSrc = 0;
constexpr size_t kScales = 1;
constexpr size_t kZps = 2;

constexpr AttrId kGroupShape = 0x4e;
constexpr AttrId kQtype = 0x85;

constexpr TypeSet kWholeBytes{DataType::s8, DataType::u8, DataType::s32};
constexpr TypeSet kQuantized{DataType::s8, DataType::u8, DataType::s4, DataType::u4};
constexpr TypeSet kZeroPoints = kQuantized | TypeSet{DataType::s32};
constexpr TypeSet kReal{DataType::f32, DataType::bf16, DataType::f16};

constexpr PortSpec kIn[] = {{"src", kQuantized}, {"scales", kReal, 'T'}, {"zps", kZeroPoints}};
constexpr PortSpec kOut[] = {{"dst", kReal, 'T'}};
constexpr AttrSpec kAttrs[] = {
    {kQtype, false, "per_tensor", "per_tensor|per_channel|per_group"},
    {attr_id::kAxis, false, "1"},
    {kGroupShape, false, ""},
};

bool is_qtype(const Op& op, std::string_view wanted) {
  const auto* given = op.attr<std::string>(kQtype);
  return given != nullptr ? *given == wanted : wanted == "per_tensor";
}

Axis axis_of(const Op& op, int rank) {
  return resolve_axis(op, "attribute axis", *op.attr<int64_t>(attr_id::kAxis), rank);
}

// "" or what is wrong with attribute group_shape for a source of this rank, whose extents may be
// unknown.
std::string group_fault(const Op& op, const LogicalTensor& src) {
  const auto* groups = op.attr<std::vector<int64_t>>(kGroupShape);
  const std::string what = op_text(op) + ": attribute group_shape ";
  if (groups == nullptr) return what + "is missing, qtype per_group requires it";
  if (static_cast<int>(groups->size()) != src.rank)
    return what + "has " + std::to_string(groups->size()) + " extents for an input of rank " +
           std::to_string(src.rank);
  for (int d = 0; d < src.rank; ++d) {
    const int64_t group = (*groups)[static_cast<size_t>(d)];
    const bool fits = group > 0 && (src.dims[d] == kUnknownDim || src.dims[d] % group == 0);
    if (!fits)
      return what + "has " + std::to_string(group) + " in dimension " + std::to_string(d) +
             ", which does not divide the input's extent";
  }
  return "";
}

std::string attribute_fault(const Op& op, const LogicalTensor& src) {
  if (src.rank == kUnknownRank || is_qtype(op, "per_tensor")) return "";
  return is_qtype(op, "per_group") ? group_fault(op, src) : axis_of(op, src.rank).fault;
}

// The shape that scales and zero points of a source must have.
LogicalTensor parameter_shape(const Op& op, const LogicalTensor& src) {
  LogicalTensor wanted;
  wanted.rank = 1;
  wanted.dims[0] = 1;
  if (is_qtype(op, "per_channel")) wanted.dims[0] = src.dims[axis_of(op, src.rank).axis];
  if (!is_qtype(op, "per_group")) return wanted;
  const auto& groups = *op.attr<std::vector<int64_t>>(kGroupShape);
  wanted.rank = src.rank;
  for (int d = 0; d < src.rank; ++d)
    wanted.dims[d] =
        src.dims[d] == kUnknownDim ? kUnknownDim : src.dims[d] / groups[static_cast<size_t>(d)];
  return wanted;
}

// "" or what is wrong with the shape of the scales or zero points, as far as it is known.
std::string parameter_fault(const Op& op, size_t port, const LogicalTensor& given,
                            const LogicalTensor& src) {
  if (is_qtype(op, "per_tensor")) return one_element_fault(op, port, given);
  if (given.rank == kUnknownRank || src.rank == kUnknownRank) return "";
  const LogicalTensor wanted = parameter_shape(op, src);
  bool fits = given.rank == wanted.rank;
  for (int d = 0; fits && d < wanted.rank; ++d)
    fits = given.dims[d] == wanted.dims[d] || given.dims[d] == kUnknownDim ||
           wanted.dims[d] == kUnknownDim;
  if (fits) return "";
  return input_text(op, port) + " is " + shape_words(given) + " and must be " +
         shape_words(wanted) + " for an input of " + shape_words(src);
}

std::string fault_of(const Op& op, const std::vector<const LogicalTensor*>& inputs) {
  if (std::string fault = attribute_fault(op, *inputs[kSrc]); !fault.empty()) return fault;
  for (size_t port = kScales; port < inputs.size(); ++port)
    if (std::string fault = parameter_fault(op, port, *inputs[port], *inputs[kSrc]); !fault.empty())
      return fault;
  return "";
}

// Where the scale or zero point of an element is.
class Parameters {
 public:
  Parameters(const Op& op, const LogicalTensor& src, const TensorView& view) : view_(view) {
    groups_.fill(1);
    const Dims given = strides_of(*view.lt);
    if (is_qtype(op, "per_channel")) strides_[axis_of(op, src.rank).axis] = given[0];
    if (!is_qtype(op, "per_group")) return;
    const auto& groups = *op.attr<std::vector<int64_t>>(kGroupShape);
    std::copy(groups.begin(), groups.end(), groups_.begin());
    strides_ = given;
  }

  double at(const Dims& coords, int rank) const {
    int64_t offset = 0;
    for (int d = 0; d < rank; ++d)
      offset += coords[d] / groups_[d] * strides_[d];
    return bit_cast<double>(element_as(DataType::f64, view_.lt->type, view_.data, offset));
  }

 private:
  const TensorView& view_;
  Dims groups_{};
  Dims strides_{};
};

}  // namespace

constexpr Signature kDynamicDequantize = {kIn, 2, kOut, 1, kAttrs};

Status check_dynamic_dequantize(const Op& op) {
  std::vector<const LogicalTensor*> inputs;
  for (const LogicalTensor& input : op.inputs)
    inputs.push_back(&input);
  std::string fault = fault_of(op, inputs);
  return fault.empty() ? Status() : invalid_graph_op(std::move(fault));
}

Status claimable_dynamic_dequantize(const Op& op) {
  for (const size_t port : {kSrc, kZps}) {
    if (port >= op.inputs.size() || kWholeBytes.has(op.inputs[port].type)) continue;
    return unimplemented(input_text(op, port) + " is " +
                         std::string(name_of(op.inputs[port].type)) +
                         ", and this library has no arithmetic on elements of four bits");
  }
  return {};
}

Status infer_dynamic_dequantize(ShapeContext& ctx) {
  std::vector<const LogicalTensor*> inputs;
  for (const TensorView& input : ctx.inputs)
    inputs.push_back(input.lt);
  if (std::string fault = fault_of(*ctx.op, inputs); !fault.empty())
    return invalid_shape(std::move(fault));
  return infer_same_shape(ctx);
}

// In f64, where the difference is exact, rounded once.
Status reference_dynamic_dequantize(const RefContext& ctx) {
  IOTADNN_TRY(claimable_dynamic_dequantize(*ctx.op));
  const TensorView& src = ctx.inputs[kSrc];
  const TensorView& out = ctx.outputs[0];
  const int rank = src.lt->rank;
  ShapeContext shapes{ctx.op, ctx.inputs, {*out.lt}};
  IOTADNN_TRY(infer_dynamic_dequantize(shapes));
  if (out.lt->rank != rank ||
      !std::equal(src.lt->dims.begin(), src.lt->dims.begin() + rank, out.lt->dims.begin()))
    return invalid_shape(output_text(*ctx.op, 0) + " is " + shape_words(*out.lt) +
                         ", the input gives " + shape_words(*src.lt));
  const Parameters scales(*ctx.op, *src.lt, ctx.inputs[kScales]);
  const bool has_zero_points = ctx.inputs.size() > kZps;
  const Parameters zero_points(*ctx.op, *src.lt, ctx.inputs[has_zero_points ? kZps : kScales]);
  const Dims from = strides_of(*src.lt);
  const Dims to = strides_of(*out.lt);
  for_each_index(src.lt->dims, rank, [&](const Dims& coords) {
    double value = bit_cast<double>(
        element_as(DataType::f64, src.lt->type, src.data, offset_of(coords, from, rank)));
    if (has_zero_points) value -= zero_points.at(coords, rank);
    store_as(out.lt->type, out.data, offset_of(coords, to, rank), DataType::f64,
             bit_cast<uint64_t>(value * scales.at(coords, rank)));
  });
  return {};
}

}  // namespace iotadnn::impl::dequantize_op
