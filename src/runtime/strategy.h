// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "codegen/codegen.h"
#include "lower/layout.h"

namespace iotadnn::impl {

// How one output is written.
struct Strategy {
  Walk walk = Walk::rows;
  Store store = Store::normal;
  // 0: the walk writes everything. Else it writes this many bytes at the start of each thread's
  // share, a multiple of the output's period and of a cache line, which are copied on from there.
  int64_t template_bytes = 0;
  int threads = 1;
};

// Choices that the user forces, for measuring (set_strategy, IOTADNN_STRATEGY).
struct ForcedStrategy {
  std::optional<Walk> walk;
  std::optional<Store> store;
  std::optional<bool> use_template;
  std::optional<int> threads;
};

// invalid_arguments with the part that is not understood and what is allowed.
Result<ForcedStrategy> parse_strategy(std::string_view text);

// How many of `threads` share work that moves so many bytes.
int choose_threads(int64_t bytes, int threads, const ForcedStrategy& forced);

// How a pointwise program that moves so many bytes stores its results.
Store choose_store(int64_t bytes, int threads, const ForcedStrategy& forced);

// The choice for an output of this shape where there are kernels. A forced choice that is not legal
// for the output is ignored.
Strategy choose_strategy(const RowProgram& program, const PhysicalShape& shape, int threads,
                         const ForcedStrategy& forced);

}  // namespace iotadnn::impl
