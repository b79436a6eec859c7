// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "iotadnn/iotadnn_types.h"

// The limit behind %limit%: how fast this machine stores a given kind of content into a given
// buffer (doc/performance.md). It never runs code of the library.
namespace iotadnn::benchdnn {

// What is stored decides how fast it can go: lines of zeros are cheaper than other lines in DRAM.
//   constant  one value everywhere (most of an identity: zero). Candidates: plain stores,
//             non-temporal stores, memset, `rep stos`
//   ramp      content that differs from element to element (an index along the last axis, many
//             small identities). Candidates: plain and non-temporal stores of computed words,
//             `rep movs` from templates of 16 and of 128 KiB
//   copy      from `source`. Candidates: plain and non-temporal copies, `rep movs`
enum class Content { constant, ramp, copy };

struct LimitRequest {
  void* buffer = nullptr;  // the buffer that the measured runs write; its content is overwritten
  int64_t bytes = 0;       // to be stored per fill, > 0
  Content content = Content::constant;
  uint64_t value = 0;            // constant: the 8-byte pattern; 0 stores zeros
  const void* source = nullptr;  // copy: `bytes` readable bytes that do not overlap the buffer
  iotadnn_cpu_isa_t isa = iotadnn_cpu_isa_default;  // widest stores to use (reference: portable)
  // 1..threads are tried (beyond 4 the powers of two and `threads`), OpenMP, and the best counts.
  int threads = 1;
  // Called before every timed pass when set, for cold caches; a pass is then a single fill.
  std::function<void()> prepare;
};

// One way of doing the work whose limit is asked for.
struct Way {
  std::string name;
  std::function<void(int threads)> run;  // once, with a team of this size
};

// Times the candidates of one request, a little at a time, so that its passes can be interleaved
// with the runs they are compared with. Not thread safe.
class LimitMeter {
 public:
  explicit LimitMeter(const LimitRequest& request);

  // Candidates are all ways on 1..threads; `prepare` as in LimitRequest.
  LimitMeter(std::vector<Way> ways, int threads, std::function<void()> prepare);

  ~LimitMeter();
  LimitMeter(LimitMeter&&) noexcept;
  LimitMeter& operator=(LimitMeter&&) noexcept;

  // One timed pass of each candidate that can still win (after five passes those twice as slow as
  // the best are out; of long passes two are enough). Unless `prepare` is set, a pass repeats the
  // fill, 20 us or more at a time, as long as it becomes faster: a candidate must not suffer from
  // the state in which the one before it left the caches. Runs that are timed between samples need
  // the same care.
  void sample();

  // Seconds of one fill by the best candidate so far; infinity before the first sample().
  double best() const;

  // The best candidate so far, as in "nontemporal x2" (stores and threads); empty before sample().
  std::string best_name() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// sample() for about 50 ms on a meter of its own, then best().
double best_fill_seconds(const LimitRequest& request);

}  // namespace iotadnn::benchdnn
