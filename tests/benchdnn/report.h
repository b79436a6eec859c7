// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchdnn/result.h"
#include "benchdnn/settings.h"

namespace iotadnn::benchdnn {

// "0:PASSED (1 ms) __REPRO: --graph --case=...", with the reason and the numbers of errors where
// there are some.
std::string case_line(int64_t index, const CaseResult& result, const std::string& repro);

// Counts cases and prints their lines and the summary, in oneDNN's words.
class Report {
 public:
  int64_t next_index() const { return tests_; }

  void add(const CaseResult& result, const std::string& repro, const GlobalSettings& global);

  // Everything after the last case.
  void print_summary(const GlobalSettings& global, double total_seconds) const;

  int exit_code() const { return failed_ > 0 ? 1 : 0; }

 private:
  void count(const CaseResult& result);
  void print_failed_cases() const;
  void print_impl_table() const;
  void print_impl_csv() const;
  void print_totals(const GlobalSettings& global, double total_seconds) const;

  int64_t tests_ = 0;
  int64_t passed_ = 0;
  int64_t skipped_ = 0;
  int64_t mistrusted_ = 0;
  int64_t unimplemented_ = 0;
  int64_t invalid_arguments_ = 0;
  int64_t failed_ = 0;
  int64_t listed_ = 0;
  std::vector<std::string> failed_lines_;
  std::map<std::string, int64_t> impls_;
  PhaseSeconds phases_;
  double min_ms_ = 0;
  double avg_ms_ = 0;
};

}  // namespace iotadnn::benchdnn
