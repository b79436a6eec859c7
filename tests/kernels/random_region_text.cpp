// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <type_traits>

#include "kernels/random_region.h"
#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

struct Name {
  int number;
  const char* text;
};

#define IOTADNN_KIND(name) \
  { static_cast<int>(kind::name), #name }
#define IOTADNN_OWN_KIND(name, enumerator) {enumerator, #name},
constexpr Name kKinds[] = {
    IOTADNN_KIND(Abs),           IOTADNN_KIND(Add),
    IOTADNN_KIND(Clamp),         IOTADNN_KIND(Divide),
    IOTADNN_KIND(Exp),           IOTADNN_KIND(GenIndex),
    IOTADNN_KIND(GreaterEqual),  IOTADNN_KIND(Log),
    IOTADNN_KIND(Maximum),       IOTADNN_KIND(Minimum),
    IOTADNN_KIND(Multiply),      IOTADNN_KIND(Pow),
    IOTADNN_KIND(ReLU),          IOTADNN_KIND(Reciprocal),
    IOTADNN_KIND(Select),        IOTADNN_KIND(Sigmoid),
    IOTADNN_KIND(Sqrt),          IOTADNN_KIND(Square),
    IOTADNN_KIND(StaticReshape), IOTADNN_KIND(StaticTranspose),
    IOTADNN_KIND(Subtract),      IOTADNN_KIND(Tanh),
    IOTADNN_KIND(TypeCast),      IOTADNN_GRAPH_OWN_OP_KINDS(IOTADNN_OWN_KIND)};
#undef IOTADNN_OWN_KIND
#undef IOTADNN_KIND

#define IOTADNN_ATTR(name) \
  { static_cast<int>(attr::name), #name }
constexpr Name kAttrs[] = {IOTADNN_ATTR(axis),     IOTADNN_ATTR(k),
                           IOTADNN_ATTR(upper),    IOTADNN_ATTR(depth),
                           IOTADNN_ATTR(on_value), IOTADNN_ATTR(off_value),
                           IOTADNN_ATTR(value),    IOTADNN_ATTR(shape),
                           IOTADNN_ATTR(order),    IOTADNN_ATTR(special_zero),
                           IOTADNN_ATTR(min),      IOTADNN_ATTR(max),
                           IOTADNN_ATTR(beta),     IOTADNN_ATTR(auto_broadcast)};
#undef IOTADNN_ATTR

template <size_t N>
std::string name_in(const Name (&names)[N], int number) {
  for (const Name& name : names)
    if (name.number == number) return name.text;
  return std::to_string(number);
}

template <class T>
std::string list_of(const std::vector<T>& items) {
  std::string text = "[";
  for (size_t i = 0; i < items.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(items[i]);
  return text + "]";
}

std::string text_of_attr(const RegionAttr& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        const auto typed = [](const char* type, const std::string& text) {
          return std::string("{\"type\": \"") + type + "\", \"value\": " + text + "}";
        };
        if constexpr (std::is_same_v<T, int64_t>) {
          return typed("s64", std::to_string(v));
        } else if constexpr (std::is_same_v<T, float>) {
          char text[32];
          std::snprintf(text, sizeof text, std::isfinite(v) ? "%.9g" : "\"%g\"",
                        static_cast<double>(v));
          return typed("f32", text);
        } else if constexpr (std::is_same_v<T, bool>) {
          return typed("bool", v ? "1" : "0");
        } else if constexpr (std::is_same_v<T, std::string>) {
          return typed("string", "\"" + v + "\"");
        } else {
          return typed("s64[]", list_of(v));
        }
      },
      value);
}

std::string text_of_value(size_t id, const RegionValue& v) {
  return "{\"id\": " + std::to_string(id) + ", \"dtype\": \"" + type_name(v.type) +
         "\", \"shape\": " + list_of(v.dims) + ", \"stride\": " + list_of(v.strides) +
         ", \"layout_type\": \"strided\", \"property_type\": \"" +
         (v.host_scalar ? "host_scalar" : "undef") + "\"}";
}

}  // namespace

std::string name_of_kind(kind op) {
  return name_in(kKinds, static_cast<int>(op));
}

