// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/limit.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "benchdnn/limit_stores.h"

namespace iotadnn::benchdnn {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMinPassSeconds = 20e-6;  // a clock read costs 20 ns: 0.2 % of it for two
constexpr double kBudgetSeconds = 50e-3;   // of best_fill_seconds

// A last-level cache takes several fills to keep a buffer that was not in it (Zen 3: 4 MiB at half
// speed in the second fill).
constexpr int kMaxFillsOfPass = 8;
constexpr double kClearlyFaster = 0.97;

// After so many passes a candidate that is this much slower than the best has lost: large buffers
// would spend most of their time in it. A long pass has less noise in it, and costs more.
constexpr int kFairPasses = 5;
constexpr double kHopeless = 2;
constexpr double kLongPassSeconds = 1e-3;
constexpr int kFairLongPasses = 2;
constexpr double kHopelessLong = 1.25;

struct Candidate {
  const Way* way = nullptr;
  int threads = 1;
  int64_t fills_per_pass = 1;
  int passes = 0;
  double best = std::numeric_limits<double>::infinity();
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool has_lost(const Candidate& candidate, double best) {
  if (candidate.best > kLongPassSeconds)
    return candidate.passes >= kFairLongPasses && candidate.best > kHopelessLong * best;
  return candidate.passes >= kFairPasses && candidate.best > kHopeless * best;
}

// 1..4, then powers of two, and the largest: every count would take long on a large machine.
std::vector<int> thread_counts(int threads) {
  std::vector<int> counts;
#ifdef _OPENMP
  for (int n = 1; n < threads; n += n < 4 ? 1 : n)
    counts.push_back(n);
  counts.push_back(std::max(threads, 1));
#else
  static_cast<void>(threads);
  counts.push_back(1);
#endif
  return counts;
}

std::vector<Way> ways_of(const LimitRequest& request) {
  std::vector<Way> ways;
  for (const Store& store : stores_for(request.content, request.value, request.isa))
    ways.push_back(
        {store.name, [request, store](int threads) { fill_once(request, store, threads); }});
  return ways;
}

}  // namespace

struct LimitMeter::State {
  State(std::vector<Way> wanted, int most_threads, std::function<void()> preparation)
      : ways(std::move(wanted)), prepare(std::move(preparation)) {
    for (const int threads : thread_counts(most_threads)) {
      for (const Way& way : ways) {
        Candidate candidate;
        candidate.way = &way;
        candidate.threads = threads;
        candidates.push_back(candidate);
      }
    }
  }

  const Candidate* best() const {
    const auto found =
        std::min_element(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.best < b.best; });
    return found == candidates.end() || found->passes == 0 ? nullptr : &*found;
  }

  // Seconds of one fill, timed over at least kMinPassSeconds.
  double timed_fill(Candidate& candidate) const {
    while (true) {
      const int64_t fills = candidate.fills_per_pass;
      const auto start = Clock::now();
      for (int64_t i = 0; i < fills; ++i)
        candidate.way->run(candidate.threads);
      const double seconds = seconds_since(start);
      if (seconds >= kMinPassSeconds) return seconds / static_cast<double>(fills);
      candidate.fills_per_pass = 2 * fills;
    }
  }

  // Without `prepare` the steady state of a repeated fill counts, not what the previous candidate
  // left in the caches or dropped from them: fills go on as long as they become faster.
  double pass(Candidate& candidate) const {
    wake_team(candidate.threads);
    if (prepare) {
      prepare();
      const auto start = Clock::now();
      candidate.way->run(candidate.threads);
      return seconds_since(start);
    }
    candidate.way->run(candidate.threads);
    double best_of_pass = timed_fill(candidate);
    for (int i = 1; i < kMaxFillsOfPass; ++i) {
      const double seconds = timed_fill(candidate);
      const bool faster = seconds < kClearlyFaster * best_of_pass;
      best_of_pass = std::min(best_of_pass, seconds);
      if (!faster) break;
    }
    return best_of_pass;
  }

  std::vector<Way> ways;
  std::function<void()> prepare;
  std::vector<Candidate> candidates;
};

LimitMeter::LimitMeter(const LimitRequest& request)
    : LimitMeter(ways_of(request), request.threads, request.prepare) {}

LimitMeter::LimitMeter(std::vector<Way> ways, int threads, std::function<void()> prepare)
    : state_(std::make_unique<State>(std::move(ways), threads, std::move(prepare))) {}

LimitMeter::~LimitMeter() = default;
LimitMeter::LimitMeter(LimitMeter&&) noexcept = default;
LimitMeter& LimitMeter::operator=(LimitMeter&&) noexcept = default;

void LimitMeter::sample() {
  const double best_so_far = best();
  for (Candidate& candidate : state_->candidates) {
    if (has_lost(candidate, best_so_far)) continue;
    candidate.best = std::min(candidate.best, state_->pass(candidate));
    ++candidate.passes;
  }
}

double LimitMeter::best() const {
  const Candidate* const best = state_->best();
  return best == nullptr ? std::numeric_limits<double>::infinity() : best->best;
}

std::string LimitMeter::best_name() const {
  const Candidate* const best = state_->best();
  if (best == nullptr) return "";
  return best->way->name + " x" + std::to_string(best->threads);
}

double best_fill_seconds(const LimitRequest& request) {
  LimitMeter meter(request);
  const auto start = Clock::now();
  do {
    meter.sample();
  } while (seconds_since(start) < kBudgetSeconds);
  return meter.best();
}

}  // namespace iotadnn::benchdnn
