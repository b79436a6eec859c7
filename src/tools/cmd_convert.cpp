// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "frontends/benchdnn_json_writer.h"
#include "frontends/files/file.h"
#include "frontends/files/load.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

struct ConvertOptions {
  std::string file;
  std::string output;
  InputOptions inputs;
  bool all = false;
};

// The part of a graph that is compiled; what it reads of the rest are its inputs.
frontends::GraphDesc claimed_part(const models::Plan& plan) {
  std::set<size_t> claimed;
  for (const models::Step& step : plan.steps)
    if (step.is_compiled) claimed.insert(step.nodes.begin(), step.nodes.end());
  frontends::GraphDesc part = plan.graph;
  part.ops.clear();
  part.output_ports.clear();
  for (const frontends::OpDesc& op : plan.graph.ops)
    if (claimed.count(op.id) != 0) part.ops.push_back(op);
  part.input_ports = part.graph_inputs();
  for (const frontends::OpDesc& op : part.ops)
    for (const size_t tensor : op.outputs)
      if (!part.is_consumed(tensor)) part.output_ports.push_back(tensor);
  return part;
}

void convert(const ConvertOptions& options, std::ostream& out) {
  const models::Model model = models::load_model(options.file);
  models::Session session(model);
  const models::Plan& plan = session.plan_for(make_inputs(model, options.inputs));
  const frontends::GraphDesc graph = options.all ? plan.graph : claimed_part(plan);
  if (graph.ops.empty())
    throw models::ModelError("'" + options.file + "' has no op that iotadnn claims" +
                             (options.all ? "" : "; --all writes the others"));
  models::write_file(options.output, frontends::write_benchdnn_json(graph));
  out << options.output << ": " << graph.ops.size() << " ops\n"
      << "replay: benchdnn --graph --expected-n-partitions=0 --case=" << options.output << '\n';
}

}  // namespace

void add_convert(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "convert", "Writes a model, with the shapes of its inputs, as graph JSON of benchdnn.");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("OUT", options->output, "The JSON file")->required();
  command->add_flag("--all", options->all,
                    "Also write ops that iotadnn leaves to the host; the driver replays graphs "
                    "without such");
  add_input_options(*command, options->inputs);
  command->callback([options, streams] { convert(*options, streams.out); });
}

}  // namespace iotadnn::tools
