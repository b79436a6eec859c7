// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "benchdnn/errors.h"

namespace iotadnn::benchdnn {
namespace {

template <class T>
T parse_whole(std::string_view text, const std::string& what, const char* kind) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    throw UsageError(what + ": '" + std::string(text) + "' does not fit 64 bits.");
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    throw UsageError(what + ": expected " + kind + ", got '" + std::string(text) + "'.");
  return value;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    pieces.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

int64_t parse_integer(std::string_view text, const std::string& what) {
  return parse_whole<int64_t>(text, what, "an integer number");
}

int64_t parse_integer(std::string_view text, const std::string& what, int64_t low, int64_t high) {
  const int64_t value = parse_integer(text, what);
  if (value < low || value > high)
    throw UsageError(what + ": '" + std::string(text) + "' is outside [" + std::to_string(low) +
                     ", " + std::to_string(high) + "].");
  return value;
}

size_t parse_id(std::string_view text, const std::string& what) {
  return parse_whole<size_t>(text, what, "an id (a non-negative integer)");
}

double parse_real(std::string_view text, const std::string& what) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || std::isnan(value))
    throw UsageError(what + ": expected a number, got '" + copy + "'.");
  return value;
}

bool parse_bool(std::string_view text, const std::string& what) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw UsageError(what + ": expected true or false, got '" + std::string(text) + "'.");
}

std::vector<int64_t> parse_extents(std::string_view text, const std::string& what) {
  std::vector<int64_t> extents;
  if (text == "-") return extents;
  for (const std::string& piece : split(text, 'x')) {
    if (piece.find_first_not_of("0123456789") != std::string::npos || piece.empty())
      throw UsageError(what + ": expected extents like 2x3x4, got '" + std::string(text) + "'.");
    extents.push_back(parse_integer(piece, what));
  }
  return extents;
}

std::string extents_text(const std::vector<int64_t>& extents) {
  if (extents.empty()) return "-";
  std::string text;
  for (const int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[to.size()];
}

}  // namespace iotadnn::benchdnn
