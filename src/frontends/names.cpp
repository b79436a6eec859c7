// SPDX-License-Identifier: Apache-2.0
#include "frontends/names.h"

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace iotadnn::frontends {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

template <class Rows>
auto find(const Rows& rows, std::string_view name)
    -> std::optional<std::decay_t<decltype(rows[0].value)>> {
  for (const auto& row : rows)
    if (row.name == name) return row.value;
  return std::nullopt;
}

template <class Rows, class T>
std::string_view find(const Rows& rows, T value, std::string_view otherwise) {
  for (const auto& row : rows)
    if (row.value == value) return row.name;
  return otherwise;
}

// oneDNN's kinds by number, from 0.
constexpr std::string_view kOneDnnKinds[] = {"Abs",
                                             "AbsBackward",
                                             "Add",
                                             "AvgPool",
                                             "AvgPoolBackward",
                                             "BatchNormTrainingBackward",
                                             "BatchNormForwardTraining",
                                             "BatchNormInference",
                                             "BiasAdd",
                                             "BiasAddBackward",
                                             "Clamp",
                                             "ClampBackward",
                                             "Concat",
                                             "Convolution",
                                             "ConvolutionBackwardData",
                                             "ConvolutionBackwardWeights",
                                             "ConvTranspose",
                                             "ConvTransposeBackwardData",
                                             "ConvTransposeBackwardWeights",
                                             "Dequantize",
                                             "Divide",
                                             "DynamicDequantize",
                                             "DynamicQuantize",
                                             "Elu",
                                             "EluBackward",
                                             "End",
                                             "Exp",
                                             "GELU",
                                             "GELUBackward",
                                             "HardSwish",
                                             "HardSwishBackward",
                                             "Interpolate",
                                             "InterpolateBackward",
                                             "LayerNorm",
                                             "LayerNormBackward",
                                             "LeakyReLU",
                                             "Log",
                                             "LogSoftmax",
                                             "LogSoftmaxBackward",
                                             "MatMul",
                                             "Maximum",
                                             "MaxPool",
                                             "MaxPoolBackward",
                                             "Minimum",
                                             "Mish",
                                             "MishBackward",
                                             "Multiply",
                                             "PReLU",
                                             "PReLUBackward",
                                             "Quantize",
                                             "Reciprocal",
                                             "ReduceL1",
                                             "ReduceL2",
                                             "ReduceMax",
                                             "ReduceMean",
                                             "ReduceMin",
                                             "ReduceProd",
                                             "ReduceSum",
                                             "ReLU",
                                             "ReLUBackward",
                                             "Reorder",
                                             "Round",
                                             "Sigmoid",
                                             "SigmoidBackward",
                                             "SoftMax",
                                             "SoftMaxBackward",
                                             "SoftPlus",
                                             "SoftPlusBackward",
                                             "Sqrt",
                                             "SqrtBackward",
                                             "Square",
                                             "SquaredDifference",
                                             "StaticReshape",
                                             "StaticTranspose",
                                             "Subtract",
                                             "Tanh",
                                             "TanhBackward",
                                             "TypeCast",
                                             "Wildcard",
                                             "HardSigmoid",
                                             "HardSigmoidBackward",
                                             "Select",
                                             "Pow",
                                             "GroupNorm",
                                             "GenIndex",
                                             "GreaterEqual",
                                             "RMSNorm",
                                             "Dropout"};
static_assert(std::size(kOneDnnKinds) == 88);

constexpr Named<iotadnn_graph_op_kind_t> kOurKinds[] = {
#define IOTADNN_FRONTENDS_KIND(name, enumerator) {#name, enumerator},
    IOTADNN_GRAPH_OWN_OP_KINDS(IOTADNN_FRONTENDS_KIND)
#undef IOTADNN_FRONTENDS_KIND
};

struct DataTypeRow {
  std::string_view name;
  iotadnn_data_type_t value;
  int bytes;  // 0 where an element has no whole bytes
};

constexpr DataTypeRow kDataTypes[] = {
    {"undef", iotadnn_data_type_undef, 0},
    {"f32", iotadnn_f32, 4},
    {"bf16", iotadnn_bf16, 2},
    {"f16", iotadnn_f16, 2},
    {"f64", iotadnn_f64, 8},
    {"s8", iotadnn_s8, 1},
    {"s16", iotadnn_s16, 2},
    {"s32", iotadnn_s32, 4},
    {"s64", iotadnn_s64, 8},
    {"u8", iotadnn_u8, 1},
    {"u16", iotadnn_u16, 2},
    {"u32", iotadnn_u32, 4},
    {"u64", iotadnn_u64, 8},
    {"boolean", iotadnn_boolean, 1},
    {"f8_e5m2", iotadnn_f8_e5m2, 1},
    {"f8_e4m3", iotadnn_f8_e4m3, 1},
    {"s4", iotadnn_s4, 0},
    {"u4", iotadnn_u4, 0},
    {"e8m0", iotadnn_e8m0, 1},
    {"f4_e2m1", iotadnn_f4_e2m1, 0},
    {"f4_e3m0", iotadnn_f4_e3m0, 0},
};

constexpr Named<iotadnn_graph_layout_type_t> kLayouts[] = {
    {"undef", iotadnn_graph_layout_type_undef},
    {"any", iotadnn_graph_layout_type_any},
    {"strided", iotadnn_graph_layout_type_strided},
    {"opaque", iotadnn_graph_layout_type_opaque},
};

constexpr Named<iotadnn_graph_tensor_property_t> kProperties[] = {
    {"undef", iotadnn_graph_tensor_property_undef},
    {"variable", iotadnn_graph_tensor_property_variable},
    {"constant", iotadnn_graph_tensor_property_constant},
    {"host_scalar", iotadnn_graph_tensor_property_host_scalar},
};

constexpr Named<iotadnn_fpmath_mode_t> kFpmathModes[] = {
    {"strict", iotadnn_fpmath_mode_strict}, {"bf16", iotadnn_fpmath_mode_bf16},
    {"f16", iotadnn_fpmath_mode_f16},       {"any", iotadnn_fpmath_mode_any},
    {"tf32", iotadnn_fpmath_mode_tf32},
};

constexpr Named<AttrType> kAttrTypes[] = {
    {"s64", AttrType::s64},          {"s64[]", AttrType::s64_vector}, {"f32", AttrType::f32},
    {"f32[]", AttrType::f32_vector}, {"bool", AttrType::boolean},     {"string", AttrType::string},
};

constexpr AttrRow kAttrs[] = {
    {"alpha", iotadnn_graph_op_attr_alpha},
    {"beta", iotadnn_graph_op_attr_beta},
    {"epsilon", iotadnn_graph_op_attr_epsilon},
    {"max", iotadnn_graph_op_attr_max},
    {"min", iotadnn_graph_op_attr_min},
    {"momentum", iotadnn_graph_op_attr_momentum},
    {"scales", iotadnn_graph_op_attr_scales},
    {"axis", iotadnn_graph_op_attr_axis},
    {"begin_norm_axis", iotadnn_graph_op_attr_begin_norm_axis},
    {"groups", iotadnn_graph_op_attr_groups},
    {"axes", iotadnn_graph_op_attr_axes},
    {"dilations", iotadnn_graph_op_attr_dilations},
    {"dst_shape", iotadnn_graph_op_attr_dst_shape},
    {"kernel", iotadnn_graph_op_attr_kernel},
    {"order", iotadnn_graph_op_attr_order},
    {"output_padding", iotadnn_graph_op_attr_output_padding},
    {"pads_begin", iotadnn_graph_op_attr_pads_begin},
    {"pads_end", iotadnn_graph_op_attr_pads_end},
    {"shape", iotadnn_graph_op_attr_shape},
    {"sizes", iotadnn_graph_op_attr_sizes},
    {"src_shape", iotadnn_graph_op_attr_src_shape},
    {"strides", iotadnn_graph_op_attr_strides},
    {"weights_shape", iotadnn_graph_op_attr_weights_shape},
    {"zps", iotadnn_graph_op_attr_zps},
    {"group_shape", iotadnn_graph_op_attr_group_shape},
    {"exclude_pad", iotadnn_graph_op_attr_exclude_pad},
    {"keep_dims", iotadnn_graph_op_attr_keep_dims},
    {"keep_stats", iotadnn_graph_op_attr_keep_stats},
    {"per_channel_broadcast", iotadnn_graph_op_attr_per_channel_broadcast},
    {"special_zero", iotadnn_graph_op_attr_special_zero},
    {"transpose_a", iotadnn_graph_op_attr_transpose_a},
    {"transpose_b", iotadnn_graph_op_attr_transpose_b},
    {"use_affine", iotadnn_graph_op_attr_use_affine},
    {"use_dst", iotadnn_graph_op_attr_use_dst},
    {"auto_broadcast", iotadnn_graph_op_attr_auto_broadcast},
    {"auto_pad", iotadnn_graph_op_attr_auto_pad},
    {"coordinate_transformation_mode", iotadnn_graph_op_attr_coordinate_transformation_mode},
    {"data_format", iotadnn_graph_op_attr_data_format},
    {"mode", iotadnn_graph_op_attr_mode},
    {"qtype", iotadnn_graph_op_attr_qtype},
    {"rounding_type", iotadnn_graph_op_attr_rounding_type},
    {"weights_format", iotadnn_graph_op_attr_weights_format},
    {"accumulation_mode", iotadnn_graph_op_attr_accumulation_mode},
    {"k", iotadnn_graph_op_attr_k},
    {"upper", iotadnn_graph_op_attr_upper},
    {"depth", iotadnn_graph_op_attr_depth},
    {"on_value", iotadnn_graph_op_attr_on_value},
    {"off_value", iotadnn_graph_op_attr_off_value},
    {"value", iotadnn_graph_op_attr_value},
};

}  // namespace