std::string json_of(const RandomRegion& region) {
  std::string text = "{\n\"policy\": \"" + std::string(region.fusion ? "fusion" : "debug") +
                     "\", \"math_mode\": \"" + (region.strict ? "strict_bits" : "default") +
                     "\", \"strategy\": \"" + region.strategy +
                     "\", \"in_place\": " + (region.in_place ? "true" : "false") +
                     ", \"read_by_the_host\": " + list_of(region.extra_outputs) +
                     ",\n\"graph\": [\n";
  for (size_t i = 0; i < region.ops.size(); ++i) {
    const RegionOp& op = region.ops[i];
    const std::string kind_name = name_of_kind(op.kind);
    text += "{\"id\": " + std::to_string(i) + ", \"name\": \"" + kind_name + std::to_string(i) +
            "\", \"kind\": \"" + kind_name + "\", \"attrs\": {";
    for (const auto& [id, value] : op.attrs)
      text += (text.back() == '{' ? "\"" : ", \"") + name_in(kAttrs, static_cast<int>(id)) +
              "\": " + text_of_attr(value);
    text += "},\n \"inputs\": [";
    for (size_t p = 0; p < op.inputs.size(); ++p)
      text += (p > 0 ? ",\n   " : "") + text_of_value(op.inputs[p], region.values[op.inputs[p]]);
    text += "],\n \"outputs\": [" + text_of_value(op.output, region.values[op.output]) + "]}" +
            (i + 1 < region.ops.size() ? ",\n" : "\n");
  }
  text += "],\n\"unknown_in_graph_but_extents\": [";
  std::string late;
  std::string elements;
  for (size_t v = 0; v < region.values.size(); ++v) {
    const RegionValue& value = region.values[v];
    const std::string id = std::to_string(v);
    if (!value.known_in_graph)
      text += (text.back() == '[' ? "[" : ", [") + id + ", " + std::to_string(value.known_extents) +
              "]";
    if (!value.known_at_compile) late += (late.empty() ? "" : ", ") + id;
    if (!value.is_input || value.bits.size() > 32) continue;
    elements += (elements.empty() ? "\"" : ",\n\"") + id + "\": \"";
    for (const uint64_t bits : value.bits)
      elements += text_of({value.type, bits}) + "; ";
    elements += "\"";
  }
  return text + "], \"unknown_at_compile\": [" + late + "],\n\"elements\": {" + elements + "}\n}";
}

int64_t elements_of(const Extents& dims) {
  constexpr int64_t kFar = int64_t{1} << 40;
  int64_t count = 1;
  for (const int64_t extent : dims)
    count = extent != 0 && count > kFar / extent ? kFar : count * extent;
  return count;
}

// Dense, or the dimensions in any order in memory with gaps after some of them.
Extents random_region_strides(Random& random, const Extents& dims) {
  if (random.between(0, 4) < 3) return dense_strides(dims);
  std::vector<size_t> inner_first(dims.size());
  std::iota(inner_first.rbegin(), inner_first.rend(), size_t{0});
  if (random.coin()) std::shuffle(inner_first.begin(), inner_first.end(), random.engine());
  const auto rank = static_cast<int64_t>(dims.size());
  Extents strides(dims.size());
  int64_t next = random.between(0, 5) == 0 ? 2 : 1;
  for (const size_t d : inner_first) {
    strides[d] = next;
    next *= std::max<int64_t>(dims[d], 1);
    if (random.between(1, rank) <= 2) next += random.between(0, 3);
  }
  return strides;
}

std::vector<uint64_t> random_elements(Random& random, int type, int64_t count) {
  const int64_t specials = random.pick<int64_t>({0, 1, 5, 10});  // of ten
  const bool only_small = random.between(0, 4) == 0;
  const std::vector<Element>& special = special_values(type);
  const int bytes = type_bytes(type);
  const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
  std::vector<uint64_t> bits(static_cast<size_t>(count));
  for (uint64_t& element : bits) {
    if (is_boolean(type))
      element = random.engine()() & 1u;
    else if (random.between(0, 9) < specials)
      element = random.pick(special).bits;
    else if (only_small || random.between(0, 3) != 0)
      element =
          from_integer(type, random.between(is_floating(type) || is_signed(type) ? -9 : 0, 9)).bits;
    else
      element = random.engine()() & mask;
  }
  return bits;
}

int64_t range_count(const Element& start, const Element& limit, const Element& delta,
                    int64_t most) {
  if (is_floating(start.type)) {
    const auto from = static_cast<double>(real_of(start));
    const auto to = static_cast<double>(real_of(limit));
    const auto by = static_cast<double>(real_of(delta));
    const double count = by == 0 ? -1 : std::ceil((to - from) / by);
    if (!(count <= static_cast<double>(most)) || by == 0) return -1;
    return count > 0 ? static_cast<int64_t>(count) : 0;
  }
  Integer distance = integer_of(limit) - integer_of(start);
  Integer by = integer_of(delta);
  if (by == 0) return -1;
  if (by < 0) {
    by = -by;
    distance = -distance;
  }
  const Integer count = distance <= 0 ? 0 : (distance + by - 1) / by;
  return count <= most ? static_cast<int64_t>(count) : -1;
}

}  // namespace iotadnn::test
