// SPDX-License-Identifier: Apache-2.0
#include "ops/op_table.h"

#include <iterator>

#include "ops/host_ops.h"
#include "ops/index_ops.h"
#include "ops/op_kinds.h"

namespace iotadnn::impl {
namespace {

// A row of an op that only the host computes.
constexpr OpDef host(OpKind kind, std::string_view name, const Signature* signature = nullptr,
                     Status (*check)(const Op&) = nullptr) {
  return {kind, name, OpClass::unsupported, signature, 0, 0, check, nullptr, nullptr, nullptr};
}

namespace h = host_ops;
namespace x = index_ops;

// To add an op: an enumerator in the public header, a row here, its functions in the file of its
// family. To take over one of the host's: its row and its functions. Numbers are oneDNN's and ours.
// clang-format off
constexpr OpDef kOps[] = {
    host(0,  "Abs"),
    host(1,  "AbsBackward"),
    host(2,  "Add", &h::kAddSubtract),
    host(3,  "AvgPool"),
    host(4,  "AvgPoolBackward"),
    host(5,  "BatchNormTrainingBackward"),
    host(6,  "BatchNormForwardTraining"),
    host(7,  "BatchNormInference"),
    host(8,  "BiasAdd"),
    host(9,  "BiasAddBackward"),
    host(10, "Clamp"),
    host(11, "ClampBackward"),
    host(12, "Concat"),
    host(13, "Convolution"),
    host(14, "ConvolutionBackwardData"),
    host(15, "ConvolutionBackwardWeights"),
    host(16, "ConvTranspose"),
    host(17, "ConvTransposeBackwardData"),
    host(18, "ConvTransposeBackwardWeights"),
    host(19, "Dequantize"),
    host(20, "Divide", &h::kMultiplyDivide),
    host(21, "DynamicDequantize"),
    host(22, "DynamicQuantize"),
    host(23, "Elu"),
    host(24, "EluBackward"),
    host(25, "End", &h::kEnd),
    host(26, "Exp"),
    host(27, "GELU"),
    host(28, "GELUBackward"),
    host(29, "HardSwish"),
    host(30, "HardSwishBackward"),
    host(31, "Interpolate"),
    host(32, "InterpolateBackward"),
    host(33, "LayerNorm"),
    host(34, "LayerNormBackward"),
    host(35, "LeakyReLU"),
    host(36, "Log"),
    host(37, "LogSoftmax"),
    host(38, "LogSoftmaxBackward"),
    host(39, "MatMul", &h::kMatMul, h::check_matmul),
    host(40, "Maximum", &h::kMaximumMinimum),
    host(41, "MaxPool"),
    host(42, "MaxPoolBackward"),
    host(43, "Minimum", &h::kMaximumMinimum),
    host(44, "Mish"),
    host(45, "MishBackward"),
    host(46, "Multiply", &h::kMultiplyDivide),
    host(47, "PReLU"),
    host(48, "PReLUBackward"),
    host(49, "Quantize"),
    host(50, "Reciprocal"),
    host(51, "ReduceL1"),
    host(52, "ReduceL2"),
    host(53, "ReduceMax"),
    host(54, "ReduceMean"),
    host(55, "ReduceMin"),
    host(56, "ReduceProd"),
    host(57, "ReduceSum"),
    host(58, "ReLU"),
    host(59, "ReLUBackward"),
    host(60, "Reorder", &h::kReorder),
    host(61, "Round"),
    host(62, "Sigmoid"),
    host(63, "SigmoidBackward"),
    host(64, "SoftMax", &h::kSoftMax, h::check_softmax),
    host(65, "SoftMaxBackward"),
    host(66, "SoftPlus"),
    host(67, "SoftPlusBackward"),
    host(68, "Sqrt"),
    host(69, "SqrtBackward"),
    host(70, "Square"),
    host(71, "SquaredDifference"),
    host(72, "StaticReshape", &h::kStaticReshape),
    host(73, "StaticTranspose", &h::kStaticTranspose),
    host(74, "Subtract", &h::kAddSubtract),
    host(75, "Tanh"),
    host(76, "TanhBackward"),
    host(77, "TypeCast", &h::kTypeCast, h::check_type_cast),
    host(78, "Wildcard"),
    host(79, "HardSigmoid"),
    host(80, "HardSigmoidBackward"),
    host(81, "Select", &h::kSelect),
    host(82, "Pow"),
    host(83, "GroupNorm"),
    // kind                name        class               signature     data shape check               infer               reference               lower
    {op_kind::kGenIndex, "GenIndex", OpClass::generator, &x::kGenIndex, 0x0, 0x0, x::check_gen_index, x::infer_gen_index, x::reference_gen_index, x::lower_gen_index},
    host(85, "GreaterEqual", &h::kGreaterEqual),
    host(86, "RMSNorm"),
    host(87, "Dropout"),
    {op_kind::kEye,      "Eye",      OpClass::generator, &x::kEye,      0xf, 0xb, x::check_eye,       x::infer_eye,       x::reference_eye,       x::lower_eye},
    {op_kind::kEyeLike,  "EyeLike",  OpClass::generator, &x::kEyeLike,  0x0, 0x0, x::check_eye_like,  x::infer_eye_like,  x::reference_eye,       x::lower_eye},
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
