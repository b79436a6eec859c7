// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/measure.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <x86intrin.h>

namespace iotadnn::benchdnn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMinStampSeconds = 20e-6;
constexpr int64_t kMinStamps = 5;  // as in oneDNN, in time mode

// Bringing back what others have pushed out of the caches is little of this, and of the other more
// than page faults and whatever else interrupts a single execution.
constexpr double kLongSeconds = 50e-3;
constexpr double kVeryLongSeconds = 200e-3;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Runner {
 public:
  Runner(std::vector<Launch>& launches, const std::vector<graph::stream>& streams)
      : launches_(launches), streams_(streams) {}

  void execute(int64_t times) {
    for (int64_t i = 0; i < times; ++i) {
      launches_[launch_].execute(streams_[stream_].get());
      if (++launch_ == launches_.size()) launch_ = 0;
      if (++stream_ == streams_.size()) stream_ = 0;
    }
  }

  bool warm_caches() const { return launches_.size() == 1; }

  // The first execution of a set of tensors pays for the page faults of its buffers, in whatever
  // mode: cold caches are meant to be measured, not the operating system.
  void touch_all_sets() {
    if (warm_caches()) return;
    execute(static_cast<int64_t>(launches_.size()));
  }

  // A meter's passes with non-temporal stores have pushed the buffers out of the caches, and one
  // execution does not bring all of them back: goes on as long as each is faster than the last.
  // Long executions bring back what they need, in little of their time.
  void warm_up() {
    constexpr int kMost = 8;
    constexpr double kStillImproving = 0.97;
    if (long_) return;
    double last = std::numeric_limits<double>::max();
    for (int i = 0; i < kMost; ++i) {
      const auto start = Clock::now();
      execute(1);
      const double seconds = seconds_since(start);
      if (seconds > last * kStillImproving) return;
      last = seconds;
    }
  }

  // Executions that span a stamp; also the warm-up. A first long one may be a page fault: only what
  // is long twice in a row counts, or so long that it is more than that.
  int64_t find_batch() {
    int64_t batch = 1;
    double last = std::numeric_limits<double>::max();
    for (int long_ones = 0; long_ones < 2;) {
      const auto start = Clock::now();
      execute(batch);
      const double seconds = seconds_since(start);
      const bool is_long = seconds >= kMinStampSeconds;
      long_ = batch == 1 && std::min(seconds, last) >= kLongSeconds;
      if (long_ && seconds >= kVeryLongSeconds) break;
      last = seconds;
      long_ones = is_long ? long_ones + 1 : 0;
      if (!is_long) batch *= 2;
    }
    return batch;
  }

 private:
  std::vector<Launch>& launches_;
  const std::vector<graph::stream>& streams_;
  size_t launch_ = 0;
  size_t stream_ = 0;
  bool long_ = false;
};

class Numbers {
 public:
  void add(double seconds, uint64_t ticks, int64_t executions) {
    const double ms = 1e3 * seconds / static_cast<double>(executions);
    last_ms_ = ms;
    numbers_.min_ms = numbers_.stamps == 0 ? ms : std::min(numbers_.min_ms, ms);
    numbers_.max_ms = std::max(numbers_.max_ms, ms);
    numbers_.executions += executions;
    ++numbers_.stamps;
    total_seconds_ += seconds;
    total_ticks_ += static_cast<double>(ticks);
  }

  PerfNumbers finish() {
    const auto executions = static_cast<double>(std::max<int64_t>(numbers_.executions, 1));
    numbers_.avg_ms = 1e3 * total_seconds_ / executions;
    numbers_.avg_ticks = total_ticks_ / executions;
    return numbers_;
  }

  const PerfNumbers& so_far() const { return numbers_; }

  // Of an execution, in the latest stamp.
  double last_ms() const { return last_ms_; }

 private:
  PerfNumbers numbers_;
  double total_seconds_ = 0;
  double total_ticks_ = 0;
  double last_ms_ = 0;
};

// The executions of a case, of its unfused form, or of what it is compared with.
class Measured {
 public:
  Measured(std::vector<Launch>& launches, const std::vector<graph::stream>& streams)
      : runner_(launches, streams) {
    runner_.touch_all_sets();
  }

