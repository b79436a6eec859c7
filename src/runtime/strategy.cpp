// SPDX-License-Identifier: Apache-2.0
#include "runtime/strategy.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/cpu.h"

namespace iotadnn::impl {
namespace {

// The numbers below were found by measuring (doc/performance.md, "Choosing a strategy").

// Waking a second thread loses below twice this much, measured from 64 KiB to 8 MiB.
constexpr int64_t kBytesPerThread = 192 << 10;
// Rows of one value that are shorter are written several to a vector (ring) instead of one by one.
constexpr int64_t kShortRowBytes = 512;
// Rows of a diagonal from here on have few enough breaks for the points walk; shorter ones only
// when they are whole vectors, which it compares without a branch.
constexpr int64_t kPointRowBytes = 128;
// Templates up to this stay in registers while they are copied.
constexpr int64_t kRegisterTemplateBytes = 256;
// A larger one costs first-level cache lines that the stores need: it loses 15 to 50 percent beyond
// this.
constexpr int64_t kMaxTemplateBytes = 4 << 10;
constexpr int64_t kMinTemplateBytes = 1 << 10;
// Below this the first pass over a template is too much of the whole.
constexpr int64_t kTemplateFromBytes = 4 << 10;

int64_t total_elements(const PhysicalShape& shape) {
  return std::accumulate(shape.extents.begin(), shape.extents.begin() + shape.order.rank,
                         int64_t{1}, std::multiplies<>());
}

bool dense(const PhysicalShape& shape) {
  int64_t stride = 1;
  for (int d = shape.order.rank - 1; d >= 0; --d) {
    if (shape.extents[d] != 1 && shape.strides[d] != stride) return false;
    stride *= shape.extents[d];
  }
  return true;
}

// Bytes after which a dense output repeats itself; 0 when it does not.
int64_t period_bytes(const RowProgram& program, const PhysicalShape& shape) {
  if (shape.order.rank < 2 || shape.order.axes[0] != kMergedAxes) return 0;
  return total_elements(shape) / shape.extents[0] * program.elem_bytes;
}

int64_t template_bytes(const RowProgram& program, const PhysicalShape& shape) {
  const int64_t period = period_bytes(program, shape);
  if (period == 0 || period > kMaxTemplateBytes) return 0;
  const int64_t unit = std::lcm(period, kLineBytes);
  if (unit > kMaxTemplateBytes) return 0;
  if (unit <= kRegisterTemplateBytes) return unit;
  return (kMinTemplateBytes + unit - 1) / unit * unit;
}

bool usable(const RowProgram& program, const PhysicalShape& shape, Walk walk) {
  return walk_applies(program, walk) &&
         walk_fits(program, walk, shape.extents.data(), shape.strides.data());
}

Walk best_walk(const RowProgram& program, const PhysicalShape& shape, int threads) {
  const int last = shape.order.rank - 1;
  const int64_t row_bytes = shape.extents[last] * program.elem_bytes;
  const bool few_breaks = row_bytes >= kPointRowBytes || row_bytes % kLineBytes == 0;
  if (few_breaks && usable(program, shape, Walk::points)) return Walk::points;
  const int64_t rows = total_elements(shape) / shape.extents[last];
  const bool ramp = program.predicates.empty() &&
                    program.bodies[0].insts.back() == Inst{Opcode::coord, uint64_t(last)};
  const bool rows_are_good = row_bytes >= kShortRowBytes && rows >= threads && !ramp;
  if (!rows_are_good && usable(program, shape, Walk::ring)) return Walk::ring;
  return Walk::rows;
}

// Non-temporal stores win, by two to four times, once the output does not stay in the last-level
// cache, and lose as much before. That level is shared with others, so not all of it counts; a
// second thread keeps plain stores ahead for longer.
Store best_store(int64_t bytes, int threads) {
  const int64_t eighths = threads > 1 ? 5 : 3;
  return bytes >= cache_sizes().last / 8 * eighths ? Store::nontemporal : Store::normal;
}

template <class Enum, size_t N>
Result<Enum> choice(std::string_view key, std::string_view value, const Enum (&allowed)[N]) {
  std::string names;
  for (const Enum candidate : allowed) {
    if (name_of(candidate) == value) return candidate;
    names += (names.empty() ? "" : ", ") + std::string(name_of(candidate));
  }
  return invalid_arguments("strategy " + std::string(key) + "=" + std::string(value) +
                           " is not one of " + names);
}

Result<int> thread_count(std::string_view value) {
  int threads = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), threads);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size() || threads < 1 ||
      threads > 1024)
    return invalid_arguments("strategy threads=" + std::string(value) +
                             " is not a number from 1 to 1024");
  return threads;
}

Status parse_choice(std::string_view token, ForcedStrategy& forced) {
  const size_t equals = token.find('=');
  const std::string_view key = token.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : token.substr(equals + 1);
  if (key == "walk") {
    const auto walk = choice(key, value, {Walk::rows, Walk::ring, Walk::points});
    if (!walk.ok()) return walk.status();
    forced.walk = *walk;
    return {};
  }
  if (key == "store") {
    const auto store = choice(key, value, {Store::normal, Store::nontemporal, Store::rep});
    if (!store.ok()) return store.status();
    forced.store = *store;
    return {};
  }
  if (key == "template") {
    if (value != "on" && value != "off")
      return invalid_arguments("strategy template=" + std::string(value) + " is not on or off");
    forced.use_template = value == "on";
    return {};
  }
  if (key == "threads") {
    const auto threads = thread_count(value);
    if (!threads.ok()) return threads.status();
    forced.threads = *threads;
    return {};
  }
  return invalid_arguments("strategy '" + std::string(token) +
                           "' is not walk=, store=, template= or threads=");
}

}  // namespace

Result<ForcedStrategy> parse_strategy(std::string_view text) {
  ForcedStrategy forced;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    IOTADNN_TRY(parse_choice(text.substr(0, comma), forced));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return forced;
}

int choose_threads(int64_t bytes, int threads, const ForcedStrategy& forced) {
  return forced.threads.value_or(
      static_cast<int>(std::clamp<int64_t>(bytes / kBytesPerThread, 1, threads)));
}

Store choose_store(int64_t bytes, int threads, const ForcedStrategy& forced) {
  const Store store = forced.store.value_or(best_store(bytes, threads));
  return store == Store::rep ? Store::normal : store;
}

Strategy choose_strategy(const RowProgram& program, const PhysicalShape& shape, int threads,
                         const ForcedStrategy& forced) {
  const int64_t bytes = total_elements(shape) * program.elem_bytes;
  Strategy strategy;
  strategy.threads = choose_threads(bytes, threads, forced);
  strategy.walk = best_walk(program, shape, strategy.threads);
  if (forced.walk && usable(program, shape, *forced.walk)) strategy.walk = *forced.walk;
  strategy.store = forced.store.value_or(best_store(bytes, strategy.threads));

  const bool may_use_template = dense(shape) && template_bytes(program, shape) > 0;
  // Ramps and outer coordinates cost the ring fewer cycles than a load does.
  const bool wants_template =
      forced.use_template.value_or(!forced.walk && bytes >= kTemplateFromBytes &&
                                   strategy.walk == Walk::ring && !program.predicates.empty());
  if (may_use_template && wants_template) strategy.template_bytes = template_bytes(program, shape);
  if (strategy.store == Store::rep && strategy.template_bytes == 0 && strategy.walk != Walk::points)
    strategy.store = Store::normal;
  return strategy;
}

}  // namespace iotadnn::impl
