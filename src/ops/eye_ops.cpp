// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <string>

#include "ops/arguments.h"
#include "ops/expand_context.h"
#include "ops/index_ops.h"
#include "ops/lower_context.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::index_ops {
namespace {

// Input ports of Eye's tensor form, in the order of OpenVINO Eye-9.
constexpr size_t kRows = 0;
constexpr size_t kColumns = 1;
constexpr size_t kDiagonal = 2;
constexpr size_t kBatch = 3;

constexpr PortSpec kEyeIn[] = {{"num_rows", types::kIndex},
                               {"num_columns", types::kIndex},
                               {"diagonal_index", types::kIndex},
                               {"batch_shape", types::kIndex}};
constexpr PortSpec kEyeOut[] = {{"output", types::kComputed}};
// An absent k counts as 0; no default is filled in, since the tensor form must not have one.
constexpr AttrSpec kEyeAttrs[] = {{attr_id::kShape, false, ""}, {attr_id::kK, false, ""}};

constexpr PortSpec kEyeLikeIn[] = {{"input", types::kAny}};
constexpr AttrSpec kEyeLikeAttrs[] = {{attr_id::kK, false, "0"}};

// Eye with inputs is the tensor form; EyeLike's input gives a shape only.
bool is_tensor_form(const Op& op) {
  return op.inputs.size() > kDiagonal;
}

int64_t attribute_k(const Op& op) {
  const auto* k = op.attr<int64_t>(attr_id::kK);
  return k == nullptr ? 0 : *k;
}

// What is wrong with the tensor as the given input port, as far as its shape is known; "" if
// nothing.
std::string eye_port_fault(const Op& op, size_t port, const LogicalTensor& t) {
  if (t.rank == kUnknownRank) return "";
  if (port != kBatch) return one_element_fault(op, port, t);
  if (t.rank == 1) return "";
  return input_text(op, port) + " has rank " + std::to_string(t.rank) + ", allowed: 1";
}

// Element `index` of an input of type s32 or s64.
int64_t integer_at(const TensorView& view, int64_t index) {
  const LogicalTensor& t = *view.lt;
  const bool strided = t.rank == 1 && t.layout == LayoutType::strided;
  const int64_t offset = strided && index > 0 ? index * t.strides[0] : index;
  return t.type == DataType::s64 ? load_element<int64_t>(view.data, offset)
                                 : load_element<int32_t>(view.data, offset);
}

// An extent given as data; kUnknownDim when the data are not known yet.
Result<int64_t> extent_at(const ShapeContext& ctx, size_t port, int64_t index) {
  const TensorView& view = ctx.inputs[port];
  if (view.data == nullptr) return kUnknownDim;
  const int64_t extent = integer_at(view, index);
  if (extent >= 0) return extent;
  const std::string element = port == kBatch ? "[" + std::to_string(index) + "]" : "";
  return invalid_shape(op_text(*ctx.op) + ": " + std::string(kEyeIn[port].name) + element + " is " +
                       std::to_string(extent) + ", allowed: 0 to " +
                       std::to_string(std::numeric_limits<int64_t>::max()));
}

Status check_rank(const Op& op, size_t rank, const char* what) {
  if (rank >= 2 && rank <= size_t{kMaxRank}) return {};
  return invalid_graph_op(op_text(op) + ": " + what + " has rank " + std::to_string(rank) +
                          ", allowed: 2 to " + std::to_string(kMaxRank));
}

Status check_attribute_form(const Op& op) {
  const auto* shape = op.attr<std::vector<int64_t>>(attr_id::kShape);
  if (shape == nullptr)
    return invalid_graph_op(op_text(op) +
                            " has no inputs and no attribute shape, it needs shape (and "
                            "optionally k) or the inputs num_rows, num_columns, diagonal_index");
  IOTADNN_TRY(check_rank(op, shape->size(), "attribute shape"));
  for (size_t d = 0; d < shape->size(); ++d)
    if ((*shape)[d] < 0)
      return invalid_graph_op(op_text(op) + ": attribute shape[" + std::to_string(d) + "] is " +
                              std::to_string((*shape)[d]) + ", allowed: 0 and more");
  return {};
}

Status check_tensor_form(const Op& op) {
  for (const AttrSpec& attr : kEyeAttrs)
    if (op.attrs.count(attr.id) != 0)
      return invalid_graph_op(op_text(op) + ": attribute " + std::string(find_attr(attr.id)->name) +
                              " is not allowed together with inputs, which give the shape and the "
                              "diagonal");
  for (size_t port = 0; port < op.inputs.size(); ++port) {
    const std::string fault = eye_port_fault(op, port, op.inputs[port]);
    if (!fault.empty()) return invalid_graph_op(fault);
  }
  return {};
}

Status infer_attribute_form(ShapeContext& ctx) {
  const auto& shape = *ctx.op->attr<std::vector<int64_t>>(attr_id::kShape);
  LogicalTensor& out = ctx.outputs[0];
  out.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), out.dims.begin());
  return {};
}

