// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// The choices in force: the last set_forced_strategy(), else IOTADNN_STRATEGY (read once), else
// none. `text` is their normal form, a part of cache keys.
struct ForcedChoices {
  ForcedStrategy strategy;
  std::string text;
};

Result<ForcedChoices> forced_strategy();

Status set_forced_strategy(std::string_view text);

}  // namespace iotadnn::impl
