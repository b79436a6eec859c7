// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "frontends/files/load.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/report.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::string file;
  InputOptions inputs;
  double seconds = 1;  // per way of running
  bool csv = false;
};

// Medians over the runs, in nanoseconds.
struct Times {
  std::string way;
  double whole = 0;
  std::vector<double> steps;
  size_t runs = 0;
  const models::Plan* plan = nullptr;  // the session's
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Times measure(const std::string& way, models::Session& session,
              const std::vector<models::Tensor>& inputs, double seconds) {
  Times times;
  times.way = way;
  std::vector<double> whole;
  std::vector<std::vector<double>> steps;
  session.run(inputs);  // plans, compiles and touches memory
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    session.run(inputs);
    const auto end = Clock::now();
    whole.push_back(std::chrono::duration<double, std::nano>(end - start).count());
    steps.resize(session.step_times().size());
    for (size_t s = 0; s < steps.size(); ++s)
      steps[s].push_back(session.step_times()[s]);
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  times.whole = median(whole);
  times.runs = whole.size();
  for (const auto& step : steps)
    times.steps.push_back(median(step));
  times.plan = &session.plan_for(inputs);
  return times;
}

// What the nodes of a fused step take in another way of running, whose steps are parts of it.
double time_of(const models::Step& fused, const Times& times) {
  double sum = 0;
  for (size_t s = 0; s < times.plan->steps.size(); ++s)
    if (std::find(fused.nodes.begin(), fused.nodes.end(), times.plan->steps[s].nodes.front()) !=
        fused.nodes.end())
      sum += times.steps[s];
  return sum;
}

void print_csv(const models::Model& model, const std::vector<Times>& all, std::ostream& out) {
  out << "what,way,runner,ops,median_ms,runs\n";
  for (const Times& times : all)
    out << "model," << times.way << ",,," << milliseconds(times.whole) << ',' << times.runs << '\n';
  const models::Plan& plan = *all[0].plan;
  for (size_t s = 0; s < plan.steps.size(); ++s)
    for (const Times& times : all)
      out << "step " << s << ',' << times.way << ','
          << (&times == &all[0] ? runner_of(plan.steps[s]) : "") << ','
          << kinds_of(model, plan.steps[s]) << ',' << milliseconds(time_of(plan.steps[s], times))
          << ',' << times.runs << '\n';
}

void print_table(const models::Model& model, const std::vector<Times>& all, std::ostream& out) {
  out << "whole model, median in ms:\n";
  for (const Times& times : all)
    out << "  " << milliseconds(times.whole) << "  " << times.way << " (" << times.runs
        << " runs)\n";
  out << "steps, median in ms, ";
  for (const Times& times : all)
    out << times.way << (&times == &all.back() ? ":\n" : " | ");
  const models::Plan& plan = *all[0].plan;
  for (const models::Step& step : plan.steps) {
    for (const Times& times : all)
      out << "  " << milliseconds(time_of(step, times));
    out << "  " << runner_of(step) << "  " << kinds_of(model, step) << '\n';
  }
}

void bench(const BenchOptions& options, std::ostream& out, std::ostream& err) {
  const models::Model model = models::load_model(options.file);
  const auto inputs = make_inputs(model, options.inputs);
  models::PlanOptions unfused;
  unfused.unfused = true;
  models::PlanOptions reference;
  reference.reference = true;
  models::Session session(model);
  models::Session unfused_session(model, unfused);
  models::Session reference_session(model, reference);
  const bool shows_progress = isatty(STDERR_FILENO) != 0 && !options.csv;
  std::vector<Times> all;
  const auto add = [&](const std::string& way, models::Session& ways) {
    if (shows_progress) err << "\rmeasuring: " << way << "        " << std::flush;
    all.push_back(measure(way, ways, inputs, options.seconds));
  };
  add("fused", session);
  add("unfused", unfused_session);
  add("reference", reference_session);
  if (shows_progress) err << "\r                              \r" << std::flush;
  options.csv ? print_csv(model, all, out) : print_table(model, all, out);
}

}  // namespace

void add_bench(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "bench", "Times a model and its partitions beside the unfused run and the reference.");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("FILE", options->file, "The model")->required();
  add_input_options(*command, options->inputs);
  command->add_option("--seconds", options->seconds, "How long each way of running is repeated")
      ->capture_default_str()
      ->check(number_check(0));
  command->add_flag("--csv", options->csv, "Comma-separated lines, no progress");
  command->callback([options, streams] { bench(*options, streams.out, streams.err); });
}

}  // namespace iotadnn::tools