std::optional<iotadnn_graph_op_kind_t> op_kind_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kOneDnnKinds); ++i)
    if (kOneDnnKinds[i] == name) return static_cast<iotadnn_graph_op_kind_t>(i);
  return find(kOurKinds, name);
}

std::optional<iotadnn_data_type_t> data_type_from_name(std::string_view name) {
  return find(kDataTypes, name);
}

std::optional<iotadnn_graph_layout_type_t> layout_from_name(std::string_view name) {
  return find(kLayouts, name);
}

std::optional<iotadnn_graph_tensor_property_t> property_from_name(std::string_view name) {
  return find(kProperties, name);
}

std::optional<iotadnn_fpmath_mode_t> fpmath_mode_from_name(std::string_view name) {
  return find(kFpmathModes, name);
}

std::optional<iotadnn_graph_math_mode_t> math_mode_from_name(std::string_view name) {
  if (name == "default") return iotadnn_graph_math_mode_default;
  if (name == "strict_bits") return iotadnn_graph_math_mode_strict_bits;
  if (name == "finite") return iotadnn_graph_math_mode_finite;
  return std::nullopt;
}

std::optional<AttrType> attr_type_from_name(std::string_view name) {
  return find(kAttrTypes, name);
}

const AttrRow* attr_from_name(std::string_view name) {
  for (const AttrRow& row : kAttrs)
    if (row.name == name) return &row;
  return nullptr;
}

