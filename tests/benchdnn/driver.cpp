// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/driver.h"

#include <chrono>
#include <cstdio>

#include "benchdnn/case_run.h"
#include "benchdnn/compared_graph.h"
#include "benchdnn/contract.h"
#include "benchdnn/errors.h"
#include "benchdnn/graph_text.h"
#include "benchdnn/knobs.h"
#include "benchdnn/perf_template.h"
#include "benchdnn/rewrite.h"
#include "frontends/benchdnn_json.h"

namespace iotadnn::benchdnn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxBatchDepth = 32;  // a batch file that names itself ends here

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

frontends::GraphDesc load(const std::string& name, const std::string& path) {
  if (path.empty())
    throw FileError("cannot open file " + name + "\nError: Graph " + name + " is empty.");
  try {
    return frontends::read_benchdnn_json_file(path);
  } catch (const frontends::GraphError& error) {
    throw FileError("Error: Graph " + name + " cannot be read: " + error.what() + ".");
  }
}

}  // namespace

Driver::Driver(const std::string& program_folder) : files_(program_folder) {}

int Driver::run(const std::vector<std::string>& arguments) {
  const auto start = Clock::now();
  if (arguments.empty()) {
    std::fprintf(stderr, "err: no arguments passed\n");
    return 1;
  }
  try {
    for (const std::string& argument : arguments) {
      take_argument(argument);
      if (help_shown_) return 0;
    }
  } catch (const UsageError& error) {
    std::printf("Error: %s\n", error.what());
    return 2;
  } catch (const FileError& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  if (!last_argument_ran_)
    std::fprintf(stderr, "graph driver: WARNING: No problem found for a given option!\n");
  report_.print_summary(settings_.global, seconds_since(start));
  return report_.exit_code();
}

void Driver::take_argument(const std::string& argument) {
  const ParsedKnob parsed = parse_argument(argument);
  last_argument_ran_ = false;
  switch (parsed.knob->action) {
    case KnobAction::set:
      parsed.knob->apply(settings_, parsed.value);
      break;
    case KnobAction::reset:
      settings_.driver = DriverSettings();
      break;
    case KnobAction::choose_driver:
      driver_chosen_ = true;
      break;
    case KnobAction::run_batch:
      run_batch(parsed.value);
      break;
    case KnobAction::run_case:
      run_file(parsed.value);
      last_argument_ran_ = true;
      break;
    case KnobAction::run_contract:
      run_contract(parsed.value);
      last_argument_ran_ = true;
      break;
    case KnobAction::help:
      std::printf("%s", help_text().c_str());
      help_shown_ = true;
      break;
  }
}

void Driver::run_batch(const std::string& name) {
  const std::string path = files_.locate(name);
  if (path.empty()) throw FileError("cannot open file " + name);
  if (settings_.global.verbose >= 50) std::printf("[INFO]: batch file: %s\n", path.c_str());
  if (batch_depth_ >= kMaxBatchDepth)
    throw FileError("Error: batch files are nested more than " + std::to_string(kMaxBatchDepth) +
                    " deep at " + path + ".");
  ++batch_depth_;
  for (const std::string& argument : batch_arguments(read_text_file(path))) {
    take_argument(argument);
    if (help_shown_) break;
  }
  --batch_depth_;
}

void Driver::run_file(const std::string& name) {
  const std::string path = files_.locate(name);
  if (settings_.global.verbose >= 50) std::printf("[INFO]: graph file: %s\n", path.c_str());
  const frontends::GraphDesc graph = load(name, path);
  run_combinations(graph, name, "");
}

// What --compare names, for a case that the mode measures; nullopt where executions have no
// neighbours.
std::optional<frontends::GraphDesc> Driver::load_compared() {
  const GlobalSettings& global = settings_.global;
  if (global.compare.with != Compare::With::graph) return std::nullopt;
  if (!measures(global.mode) && runs_kernels(global.mode))
    throw UsageError("--compare=" + text_of(global.compare) + ": mode " + letter_of(global.mode) +
                     " measures nothing, allowed: modes P, F and S (L and I run nothing).");
  const std::string& name = global.compare.file;
  return load(name, files_.locate(name));
}

void Driver::run_combinations(const frontends::GraphDesc& graph, const std::string& file,
                              const std::string& contract_case) {
  const std::optional<frontends::GraphDesc> compared = load_compared();
  for (CaseSettings settings : combinations(settings_.driver, file)) {
    settings.contract_case = contract_case;
    for (int64_t repeat = 0; repeat < settings_.global.repeats_per_prb; ++repeat)
      run_combination(graph, settings, compared);
  }
}

void Driver::run_contract(const std::string& argument) {
  const size_t mark = argument.rfind('#');
  const std::string file = argument.substr(0, mark);
  const std::string wanted = mark == std::string::npos ? "" : argument.substr(mark + 1);
  const std::string path = files_.locate(file);
  if (path.empty()) throw FileError("cannot open file " + file);
  bool found = false;
  for (const ContractCase& one : read_contract(file, read_text_file(path))) {
    if (!wanted.empty() && one.name != wanted) continue;
    found = true;
    run_combinations(one.graph, file, one.name);
  }
  if (!found)
    throw FileError("Error: Contract " + file + " has no case" +
                    (wanted.empty() ? "s." : " '" + wanted + "'."));
}

void Driver::run_combination(const frontends::GraphDesc& graph, const CaseSettings& settings,
                             const std::optional<frontends::GraphDesc>& compared) {
  const GlobalSettings& global = settings_.global;
  const std::string driver_part = case_repro(settings);
  const std::string repro = global_repro(global) + driver_part;
  const int64_t index = report_.next_index();
  CaseResult result;
  frontends::GraphDesc rewritten = graph;
  std::optional<frontends::GraphDesc> beside;
  bool ready = true;
  try {
    rewrite(rewritten, settings);
    if (compared)
      beside = compared_graph(global.compare.file, *compared, settings, graph, rewritten);
  } catch (const RewriteError& error) {
    std::printf("Error: %s\n", error.what());
    result.reason = "Rewriter failed";
    ready = false;
  }
  if (ready) {
    if (global.verbose >= 7) std::printf("[INFO] Graph dump:\n%s\n", graph_text(rewritten).c_str());
    if (global.verbose >= 1) std::printf("run: %s\n", driver_part.c_str());
    std::fflush(stdout);
    if (global.mode == Mode::list) {
      result.state = State::listed;
    } else if (index < global.start) {
      result.state = State::skipped;
      result.reason = "Skip-start option hit";
    } else {
      result = run_case(rewritten, settings, settings_, beside ? &*beside : nullptr);
    }
  }
  report_.add(result, repro, global);
  if (measures(global.mode)) print_perf_line(result, settings, repro, index);
}

void Driver::print_perf_line(const CaseResult& result, const CaseSettings& settings,
                             const std::string& repro, int64_t index) {
  const std::string& text = settings_.driver.perf_template;
  if (!header_printed_) {
    std::printf("Template entries: %s\n%s\n", text.c_str(), perf_header(text).c_str());
    header_printed_ = true;
  }
  const PerfLine line{index, repro, case_repro(settings)};
  std::printf("%s\n", perf_line(text, line, settings, settings_.global, result).c_str());
  std::fflush(stdout);
}

}  // namespace iotadnn::benchdnn
