// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/report.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace iotadnn::benchdnn {
namespace {

constexpr size_t kShownFailures = 10;

bool is_failure(State state) {
  switch (state) {
    case State::untested:
    case State::unimplemented:
    case State::invalid_arguments:
    case State::failed:
      return true;
    case State::passed:
    case State::skipped:
    case State::mistrusted:
    case State::listed:
    case State::executed:
    case State::initialized:
      return false;
  }
  return true;
}

// Most frequent first.
std::vector<std::pair<int64_t, std::string>> by_count(const std::map<std::string, int64_t>& impls) {
  std::vector<std::pair<int64_t, std::string>> rows;
  for (const auto& [impl, count] : impls)
    rows.emplace_back(count, impl);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return rows;
}

void print_phase(const char* name, double seconds, double total) {
  std::printf(" %s: %.2fs (%.0f%%);", name, seconds, total > 0 ? 100 * seconds / total : 0.0);
}

}  // namespace

std::string_view name_of(State state) {
  switch (state) {
    case State::untested:
      return "UNTESTED_FAILED";
    case State::passed:
      return "PASSED";
    case State::skipped:
      return "SKIPPED";
    case State::mistrusted:
      return "MISTRUSTED";
    case State::unimplemented:
      return "UNIMPLEMENTED";
    case State::invalid_arguments:
      return "INVALID_ARGUMENTS";
    case State::failed:
      return "FAILED";
    case State::listed:
      return "LISTED";
    case State::executed:
      return "EXECUTED";
    case State::initialized:
      return "INITIALIZED";
  }
  return "UNTESTED_FAILED";
}

std::string case_line(int64_t index, const CaseResult& result, const std::string& repro) {
  std::string line = std::to_string(index) + ":" + std::string(name_of(result.state));
  if (!result.reason.empty()) line += " (" + result.reason + ")";
  if (result.errors > 0)
    line += " (errors:" + std::to_string(result.errors) + " total:" + std::to_string(result.total) +
            ")";
  return line + " (" + std::to_string(std::lround(result.ms)) + " ms) __REPRO: " + repro;
}

void Report::add(const CaseResult& result, const std::string& repro, const GlobalSettings& global) {
  const std::string line = case_line(tests_, result, repro);
  if (result.state != State::executed || global.mode == Mode::run)
    std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  if (is_failure(result.state)) failed_lines_.push_back(line);
  count(result);
}

void Report::count(const CaseResult& result) {
  ++tests_;
  if (is_failure(result.state)) ++failed_;
  switch (result.state) {
    case State::passed:
    case State::executed:
    case State::initialized:
      ++passed_;
      break;
    case State::skipped:
      ++skipped_;
      break;
    case State::mistrusted:
      ++mistrusted_;
      break;
    case State::unimplemented:
      ++unimplemented_;
      break;
    case State::invalid_arguments:
      ++invalid_arguments_;
      break;
    case State::listed:
      ++listed_;
      break;
    case State::untested:
    case State::failed:
      break;
  }
  if (!result.impl.empty()) ++impls_[result.impl];
  phases_.create_pd += result.phases.create_pd;
  phases_.create_prim += result.phases.create_prim;
  phases_.fill += result.phases.fill;
  phases_.execute += result.phases.execute;
  phases_.compute_ref += result.phases.compute_ref;
  phases_.compare += result.phases.compare;
  min_ms_ += result.perf.min_ms;
  avg_ms_ += result.perf.avg_ms;
}

void Report::print_summary(const GlobalSettings& global, double total_seconds) const {
  if (global.summary.impl) print_impl_table();
  if (global.summary.impl_csv) print_impl_csv();
  if (global.summary.failures && !measures(global.mode)) print_failed_cases();
  std::printf("tests:%" PRId64 " passed:%" PRId64 " skipped:%" PRId64 " mistrusted:%" PRId64
              " unimplemented:%" PRId64 " invalid_arguments:%" PRId64 " failed:%" PRId64
              " listed:%" PRId64 "\n",
              tests_, passed_, skipped_, mistrusted_, unimplemented_, invalid_arguments_, failed_,
              listed_);
  if (measures(global.mode)) std::printf("total perf: min(ms):%g avg(ms):%g\n", min_ms_, avg_ms_);
  print_totals(global, total_seconds);
}

void Report::print_failed_cases() const {
  if (failed_lines_.empty()) return;
  std::printf(
      "===========================================================\n"
      "= Failed cases summary (--summary=no-failures to disable) =\n"
      "===========================================================\n");
  const size_t shown = std::min(failed_lines_.size(), kShownFailures);
  for (size_t i = 0; i < shown; ++i)
    std::printf("%s\n", failed_lines_[i].c_str());
  if (failed_lines_.size() > shown)
    std::printf("(... %zu more cases ...)\n", failed_lines_.size() - shown);
  std::printf("============================\n");
}

void Report::print_impl_table() const {
  if (impls_.empty()) return;
  const std::string title = "= Implementation statistics (--summary=no-impl to disable) ";
  int64_t total = 0;
  size_t widest = 0;
  for (const auto& [impl, count] : impls_) {
    total += count;
    widest = std::max(widest, impl.size());
  }
  std::vector<std::string> rows;
  size_t width = title.size() + 1;
  for (const auto& [count, impl] : by_count(impls_)) {
    const auto percent = std::lround(100 * static_cast<double>(count) / static_cast<double>(total));
    rows.push_back("| " + std::string(widest - impl.size(), ' ') + impl + " : " +
                   std::to_string(count) + " (" + std::to_string(percent) + "%)");
    width = std::max(width, rows.back().size() + 2);
  }
  const std::string rule(width, '=');
  std::printf("%s\n%s%s=\n%s\n", rule.c_str(), title.c_str(),
              std::string(width - title.size() - 1, ' ').c_str(), rule.c_str());
  for (const std::string& row : rows)
    std::printf("%s%s |\n", row.c_str(), std::string(width - row.size() - 2, ' ').c_str());
  std::printf("%s\n", rule.c_str());
}

void Report::print_impl_csv() const {
  if (impls_.empty()) return;
  std::printf("benchdnn_summary,impl_names");
  for (const auto& [count, impl] : by_count(impls_))
    std::printf(",%s:%" PRId64, impl.c_str(), count);
  std::printf("\n");
}

void Report::print_totals(const GlobalSettings& global, double total_seconds) const {
  std::printf("total: %.2fs;", total_seconds);
  if (global.mode != Mode::list) {
    print_phase("create_pd", phases_.create_pd, total_seconds);
    print_phase("create_prim", phases_.create_prim, total_seconds);
  }
  if (runs_kernels(global.mode)) {
    print_phase("fill", phases_.fill, total_seconds);
    print_phase("execute", phases_.execute, total_seconds);
  }
  if (global.mode == Mode::correctness || global.mode == Mode::bitwise) {
    print_phase("compute_ref", phases_.compute_ref, total_seconds);
    print_phase("compare", phases_.compare, total_seconds);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace iotadnn::benchdnn
