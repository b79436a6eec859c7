// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/random.h"

namespace iotadnn::test {

// Changes a text as an editor or a broken disk would, one to four times: bytes changed, pieces
// removed, doubled or taken from elsewhere in the text, and `tokens` of its grammar put in.
inline std::string mutated(std::string text, const std::vector<std::string>& tokens,
                           Random& random) {
  for (int64_t n = random.between(1, 4); n > 0; --n) {
    const auto size = static_cast<int64_t>(text.size());
    const auto at = static_cast<size_t>(random.between(0, size));
    const auto from = static_cast<size_t>(random.between(0, size));
    const auto length = static_cast<size_t>(random.between(0, 12));
    switch (random.between(0, 5)) {
      case 0:
        text.insert(at, random.pick(tokens));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(from, length));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random.between(0, 255));
        break;
      case 4:
        text.replace(at, length, random.pick(tokens));
        break;
      default:
        if (random.between(0, 9) == 0) text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace iotadnn::test
