// SPDX-License-Identifier: Apache-2.0
#include "graph/logical_tensor.h"

#include <algorithm>
#include <string_view>

namespace iotadnn::impl {
namespace {

bool same_prefix(const Dims& a, const Dims& b, int rank) {
  return std::equal(a.begin(), a.begin() + std::max(rank, 0), b.begin());
}

// Entries joined with `separator`; "0" for a scalar, as oneDNN prints it.
std::string joined(const Dims& values, int rank, char separator) {
  if (rank == 0) return "0";
  std::string text;
  for (int d = 0; d < rank; ++d) {
    if (d > 0) text += separator;
    text += values[d] == kUnknownDim ? "?" : std::to_string(values[d]);
  }
  return text;
}

std::string layout_text(const LogicalTensor& t) {
  switch (t.layout) {
    case LayoutType::strided:
      return joined(t.strides, t.rank, 's');
    case LayoutType::opaque:
      return std::to_string(t.layout_id);
    case LayoutType::any:
      return "any";
    case LayoutType::undef:
      return "undef";
  }
  return "";
}

}  // namespace

std::string_view name_of(LayoutType layout) {
  switch (layout) {
    case LayoutType::undef:
      return "undef";
    case LayoutType::any:
      return "any";
    case LayoutType::strided:
      return "strided";
    case LayoutType::opaque:
      return "opaque";
  }
  return "undef";
}

std::string_view name_of(Property property) {
  switch (property) {
    case Property::undef:
      return "undef";
    case Property::variable:
      return "variable";
    case Property::constant:
      return "constant";
    case Property::host_scalar:
      return "host_scalar";
  }
  return "undef";
}

bool LogicalTensor::operator==(const LogicalTensor& o) const {
  if (id != o.id || rank != o.rank || type != o.type || property != o.property ||
      layout != o.layout || !same_prefix(dims, o.dims, rank))
    return false;
  if (layout == LayoutType::strided) return same_prefix(strides, o.strides, rank);
  return layout != LayoutType::opaque || layout_id == o.layout_id;
}

bool is_fully_known(const LogicalTensor& t) {
  if (!is_known_shape(t.dims, t.rank)) return false;
  return t.layout != LayoutType::strided || is_known_shape(t.strides, t.rank);
}

Result<size_t> buffer_bytes(const LogicalTensor& t) {
  if (t.layout != LayoutType::strided) return kUnknownBytes;
  if (!is_fully_known(t))
    return invalid_shape("logical tensor " + std::to_string(t.id) + " has shape " +
                         shape_text(t.dims, t.rank) + " and strides " +
                         shape_text(t.strides, t.rank) + ", its size needs all of them");
  auto span = span_elements(t.dims, t.strides, t.rank);
  if (!span.ok()) return span.status();
  if (*span == 0) return size_t{0};
  int64_t elements = *span;
  for (int d = 0; d < t.rank; ++d) {
    // oneDNN counts the padding after the last row too.
    const auto block = checked_mul(t.dims[d], t.dims[d] == 1 ? 1 : t.strides[d]);
    if (!block)
      return invalid_shape("logical tensor " + std::to_string(t.id) + ": extent " +
                           std::to_string(t.dims[d]) + " times stride " +
                           std::to_string(t.strides[d]) + " overflows a signed 64-bit integer");
    elements = std::max(elements, *block);
  }
  const auto bits = checked_mul(elements, bits_of(t.type));
  const auto rounded = bits ? checked_add(*bits, 7) : std::nullopt;
  if (!rounded)
    return invalid_shape("logical tensor " + std::to_string(t.id) + " of shape " +
                         shape_text(t.dims, t.rank) + " and type " + std::string(name_of(t.type)) +
                         " is larger than memory can be");
  return static_cast<size_t>(*rounded / 8);
}

std::string verbose_text(const LogicalTensor& t) {
  std::string text(name_of(t.type));
  text += ':' + std::to_string(t.id) + ':';
  text += name_of(t.layout);
  text += ':';
  text += name_of(t.property);
  return text + ':' + joined(t.dims, t.rank, 'x') + ':' + layout_text(t);
}

}  // namespace iotadnn::impl
