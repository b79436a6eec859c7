// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/shape_text.h"

#include <algorithm>
#include <numeric>

#include "benchdnn/errors.h"
#include "benchdnn/values.h"

namespace iotadnn::benchdnn {
namespace {

bool is_tag(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijkl") == std::string::npos;
}

// Strides of dims whose axes lie in memory in `order`, outermost first.
std::optional<std::vector<int64_t>> strides_of_order(const std::vector<size_t>& order,
                                                     const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  int64_t next = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = next;
    if (__builtin_mul_overflow(next, std::max<int64_t>(dims[order[i]], 1), &next))
      return std::nullopt;
  }
  return strides;
}

}  // namespace

ShapeText parse_shape(const std::string& text, const std::string& what) {
  ShapeText shape;
  const std::vector<std::string> parts = split(text, '*');
  if (text.empty() || parts.size() > 2)
    throw UsageError(what + ": expected SHAPE[*STRIDES|*TAG], got '" + text + "'.");
  if (!parts[0].empty()) shape.dims = parse_extents(parts[0], what);
  if (parts.size() == 1) return shape;
  if (!is_tag(parts[1])) {
    shape.strides = parse_extents(parts[1], what);
    if (shape.dims && shape.strides.size() != shape.dims->size())
      throw UsageError(what + ": '" + text + "' has " + std::to_string(shape.dims->size()) +
                       " extents but " + std::to_string(shape.strides.size()) + " strides.");
    return shape;
  }
  shape.tag = parts[1];
  std::string letters = shape.tag;
  std::sort(letters.begin(), letters.end());
  for (size_t i = 0; i < letters.size(); ++i)
    if (letters[i] != static_cast<char>('a' + static_cast<int>(i)))
      throw UsageError(what + ": tag '" + shape.tag + "' is no permutation of its first letters.");
  if (shape.dims && shape.dims->size() != shape.tag.size())
    throw UsageError(what + ": '" + text + "' has " + std::to_string(shape.dims->size()) +
                     " extents but a tag of " + std::to_string(shape.tag.size()) + " letters.");
  return shape;
}

std::optional<std::vector<int64_t>> strides_of_tag(const std::string& tag,
                                                   const std::vector<int64_t>& dims) {
  std::vector<size_t> order;
  for (const char letter : tag)
    order.push_back(static_cast<size_t>(letter - 'a'));
  return strides_of_order(order, dims);
}

std::string tag_of_strides(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Extents of 1 sort as their strides do, or after the axis that they share a stride with.
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return strides[a] > strides[b]; });
  const auto dense = strides_of_order(order, dims);
  if (!dense) return "";
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] > 1 && (*dense)[i] != strides[i]) return "";
  std::string tag;
  for (const size_t axis : order)
    tag += static_cast<char>('a' + static_cast<int>(axis));
  return tag;
}

std::vector<std::pair<std::string, std::string>> split_attrs(const std::string& text,
                                                             const std::string& what) {
  std::vector<std::pair<std::string, std::string>> attrs;
  for (const std::string& piece : split(text, '*')) {
    const size_t colon = piece.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == piece.size())
      throw UsageError(what + ": expected NAME:VALUE, got '" + piece + "'.");
    attrs.emplace_back(piece.substr(0, colon), piece.substr(colon + 1));
  }
  return attrs;
}

}  // namespace iotadnn::benchdnn
