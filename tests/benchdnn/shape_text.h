// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace iotadnn::benchdnn {

// A value of --in-shapes: SHAPE, SHAPE*STRIDES, SHAPE*TAG, *STRIDES or *TAG.
struct ShapeText {
  std::optional<std::vector<int64_t>> dims;  // nullopt: unchanged
  std::vector<int64_t> strides;              // given as numbers
  std::string tag;                           // given as letters, e.g. "acbd": outermost first
};

// UsageError, with `what` in front, when the text is none of these.
ShapeText parse_shape(const std::string& text, const std::string& what);

// Element strides of `tag` over `dims`; nullopt when they do not fit int64. The tag must have one
// letter per dimension.
std::optional<std::vector<int64_t>> strides_of_tag(const std::string& tag,
                                                   const std::vector<int64_t>& dims);

// The tag whose dense strides these are, "" when there is none. Extents of 1 (and 0) do not matter.
std::string tag_of_strides(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides);

// --op-attrs: "NAME:VALUE*NAME:VALUE" as pairs; UsageError for anything else.
std::vector<std::pair<std::string, std::string>> split_attrs(const std::string& text,
                                                             const std::string& what);

}  // namespace iotadnn::benchdnn
