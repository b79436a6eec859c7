// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchdnn/input_files.h"
#include "benchdnn/report.h"
#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// benchdnn's state machine: arguments from left to right change settings or run cases at once.
class Driver {
 public:
  explicit Driver(const std::string& program_folder);

  // Exit code: 0, 1 when cases failed or a file cannot be used, 2 for what cannot be parsed. Prints
  // everything, the summary included.
  int run(const std::vector<std::string>& arguments);

 private:
  void take_argument(const std::string& argument);
  void run_batch(const std::string& name);
  void run_file(const std::string& name);
  void run_contract(const std::string& argument);
  // Under all settings that the knobs have for this file.
  void run_combinations(const frontends::GraphDesc& graph, const std::string& file,
                        const std::string& contract_case);
  void run_combination(const frontends::GraphDesc& graph, const CaseSettings& settings,
                       const std::optional<frontends::GraphDesc>& compared);
  std::optional<frontends::GraphDesc> load_compared();
  void print_perf_line(const CaseResult& result, const CaseSettings& settings,
                       const std::string& repro, int64_t index);

  InputFiles files_;
  Settings settings_;
  Report report_;
  int batch_depth_ = 0;
  bool help_shown_ = false;
  bool driver_chosen_ = false;
  bool last_argument_ran_ = false;
  bool header_printed_ = false;
};

}  // namespace iotadnn::benchdnn
