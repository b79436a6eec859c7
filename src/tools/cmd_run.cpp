// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "frontends/files/file.h"
#include "frontends/files/load.h"
#include "frontends/files/npy.h"
#include "frontends/model/compare.h"
#include "frontends/model/error.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/report.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

struct RunOptions {
  std::string file;
  InputOptions inputs;
  std::string output;
  bool check = false;
};

// What fused results may differ by: their math functions have stated errors, and a later op of the
// model may enlarge them.
models::Tolerance tolerance_of(models::DataType type) {
  switch (type) {
    case iotadnn_f64:
      return {1e-11, 1e-12};
    case iotadnn_f16:
      return {4e-3, 1e-4};
    case iotadnn_bf16:
      return {3e-2, 1e-3};
    default:
      return {1e-5, 1e-7};
  }
}

// The outputs' names in files: '/' and the like are no part of a name there.
std::string file_name(const std::string& output) {
  std::string name = output;
  for (char& c : name)
    if (c == '/' || c == '\\' || c == '\0') c = '_';
  if (name.empty() || name[0] == '.') name.insert(name.begin(), '_');
  return name + ".npy";
}

// Before anything is written: two names may come to one in files.
void check_file_names(const models::Model& model) {
  std::map<std::string, std::string> taken;
  for (const std::string& output : model.output_names)
    if (const auto [other, fresh] = taken.emplace(file_name(output), output); !fresh)
      throw models::ModelError("outputs '" + models::printable(other->second) + "' and '" +
                               models::printable(output) + "' would both be written to '" +
                               models::printable(file_name(output)) + "'");
}

void print_times(const models::Model& model, const models::Plan& plan,
                 const std::vector<double>& times, std::ostream& out) {
  double total = 0;
  for (const double time : times)
    total += time;
  out << "steps, in ms (" << milliseconds(total) << " in all):\n";
  for (size_t s = 0; s < plan.steps.size(); ++s)
    out << "  " << milliseconds(times[s]) << "  " << runner_of(plan.steps[s]) << "  "
        << kinds_of(model, plan.steps[s]) << '\n';
}

int run(const RunOptions& options, std::ostream& out, std::ostream& err) {
  const models::Model model = models::load_model(options.file);
  const auto inputs = make_inputs(model, options.inputs);
  models::Session session(model);
  const auto outputs = session.run(inputs);
  const std::vector<double> times = session.step_times();
  if (!options.output.empty()) {
    check_file_names(model);
    std::filesystem::create_directories(options.output);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    out << "output " << models::printable(model.output_names[i]) << ": "
        << models::type_text(outputs[i].type()) << models::shape_text(outputs[i].dims());
    if (!options.output.empty()) {
      const auto path = std::filesystem::path(options.output) / file_name(model.output_names[i]);
      models::write_file(path.string(), models::write_npy(outputs[i]));
      out << " -> " << path.string();
    }
    out << '\n';
  }
  print_times(model, session.plan_for(inputs), times, out);
  if (!options.check) return kSuccess;

  models::PlanOptions reference;
  reference.reference = true;
  const auto wanted = models::Session(model, reference).run(inputs);
  int result = kSuccess;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string problem =
        models::difference(outputs[i], wanted[i], tolerance_of(outputs[i].type()));
    if (problem.empty()) continue;
    err << "iotadnn: output '" << models::printable(model.output_names[i]) << "': " << problem
        << '\n';
    result = kFailed;
  }
  if (result == kSuccess) out << "check: all outputs are those of the reference\n";
  return result;
}

}  // namespace

void add_input_options(CLI::App& command, InputOptions& options) {
  command.add_option("--input", options.given,
                     "NAME=file.npy, NAME=file.pb, or NAME=5x7 for random data of that shape");
  command.add_option("--seed", options.seed, "Of random data")->capture_default_str();
}

void add_run(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand("run", "Runs a model and says where time went.");
  auto options = std::make_shared<RunOptions>();
  command->add_option("FILE", options->file, "The model")->required();
  add_input_options(*command, options->inputs);
  command->add_option("--output", options->output, "A folder for the outputs, as .npy files");
  command->add_flag("--check", options->check, "Compare with the reference interpreter");
  command->callback(
      [options, streams] { streams.result = run(*options, streams.out, streams.err); });
}

}  // namespace iotadnn::tools
