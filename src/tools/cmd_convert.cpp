// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "frontends/benchdnn_json_writer.h"
#include "frontends/files/file.h"
#include "frontends/files/load.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

struct Options {
  std::string file;
  std::string output;
  InputOptions inputs;
};

void convert(const Options& options, std::ostream& out) {
  const models::Model model = models::load_model(options.file);
  models::Session session(model);
  const models::Plan& plan = session.plan_for(make_inputs(model, options.inputs));
  if (plan.graph.ops.empty())
    throw models::ModelError("all of '" + options.file +
                             "' follows from constants and shapes: there is no op to write");
  models::write_file(options.output, frontends::write_benchdnn_json(plan.graph));
  out << options.output << ": " << plan.graph.ops.size() << " ops, " << plan.host.size()
      << " of them Wildcard\n";
}

}  // namespace

void add_convert(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "convert", "Writes a model, with the shapes of its inputs, as graph JSON of benchdnn.");
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("OUT", options->output, "The JSON file")->required();
  add_input_options(*command, options->inputs);
  command->callback([options, streams] { convert(*options, streams.out); });
}

}  // namespace iotadnn::tools
