// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"

#include <iterator>
#include <type_traits>

namespace iotadnn::impl {
namespace {

// oneDNN's numbers (dnnl_graph_op_attr_t), whose ranges decide the type, then ours.
// clang-format off
constexpr AttrInfo kAttrs[] = {
    {0x01, "alpha",                           AttrType::f32},
    {0x02, "beta",                            AttrType::f32},
    {0x03, "epsilon",                         AttrType::f32},
    {0x04, "max",                             AttrType::f32},
    {0x05, "min",                             AttrType::f32},
    {0x06, "momentum",                        AttrType::f32},
    {0x20, "scales",                          AttrType::f32_vector},
    {0x30, "axis",                            AttrType::s64},
    {0x31, "begin_norm_axis",                 AttrType::s64},
    {0x32, "groups",                          AttrType::s64},
    {0x40, "axes",                            AttrType::s64_vector},
    {0x41, "dilations",                       AttrType::s64_vector},
    {0x42, "dst_shape",                       AttrType::s64_vector},
    {0x43, "kernel",                          AttrType::s64_vector},
    {0x44, "order",                           AttrType::s64_vector},
    {0x45, "output_padding",                  AttrType::s64_vector},
    {0x46, "pads_begin",                      AttrType::s64_vector},
    {0x47, "pads_end",                        AttrType::s64_vector},
    {0x48, "shape",                           AttrType::s64_vector},
    {0x49, "sizes",                           AttrType::s64_vector},
    {0x4a, "src_shape",                       AttrType::s64_vector},
    {0x4b, "strides",                         AttrType::s64_vector},
    {0x4c, "weights_shape",                   AttrType::s64_vector},
    {0x4d, "zps",                             AttrType::s64_vector},
    {0x4e, "group_shape",                     AttrType::s64_vector},
    {0x60, "exclude_pad",                     AttrType::boolean},
    {0x61, "keep_dims",                       AttrType::boolean},
    {0x62, "keep_stats",                      AttrType::boolean},
    {0x63, "per_channel_broadcast",           AttrType::boolean},
    {0x64, "special_zero",                    AttrType::boolean},
    {0x65, "transpose_a",                     AttrType::boolean},
    {0x66, "transpose_b",                     AttrType::boolean},
    {0x67, "use_affine",                      AttrType::boolean},
    {0x68, "use_dst",                         AttrType::boolean},
    {0x80, "auto_broadcast",                  AttrType::string},
    {0x81, "auto_pad",                        AttrType::string},
    {0x82, "coordinate_transformation_mode",  AttrType::string},
    {0x83, "data_format",                     AttrType::string},
    {0x84, "mode",                            AttrType::string},
    {0x85, "qtype",                           AttrType::string},
    {0x86, "rounding_type",                   AttrType::string},
    {0x87, "weights_format",                  AttrType::string},
    {0x88, "accumulation_mode",               AttrType::string},
    {attr_id::kK,        "k",                 AttrType::s64},
    {attr_id::kUpper,    "upper",             AttrType::boolean},
    {attr_id::kDepth,    "depth",             AttrType::s64},
    {attr_id::kOnValue,  "on_value",          AttrType::f32},
    {attr_id::kOffValue, "off_value",         AttrType::f32},
    {attr_id::kValue,    "value",             AttrType::f32},
};

// clang-format on

constexpr bool attrs_ascend() {
  for (size_t i = 1; i < std::size(kAttrs); ++i)
    if (kAttrs[i - 1].id >= kAttrs[i].id) return false;
  return true;
}

static_assert(attrs_ascend(), "kAttrs: numbers must ascend, each once");

}  // namespace

const AttrInfo* find_attr(AttrId id) {
  for (const AttrInfo& info : kAttrs)
    if (info.id == id) return &info;
  return nullptr;
}

const AttrInfo* find_attr(std::string_view name) {
  for (const AttrInfo& info : kAttrs)
    if (info.name == name) return &info;
  return nullptr;
}

std::string_view name_of(AttrType type) {
  switch (type) {
    case AttrType::f32:
      return "f32";
    case AttrType::f32_vector:
      return "f32[]";
    case AttrType::s64:
      return "s64";
    case AttrType::s64_vector:
      return "s64[]";
    case AttrType::boolean:
      return "bool";
    case AttrType::string:
      return "string";
  }
  return "";
}

AttrType type_of(const AttrValue& value) {
  // AttrType lists the alternatives of AttrValue in their order.
  static_assert(std::is_same_v<std::variant_alternative_t<3, AttrValue>, std::vector<int64_t>>);
  return static_cast<AttrType>(value.index());
}

}  // namespace iotadnn::impl
