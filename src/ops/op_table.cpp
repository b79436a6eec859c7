// SPDX-License-Identifier: Apache-2.0
#include "ops/op_table.h"

#include <iterator>

#include "ops/broadcast.h"
#include "ops/contraction_ops.h"
#include "ops/coordinate_ops.h"
#include "ops/dequantize_op.h"
#include "ops/host_ops.h"
#include "ops/index_ops.h"
#include "ops/op_kinds.h"
#include "ops/pointwise_ops.h"
#include "ops/relabel_ops.h"
#include "ops/softmax_op.h"

namespace iotadnn::impl {
namespace {

// A row of an op that only the host computes.
constexpr OpDef host(OpKind kind, std::string_view name, const Signature* signature = nullptr,
                     Status (*check)(const Op&) = nullptr) {
  return {kind, name, OpClass::unsupported, signature, 0, 0, check, nullptr, nullptr, nullptr};
}

// A row of an op whose elements each follow from the inputs' elements at the same coordinates.
constexpr OpDef pointwise(OpKind kind, std::string_view name, const Signature& signature,
                          Status (*expand)(ExpandContext&), Status (*check)(const Op&) = nullptr) {
  const uint32_t all_inputs = 0x7;  // of three; bits without a port say nothing
  return {kind,
          name,
          OpClass::pointwise,
          &signature,
          all_inputs,
          0,
          check,
          infer_pointwise,
          pointwise_ops::reference,
          nullptr,
          expand};
}

namespace h = host_ops;
namespace x = index_ops;
namespace p = pointwise_ops;
namespace c = coordinate_ops;
namespace r = relabel_ops;
namespace t = contraction_ops;
namespace s = softmax_op;
namespace d = dequantize_op;

// To add an op: an enumerator in the public header, a row here, and its opcode or its functions in
// the file of its family. To take over one of the host's: the last two. Numbers are oneDNN's and
// ours.
// clang-format off
constexpr OpDef kOps[] = {
    pointwise(0,  "Abs", p::kNumeric, p::expand_as<Opcode::abs>),
    host(1,  "AbsBackward"),
    pointwise(2,  "Add", p::kArithmetic, p::expand_arithmetic<Opcode::add>),
    host(3,  "AvgPool"),
    host(4,  "AvgPoolBackward"),
    host(5,  "BatchNormTrainingBackward"),
    host(6,  "BatchNormForwardTraining"),
    host(7,  "BatchNormInference"),
    host(8,  "BiasAdd"),
    host(9,  "BiasAddBackward"),
    pointwise(10, "Clamp", p::kClamp, p::expand_clamp, p::check_clamp),
    host(11, "ClampBackward"),
    host(12, "Concat"),
    host(13, "Convolution"),
    host(14, "ConvolutionBackwardData"),
    host(15, "ConvolutionBackwardWeights"),
    host(16, "ConvTranspose"),
    host(17, "ConvTransposeBackwardData"),
    host(18, "ConvTransposeBackwardWeights"),
    host(19, "Dequantize"),
    pointwise(20, "Divide", p::kArithmetic, p::expand_arithmetic<Opcode::divide>),
    {21, "DynamicDequantize", OpClass::quantization, &d::kDynamicDequantize, 0x7, 0x0, d::check_dynamic_dequantize, d::infer_dynamic_dequantize, d::reference_dynamic_dequantize, nullptr, nullptr, d::claimable_dynamic_dequantize},
    host(22, "DynamicQuantize"),
    host(23, "Elu"),
    host(24, "EluBackward"),
    host(25, "End", &h::kEnd),
    pointwise(26, "Exp", p::kFloating, p::expand_as<Opcode::exp>),
    host(27, "GELU"),
    host(28, "GELUBackward"),
    host(29, "HardSwish"),
    host(30, "HardSwishBackward"),
    host(31, "Interpolate"),
    host(32, "InterpolateBackward"),
    host(33, "LayerNorm"),
    host(34, "LayerNormBackward"),
    host(35, "LeakyReLU"),
    pointwise(36, "Log", p::kFloating, p::expand_as<Opcode::log>),
    host(37, "LogSoftmax"),
    host(38, "LogSoftmaxBackward"),
    {39, "MatMul", OpClass::contraction, &t::kMatMul, 0x7, 0x0, t::check_matmul, t::infer_matmul, t::reference_matmul, nullptr, nullptr, t::claimable_matmul},
    pointwise(40, "Maximum", p::kNumericPair, p::expand_as<Opcode::maximum>),
    host(41, "MaxPool"),
    host(42, "MaxPoolBackward"),
    pointwise(43, "Minimum", p::kNumericPair, p::expand_as<Opcode::minimum>),
    host(44, "Mish"),
    host(45, "MishBackward"),
    pointwise(46, "Multiply", p::kArithmetic, p::expand_arithmetic<Opcode::multiply>),
    host(47, "PReLU"),
    host(48, "PReLUBackward"),
    host(49, "Quantize"),
    pointwise(50, "Reciprocal", p::kFloating, p::expand_reciprocal),
    host(51, "ReduceL1"),
    host(52, "ReduceL2"),
    host(53, "ReduceMax"),
    host(54, "ReduceMean"),
    host(55, "ReduceMin"),
    host(56, "ReduceProd"),
    {57, "ReduceSum", OpClass::reduction, &r::kReduceSum, 0x1, 0x0, r::check_reduce_sum, r::infer_reduce_sum, r::reference_reduce_sum, nullptr, nullptr, r::claimable_reduce_sum},
    pointwise(58, "ReLU", p::kNumeric, p::expand_relu),
    host(59, "ReLUBackward"),
    host(60, "Reorder", &h::kReorder),
    host(61, "Round"),
    pointwise(62, "Sigmoid", p::kFloating, p::expand_as<Opcode::sigmoid>),
    host(63, "SigmoidBackward"),
    {64, "SoftMax", OpClass::normalization, &s::kSoftMax, 0x1, 0x0, s::check_softmax, s::infer_softmax, s::reference_softmax, nullptr},
    host(65, "SoftMaxBackward"),
    host(66, "SoftPlus"),
    host(67, "SoftPlusBackward"),
    pointwise(68, "Sqrt", p::kFloating, p::expand_as<Opcode::sqrt>),
    host(69, "SqrtBackward"),
    pointwise(70, "Square", p::kNumeric, p::expand_square),
    host(71, "SquaredDifference"),
    {72, "StaticReshape", OpClass::relabel, &r::kStaticReshape, 0x1, 0x0, r::check_reshape, r::infer_reshape, r::reference_reshape, nullptr},
    {73, "StaticTranspose", OpClass::relabel, &r::kStaticTranspose, 0x1, 0x0, r::check_transpose, r::infer_transpose, r::reference_transpose, nullptr},
    pointwise(74, "Subtract", p::kArithmetic, p::expand_arithmetic<Opcode::subtract>),
    pointwise(75, "Tanh", p::kFloating, p::expand_as<Opcode::tanh>),
    host(76, "TanhBackward"),
    pointwise(77, "TypeCast", p::kTypeCast, p::expand_type_cast, p::check_type_cast),
    host(78, "Wildcard"),
    host(79, "HardSigmoid"),
    host(80, "HardSigmoidBackward"),
    pointwise(81, "Select", p::kSelect, p::expand_as<Opcode::select>),
    pointwise(82, "Pow", p::kPow, p::expand_pow),
    host(83, "GroupNorm"),
    // kind                name        class               signature     data shape check             infer               reference               lower               expand
    {op_kind::kGenIndex, "GenIndex", OpClass::generator, &x::kGenIndex, 0x0, 0x0, x::check_gen_index, x::infer_gen_index, x::reference_gen_index, x::lower_gen_index, x::expand_gen_index},
    pointwise(85, "GreaterEqual", p::kOrder, p::expand_as<Opcode::greater_equal>),
    host(86, "RMSNorm"),
    host(87, "Dropout"),
    {op_kind::kEye,      "Eye",      OpClass::generator, &x::kEye,      0xf, 0xb, x::check_eye,       x::infer_eye,       x::reference_eye,       x::lower_eye,       x::expand_eye},
    {op_kind::kEyeLike,  "EyeLike",  OpClass::generator, &x::kEyeLike,  0x0, 0x0, x::check_eye_like,  x::infer_eye_like,  x::reference_eye,       x::lower_eye,       x::expand_eye},
    pointwise(0x1002, "Power", p::kNumericPair, p::expand_as<Opcode::power>),
    pointwise(0x1003, "Equal", p::kEquality, p::expand_as<Opcode::equal>),
    pointwise(0x1004, "NotEqual", p::kEquality, p::expand_as<Opcode::not_equal>),
    pointwise(0x1005, "Greater", p::kOrder, p::expand_as<Opcode::greater>),
    pointwise(0x1006, "Less", p::kOrder, p::expand_as<Opcode::less>),
    pointwise(0x1007, "LessEqual", p::kOrder, p::expand_as<Opcode::less_equal>),
    pointwise(0x1008, "LogicalAnd", p::kLogicalPair, p::expand_as<Opcode::logical_and>),
    pointwise(0x1009, "LogicalOr", p::kLogicalPair, p::expand_as<Opcode::logical_or>),
    pointwise(0x100a, "LogicalNot", p::kLogicalNot, p::expand_as<Opcode::logical_not>),
    pointwise(0x100b, "Negative", p::kNumeric, p::expand_as<Opcode::negate>),
    {0x100c, "Range", OpClass::coordinate, &c::kRange, 0x7, 0x7, c::check_range, c::infer_range, p::reference, nullptr, c::expand_range},
    {0x100d, "Fill", OpClass::coordinate, &c::kFill, 0x1, 0x0, c::check_fill, c::infer_fill, p::reference, nullptr, c::expand_fill},
    {0x100e, "Trilu", OpClass::coordinate, &c::kTrilu, 0x1, 0x0, c::check_trilu, c::infer_trilu, p::reference, nullptr, c::expand_trilu},
    {0x100f, "OneHot", OpClass::coordinate, &c::kOneHot, 0x1, 0x0, c::check_one_hot, c::infer_one_hot, p::reference, nullptr, c::expand_one_hot},
    {0x1010, "Gather", OpClass::gather, &r::kGather, 0x3, 0x0, r::check_gather, r::infer_gather, r::reference_gather, nullptr},
    pointwise(0x1011, "Sign", p::kNumeric, p::expand_sign),
};
// clang-format on

constexpr size_t kNumOneDnn = op_kind::kPastOneDnn;

// The position of a kind's row, or one past the last.
constexpr size_t row_of(OpKind kind) {
  if (kind >= 0 && kind < op_kind::kPastOneDnn) return static_cast<size_t>(kind);
  if (kind < op_kind::kFirstOwn) return std::size(kOps);
  const size_t row = kNumOneDnn + static_cast<size_t>(kind - op_kind::kFirstOwn);
  return row < std::size(kOps) ? row : std::size(kOps);
}

constexpr bool rows_in_kind_order() {
  for (size_t i = 0; i < std::size(kOps); ++i)
    if (row_of(kOps[i].kind) != i) return false;
  return true;
}

constexpr bool names_are_unique() {
  for (size_t i = 0; i < std::size(kOps); ++i)
    for (size_t j = i + 1; j < std::size(kOps); ++j)
      if (kOps[i].name == kOps[j].name) return false;
  return true;
}

static_assert(rows_in_kind_order(), "kOps: a row is missing or out of order");
static_assert(names_are_unique(), "kOps: two rows have the same name");

std::string port_text(const Op& op, const char* direction, size_t port,
                      Span<const PortSpec> specs) {
  std::string text = op_text(op) + ": " + direction + " " + std::to_string(port);
  if (port < specs.size()) text += " (" + std::string(specs[port].name) + ")";
  return text;
}

const Signature* signature_of(const Op& op) {
  const OpDef* def = find_op(op.kind);
  return def == nullptr ? nullptr : def->signature;
}

}  // namespace

Span<const OpDef> op_table() {
  return kOps;
}

const OpDef* find_op(OpKind kind) {
  const size_t row = row_of(kind);
  return row < std::size(kOps) ? &kOps[row] : nullptr;
}

const OpDef* find_op(std::string_view name) {
  for (const OpDef& def : kOps)
    if (def.name == name) return &def;
  return nullptr;
}

std::string op_text(const Op& op) {
  const OpDef* def = find_op(op.kind);
  const std::string kind =
      def == nullptr ? "op of kind " + std::to_string(op.kind) : std::string(def->name);
  return kind + " '" + op.name + "'";
}

std::string input_text(const Op& op, size_t port) {
  const Signature* signature = signature_of(op);
  return port_text(op, "input", port,
                   signature == nullptr ? Span<const PortSpec>() : signature->inputs);
}

std::string output_text(const Op& op, size_t port) {
  const Signature* signature = signature_of(op);
  return port_text(op, "output", port,
                   signature == nullptr ? Span<const PortSpec>() : signature->outputs);
}

}  // namespace iotadnn::impl
