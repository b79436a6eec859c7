// SPDX-License-Identifier: Apache-2.0
#include "tools/html_text.h"

#include <algorithm>
#include <cstdint>

namespace iotadnn::tools {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";
constexpr const char* kDots = "\xe2\x80\xa6";

struct Character {
  size_t bytes = 1;
  bool is_shown = false;  // as it is; otherwise as U+FFFD
};

bool is_harmless(uint32_t code) {
  const bool is_control = (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0);
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  const bool turns = code == 0x061c || (code >= 0x200e && code <= 0x200f) ||
                     (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool is_none = (code & 0xfffe) == 0xfffe || code > 0x10ffff;
  return !is_control && !is_surrogate && !turns && !is_none;
}

// The character at the start of a text that is not empty.
Character first_of(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {1, is_harmless(lead)};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {1, false};
  uint32_t code = lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {1, false};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes]) return {1, false};
  return {bytes, is_harmless(code)};
}

const char* escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return nullptr;
  }
}

}  // namespace

std::string html_text(std::string_view text, size_t most) {
  std::string escaped;
  for (size_t shown = 0; !text.empty(); ++shown) {
    if (shown == most) return escaped + kDots;
    const Character character = first_of(text);
    const char* const escape = escape_of(text[0]);
    if (!character.is_shown)
      escaped += kReplacement;
    else if (escape != nullptr)
      escaped += escape;
    else
      escaped += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return escaped;
}

double text_width(std::string_view text, size_t most) {
  constexpr double kNarrow = 7.8;
  constexpr double kWide = 13;
  double width = 0;
  for (size_t shown = 0; !text.empty() && shown <= most; ++shown) {
    const Character character = first_of(text);
    width += character.bytes == 1 && character.is_shown ? kNarrow : kWide;
    text.remove_prefix(character.bytes);
  }
  return width;
}

}  // namespace iotadnn::tools