  void find_batch() { batch_ = runner_.find_batch(); }

  // One stamp, of at most so many executions.
  void stamp(bool warm_up, int64_t most) {
    const int64_t executions = std::min(batch_, most);
    if (warm_up && runner_.warm_caches()) runner_.warm_up();
    const auto start = Clock::now();
    const uint64_t ticks = __rdtsc();
    runner_.execute(executions);
    const uint64_t end_ticks = __rdtsc();
    numbers_.add(seconds_since(start), end_ticks - ticks, executions);
  }

  Numbers& numbers() { return numbers_; }

 private:
  Runner runner_;
  Numbers numbers_;
  int64_t batch_ = 1;
};

void report_meters(const Meters& meters, PerfNumbers& numbers) {
  for (const PurposefulMeter& one : meters) {
    const double ms = 1e3 * one.meter.best();
    if (one.out_of_place) numbers.out_of_place_ms += ms;
    if (one.reading) {
      numbers.read_limit_ms = ms;
      numbers.read_limit_name = one.meter.best_name();
    }
    if (!one.limit) continue;
    numbers.limit_ms += ms;
    numbers.limit_name += (numbers.limit_name.empty() ? "" : ";") + one.meter.best_name();
  }
}

// 0 of nothing.
double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  const size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

}  // namespace

Launch::Launch(const std::vector<PartitionRun>& runs) {
  for (const PartitionRun& run : runs) {
    One one;
    one.compiled = run.compiled;
    one.input_tensors = run.input_tensors;
    one.output_tensors = run.output_tensors;
    for (const graph::tensor& tensor : one.input_tensors)
      one.inputs.push_back(tensor.get());
    for (const graph::tensor& tensor : one.output_tensors)
      one.outputs.push_back(tensor.get());
    ones_.push_back(std::move(one));
  }
}

void Launch::execute(iotadnn_stream_t stream) {
  for (One& one : ones_) {
    const iotadnn_status_t status = iotadnn_graph_compiled_partition_execute(
        one.compiled.get(), stream, one.inputs.size(), one.inputs.data(), one.outputs.size(),
        one.outputs.data());
    error::wrap_c_api(status, "could not execute the compiled_partition");
  }
  if (other_) other_();
}

PerfNumbers measure(std::vector<Launch>& launches, const std::vector<graph::stream>& streams,
                    Rivals& rivals, const GlobalSettings& global) {
  Measured measured(launches, streams);
  std::optional<Measured> unfused;
  std::optional<Measured> compared;
  if (!rivals.unfused.empty()) unfused.emplace(rivals.unfused, streams);
  if (!rivals.compared.empty()) compared.emplace(rivals.compared, streams);
  if (global.mode != Mode::simulation) {
    measured.find_batch();
    if (unfused) unfused->find_batch();
    if (compared) compared->find_batch();
  }
  std::vector<double> ratios;
  const int64_t wanted = global.fix_times_per_prb;
  const auto start = Clock::now();
  while (true) {
    const PerfNumbers& so_far = measured.numbers().so_far();
    measured.stamp(rivals.any(), wanted > 0 ? wanted - so_far.executions : INT64_MAX);
    for (PurposefulMeter& one : rivals.meters)
      one.meter.sample();
    if (unfused) unfused->stamp(true, INT64_MAX);
    if (compared) {
      compared->stamp(true, INT64_MAX);
      ratios.push_back(measured.numbers().last_ms() / compared->numbers().last_ms());
    }
    if (wanted > 0 && so_far.executions >= wanted) break;
    if (wanted == 0 && so_far.stamps >= kMinStamps &&
        1e3 * seconds_since(start) >= global.max_ms_per_prb)
      break;
  }
  PerfNumbers result = measured.numbers().finish();
  report_meters(rivals.meters, result);
  if (unfused) result.unfused = unfused->numbers().finish();
  if (compared) result.compared = compared->numbers().finish();
  result.compared_ratio = median(ratios);
  return result;
}

}  // namespace iotadnn::benchdnn