// Number of batch dimensions; kUnknownDim when batch_shape's length is not known yet.
int64_t batch_rank(const ShapeContext& ctx) {
  if (ctx.inputs.size() <= kBatch) return 0;
  const LogicalTensor& t = *ctx.inputs[kBatch].lt;
  return t.rank == kUnknownRank ? kUnknownDim : t.dims[0];
}

Status infer_tensor_form(ShapeContext& ctx) {
  for (size_t port = 0; port < ctx.inputs.size(); ++port) {
    const std::string fault = eye_port_fault(*ctx.op, port, *ctx.inputs[port].lt);
    if (!fault.empty()) return invalid_shape(fault);
  }
  const auto rows = extent_at(ctx, kRows, 0);
  if (!rows.ok()) return rows.status();
  const auto columns = extent_at(ctx, kColumns, 0);
  if (!columns.ok()) return columns.status();

  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  const int64_t batch = batch_rank(ctx);
  if (batch > kMaxRank - 2)
    return invalid_shape(input_text(*ctx.op, kBatch) + " has " + std::to_string(batch) +
                         " elements, allowed: up to " + std::to_string(kMaxRank - 2) +
                         ", since a tensor has at most " + std::to_string(kMaxRank) +
                         " dimensions");
  if (batch != kUnknownDim) {
    out.rank = static_cast<int>(batch) + 2;
    for (int d = 0; d < batch; ++d) {
      const auto extent = extent_at(ctx, kBatch, d);
      if (!extent.ok()) return extent.status();
      out.dims[d] = *extent;
    }
  }
  // With a batch_shape of unknown length the output's rank is what the user says, if anything.
  if (out.rank < 2) return {};
  out.dims[out.rank - 2] = *rows;
  out.dims[out.rank - 1] = *columns;
  return {};
}

template <class T>
void fill_eye(const TensorView& out, T one, int64_t k) {
  const LogicalTensor& t = *out.lt;
  const int last = t.rank - 1;
  for_each_row(t, [&](int64_t offset, const Dims& coords) {
    // Coordinates are not negative, so their difference never overflows, whatever k is.
    for (int64_t j = 0; j < t.dims[last]; ++j)
      store_element(out.data, offset + j * t.strides[last], j - coords[last - 1] == k ? one : T{0});
  });
}

}  // namespace

constexpr Signature kEye = {kEyeIn, 0, kEyeOut, 1, kEyeAttrs};
constexpr Signature kEyeLike = {kEyeLikeIn, 1, kEyeOut, 1, kEyeLikeAttrs};

Status check_eye(const Op& op) {
  const LogicalTensor& out = op.outputs[0];
  if (op.inputs.size() == 1 || op.inputs.size() == 2)
    return invalid_graph_op(op_text(op) + " has " + std::to_string(op.inputs.size()) +
                            (op.inputs.size() == 1 ? " input" : " inputs") +
                            ", allowed: none with attribute shape, or num_rows, num_columns, "
                            "diagonal_index and optionally batch_shape");
  if (out.rank != kUnknownRank)
    IOTADNN_TRY(check_rank(op, static_cast<size_t>(out.rank), "output 0 (output)"));
  return op.inputs.empty() ? check_attribute_form(op) : check_tensor_form(op);
}

