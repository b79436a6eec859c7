// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iotadnn::benchdnn {

enum class State {
  untested,
  passed,
  skipped,
  mistrusted,
  unimplemented,
  invalid_arguments,
  failed,
  listed,
  executed,
  initialized,
};

std::string_view name_of(State state);  // "UNTESTED_FAILED" for untested

// Seconds that the phases of a case took, as the last line of a run sums them.
struct PhaseSeconds {
  double create_pd = 0;    // partitioning
  double create_prim = 0;  // compile()
  double fill = 0;
  double execute = 0;
  double compute_ref = 0;
  double compare = 0;
};

// Least, average and greatest time of an execution; zeros when there was none.
struct PerfTimes {
  double min_ms = 0;
  double avg_ms = 0;
  double max_ms = 0;
};

// Of single executions; a stamp covers as many as span 20 us.
struct PerfNumbers : PerfTimes {
  double avg_ticks = 0;  // of the time stamp counter
  int64_t executions = 0;
  int64_t stamps = 0;
  double limit_ms = 0;  // best way of moving what must move; 0 when unknown or not asked for
  std::string limit_name;
  double out_of_place_ms = 0;  // the same into another buffer than the inputs'
  PerfTimes unfused;           // of the same graph, an op at a time
  double read_limit_ms = 0;    // best way of reading as many bytes as the graph's inputs have
  std::string read_limit_name;
  PerfTimes compared;  // of what --compare names
  double compared_ratio =
      0;  // median of the quotients of neighbours, an execution by a compared one
};

struct CaseResult {
  State state = State::untested;
  std::string reason;
  int64_t errors = 0;
  int64_t total = 0;
  double ms = 0;  // the whole case
  PhaseSeconds phases;
  PerfNumbers perf;
  double input_bytes = 0;            // that executions read
  double output_bytes = 0;           // that executions write
  std::optional<double> peak_bytes;  // by which the first execution raises the peak of memory
  std::string impl;  // of the compiled partitions, "jit:avx2", joined by ';' where they differ
  std::string isa;   // in force
  int64_t threads = 1;
  // Of the graph, for the perf template: kinds joined by ';', types and shapes of its ports.
  std::string kinds;
  std::string names;
  std::string input_types;
  std::string output_types;
  std::string output_shapes;
};

}  // namespace iotadnn::benchdnn
