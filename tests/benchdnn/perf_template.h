// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "benchdnn/result.h"
#include "benchdnn/settings.h"

namespace iotadnn::benchdnn {

// Tokens stand between percent signs: [modifier][unit]name, where the modifier -, 0 or + asks for
// the minimum (default), average or maximum, and the unit K, M or G divides by 1e3, 1e6 or 1e9.
// Times are in milliseconds, rates per second. All names of oneDNN's templates are known; beyond
// them: limit (percent of the best way of moving what must move, by the time asked for), limit-impl
// (what that way was), outofplace (that way into a buffer apart from the inputs, over the time),
// unfused (time of the graph an op at a time), speedup (that over the time), read-limit (percent of
// the best way of reading as many bytes as the inputs have), compare, onednn (the time by that of
// what --compare names), compare-median (of neighbouring executions), peakmem, isa, threads,
// shapes.
struct PerfLine {
  int64_t index = 0;
  std::string repro;       // %prb%
  std::string case_repro;  // %desc%
};

// UsageError for an unknown token or a percent sign without a partner.
void check_perf_template(const std::string& text);

// "perf,%engine%,%prb%,%-time%" becomes "perf,engine,prb,min_time".
std::string perf_header(const std::string& text);

std::string perf_line(const std::string& text, const PerfLine& line, const CaseSettings& settings,
                      const GlobalSettings& global, const CaseResult& result);

// What a template makes the driver measure beside the executions, or of the first of them.
bool needs_limit(const std::string& text);
bool needs_out_of_place(const std::string& text);
bool needs_read_limit(const std::string& text);
bool needs_peak_memory(const std::string& text);
bool needs_unfused(const std::string& text);

}  // namespace iotadnn::benchdnn