Status infer_eye(ShapeContext& ctx) {
  return ctx.op->inputs.empty() ? infer_attribute_form(ctx) : infer_tensor_form(ctx);
}

Status reference_eye(const RefContext& ctx) {
  const TensorView& out = ctx.outputs[0];
  int64_t k = attribute_k(*ctx.op);
  if (is_tensor_form(*ctx.op)) {
    if (ctx.inputs[kDiagonal].data == nullptr)
      return invalid_arguments(input_text(*ctx.op, kDiagonal) + " has no data");
    k = integer_at(ctx.inputs[kDiagonal], 0);
  }
  const uint64_t one = one_bits(out.lt->type);
  switch (bytes_of(out.lt->type)) {
    case 1:
      fill_eye(out, static_cast<uint8_t>(one), k);
      break;
    case 2:
      fill_eye(out, static_cast<uint16_t>(one), k);
      break;
    case 4:
      fill_eye(out, static_cast<uint32_t>(one), k);
      break;
    default:
      fill_eye(out, one, k);
      break;
  }
  return {};
}

Status lower_eye(LowerContext& ctx) {
  const auto last = static_cast<uint8_t>(ctx.program.rank - 1);
  Predicate on_diagonal;
  on_diagonal.axis = last;
  on_diagonal.lo.terms = {{Term::Kind::coord, static_cast<uint8_t>(last - 1), false},
                          {Term::Kind::scalar, 0, false}};
  on_diagonal.hi = on_diagonal.lo;
  on_diagonal.hi.imm = 1;
  ctx.program.predicates = {on_diagonal};
  ctx.program.bodies = {Body{{{Opcode::constant, 0}}},
                        Body{{{Opcode::constant, one_bits(ctx.op->outputs[0].type)}}}};
  ScalarSource k;
  if (is_tensor_form(*ctx.op)) {
    k.kind = ScalarSource::Kind::input;
    k.port = kDiagonal;
  } else {
    k.value = attribute_k(*ctx.op);
  }
  ctx.scalars = {k};
  return {};
}

Status expand_eye(ExpandContext& ctx) {
  const DataType type = ctx.op.outputs[0].type;
  const uint16_t k = is_tensor_form(ctx.op) ? ctx.diagonal_input(kDiagonal)
                                            : ctx.diagonal_parameter(attribute_k(ctx.op));
  const uint16_t column = ctx.coord(ctx.rank() - 1, DataType::s64);
  const uint16_t diagonal = ctx.apply(Opcode::add, ctx.coord(ctx.rank() - 2, DataType::s64), k);
  const uint16_t is_one = ctx.apply(Opcode::equal, column, diagonal);
  ctx.result = ctx.select(is_one, ctx.constant_int(type, 1), ctx.constant_int(type, 0));
  return {};
}

Status check_eye_like(const Op& op) {
  for (const LogicalTensor* t : {&op.inputs[0], &op.outputs[0]})
    if (t->rank != kUnknownRank && t->rank != 2)
      return invalid_graph_op((t == &op.inputs[0] ? input_text(op, 0) : output_text(op, 0)) +
                              " has rank " + std::to_string(t->rank) + ", allowed: 2");
  return {};
}

Status infer_eye_like(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  if (in.rank != kUnknownRank && in.rank != 2)
    return invalid_shape(input_text(*ctx.op, 0) + " has rank " + std::to_string(in.rank) +
                         ", allowed: 2");
  out.rank = 2;
  if (in.rank == kUnknownRank)
    out.dims.fill(kUnknownDim);
  else
    out.dims = in.dims;
  return {};
}

}  // namespace iotadnn::impl::index_ops