namespace {

AttrType type_of_ours(iotadnn_graph_op_attr_t id) {
  if (id == iotadnn_graph_op_attr_upper) return AttrType::boolean;
  const bool is_s64 = id == iotadnn_graph_op_attr_k || id == iotadnn_graph_op_attr_depth;
  return is_s64 ? AttrType::s64 : AttrType::f32;
}

}  // namespace

AttrType type_of(const AttrRow& attr) {
  const auto id = static_cast<unsigned>(attr.id);
  if (id >= static_cast<unsigned>(iotadnn_graph_op_attr_k)) return type_of_ours(attr.id);
  if (id < 0x20) return AttrType::f32;
  if (id < 0x30) return AttrType::f32_vector;
  if (id < 0x40) return AttrType::s64;
  if (id < 0x60) return AttrType::s64_vector;
  if (id < 0x80) return AttrType::boolean;
  return AttrType::string;
}

std::string_view name_of(iotadnn_graph_op_kind_t kind) {
  const auto number = static_cast<size_t>(kind);
  if (number < std::size(kOneDnnKinds)) return kOneDnnKinds[number];
  return find(kOurKinds, kind, "unknown");
}

std::string_view name_of(iotadnn_data_type_t type) {
  return find(kDataTypes, type, "undef");
}

std::string_view name_of(iotadnn_graph_layout_type_t layout) {
  return find(kLayouts, layout, "undef");
}

std::string_view name_of(iotadnn_graph_tensor_property_t property) {
  return find(kProperties, property, "undef");
}

std::string_view name_of(iotadnn_fpmath_mode_t mode) {
  return find(kFpmathModes, mode, "strict");
}

std::string_view name_of(AttrType type) {
  return find(kAttrTypes, type, "");
}

int bytes_of(iotadnn_data_type_t type) {
  for (const DataTypeRow& row : kDataTypes)
    if (row.value == type) return row.bytes;
  return 0;
}

const std::vector<iotadnn_data_type_t>& computed_types() {
  static const std::vector<iotadnn_data_type_t> types = {
      iotadnn_f32, iotadnn_bf16, iotadnn_f16, iotadnn_f64, iotadnn_s8,  iotadnn_s16,    iotadnn_s32,
      iotadnn_s64, iotadnn_u8,   iotadnn_u16, iotadnn_u32, iotadnn_u64, iotadnn_boolean};
  return types;
}

}  // namespace iotadnn::frontends
