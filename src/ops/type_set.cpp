// SPDX-License-Identifier: Apache-2.0
#include "ops/type_set.h"

namespace iotadnn::impl {

std::string type_set_text(TypeSet set) {
  constexpr int32_t kPastLast = 0x120;
  std::string text;
  for (int32_t number = 0; number < kPastLast; ++number) {
    const auto type = static_cast<DataType>(number);
    if (!set.has(type)) continue;
    if (!text.empty()) text += ", ";
    text += name_of(type);
  }
  return text;
}

}  // namespace iotadnn::impl
