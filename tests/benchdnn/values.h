// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Pieces of knob values. Every function throws UsageError with a sentence that quotes the value.
namespace iotadnn::benchdnn {

// Pieces between separators; an empty text is one empty piece.
std::vector<std::string> split(std::string_view text, char separator);

int64_t parse_integer(std::string_view text, const std::string& what);
// The same within [low, high].
int64_t parse_integer(std::string_view text, const std::string& what, int64_t low, int64_t high);
size_t parse_id(std::string_view text, const std::string& what);
double parse_real(std::string_view text, const std::string& what);
bool parse_bool(std::string_view text, const std::string& what);  // true, false, 1, 0

// "1x16x32" as extents; "-" is the empty list.
std::vector<int64_t> parse_extents(std::string_view text, const std::string& what);
std::string extents_text(const std::vector<int64_t>& extents);  // "-" for the empty list

// Levenshtein distance, for messages about a wrong spelling: edits of one character that turn one
// into the other.
size_t edit_distance(std::string_view from, std::string_view to);

}  // namespace iotadnn::benchdnn
