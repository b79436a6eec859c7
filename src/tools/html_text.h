// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace iotadnn::tools {

// Text of a stranger's for a page in UTF-8, between tags and in quoted attributes: markup is
// escaped; control characters but newline, what is no UTF-8, and what turns the direction of
// writing become U+FFFD. After `most` characters the rest is three dots.
std::string html_text(std::string_view text, size_t most = SIZE_MAX);

// About how wide it is in letters of 13 pixels, semi-bold.
double text_width(std::string_view text, size_t most);

}  // namespace iotadnn::tools
