// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "frontends/files/load.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/report.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

struct Options {
  std::string file;
  InputOptions inputs;
};

void print_ports(const models::Model& model, std::ostream& out) {
  out << "inputs:\n";
  for (const size_t value : model.inputs)
    out << "  " << model.values[value].name << "  " << type_and_shape(model.values[value]) << '\n';
  out << "outputs:\n";
  for (size_t i = 0; i < model.outputs.size(); ++i)
    out << "  " << model.output_names[i] << "  "
        << models::type_text(model.values[model.outputs[i]].type) << '\n';
}

void print_partitions(const models::Model& model, const models::Plan& plan, std::ostream& out) {
  const auto claimed = std::count_if(plan.steps.begin(), plan.steps.end(),
                                     [](const models::Step& step) { return step.is_compiled; });
  out << "partitions (" << claimed << " compiled, "
      << static_cast<std::ptrdiff_t>(plan.steps.size()) - claimed << " nodes interpreted):\n";
  for (size_t s = 0; s < plan.steps.size(); ++s)
    if (plan.steps[s].is_compiled)
      out << "  " << s << "  " << runner_of(plan.steps[s]) << "  " << kinds_of(model, plan.steps[s])
          << '\n';
}

void print_nodes(const models::Model& model, const models::Plan& plan, std::ostream& out) {
  std::map<size_t, std::string> fate;
  for (const size_t n : plan.folded)
    fate[n] = "folded: its result follows from shapes and constants";
  for (const size_t n : plan.unused)
    fate[n] = "left out: nothing reads its data";
  for (size_t s = 0; s < plan.steps.size(); ++s)
    for (const size_t n : plan.steps[s].nodes)
      fate[n] = plan.steps[s].is_compiled ? "claimed: partition " + std::to_string(s)
                                          : "interpreted: " + plan.steps[s].reason;
  out << "nodes:\n";
  for (size_t n = 0; n < model.nodes.size(); ++n) {
    const models::Node& node = model.nodes[n];
    out << "  " << models::label(node) << " (" << node.kind << ")";
    for (const size_t value : node.outputs)
      out << "  " << models::type_text(model.values[value].type)
          << models::shape_text(*plan.dims[value]);
    out << "  " << fate[n] << '\n';
  }
}

void inspect(const Options& options, std::ostream& out) {
  const models::Model model = models::load_model(options.file);
  out << options.file << ": " << model.format << ", " << model.nodes.size() << " nodes\n";
  print_ports(model, out);
  const auto inputs = make_inputs(model, options.inputs);
  out << "planned for:\n";
  for (size_t i = 0; i < inputs.size(); ++i)
    out << "  " << model.values[model.inputs[i]].name << "  "
        << models::shape_text(inputs[i].dims()) << '\n';
  models::Session session(model);
  const models::Plan& plan = session.plan_for(inputs);
  print_partitions(model, plan, out);
  print_nodes(model, plan, out);
}

}  // namespace

void add_inspect(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Shows inputs, outputs and nodes, and what iotadnn claims of them.");
  auto options = std::make_shared<Options>();
  options->inputs.assumed = 64;
  command->add_option("FILE", options->file, "The model")->required();
  add_input_options(*command, options->inputs);
  command->add_option("--assume", options->inputs.assumed, "Stands for extents that are not known")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->callback([options, streams] { inspect(*options, streams.out); });
}

}  // namespace iotadnn::tools
