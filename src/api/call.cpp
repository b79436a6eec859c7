// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

#include <cstring>

namespace iotadnn::impl {
namespace {

constexpr size_t kMaxSentence = 1024;

thread_local char t_last_error[kMaxSentence] = "";

}  // namespace

void set_last_error(const char* text) noexcept {
  std::strncpy(t_last_error, text, kMaxSentence - 1);
}

const char* last_error() noexcept {
  return t_last_error;
}

}  // namespace iotadnn::impl
