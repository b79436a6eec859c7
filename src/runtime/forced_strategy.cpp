// SPDX-License-Identifier: Apache-2.0
#include "runtime/forced_strategy.h"

#include <mutex>
#include <optional>

#include "base/env.h"

namespace iotadnn::impl {
namespace {

std::mutex g_mutex;
std::optional<ForcedChoices> g_choices;  // empty until first asked or set

Result<ForcedChoices> parsed(std::string_view text) {
  auto strategy = parse_strategy(text);
  if (!strategy.ok()) return strategy.status();
  return ForcedChoices{*strategy, std::string(text)};
}

}  // namespace

Result<ForcedChoices> forced_strategy() {
  const std::lock_guard lock(g_mutex);
  if (!g_choices) {
    auto choices = parsed(env_value(EnvVar::strategy).value_or(""));
    if (!choices.ok()) return invalid_arguments("IOTADNN_STRATEGY: " + choices.status().message());
    g_choices = std::move(*choices);
  }
  return *g_choices;
}

Status set_forced_strategy(std::string_view text) {
  auto choices = parsed(text);
  if (!choices.ok()) return choices.status();
  const std::lock_guard lock(g_mutex);
  g_choices = std::move(*choices);
  return {};
}

}  // namespace iotadnn::impl
