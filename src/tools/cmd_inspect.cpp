// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "frontends/files/file.h"
#include "frontends/files/load.h"
#include "frontends/model/session.h"
#include "tools/command.h"
#include "tools/fate.h"
#include "tools/html_page.h"
#include "tools/inputs.h"
#include "tools/partition_text.h"
#include "tools/report.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

struct InspectOptions {
  std::string file;
  InputOptions inputs;
  bool program = false;
  bool listing = false;
  std::optional<std::string> html;  // where the page goes
};

void print_ports(const models::Model& model, std::ostream& out) {
  out << "inputs:\n";
  for (const size_t value : model.inputs)
    out << "  " << models::printable(model.values[value].name) << "  "
        << type_and_shape(model.values[value]) << '\n';
  out << "outputs:\n";
  for (size_t i = 0; i < model.outputs.size(); ++i)
    out << "  " << models::printable(model.output_names[i]) << "  "
        << type_and_shape(model.values[model.outputs[i]]) << '\n';
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

// The ops [first, last) that one node of the file was made into.
void print_node(const models::Model& model, const models::Plan& plan,
                const std::vector<Fate>& fates, size_t first, size_t last, std::ostream& out) {
  const models::Node& node = model.nodes[first];
  out << "  " << models::label(node) << " (" << models::printable(node.kind) << ")";
  std::vector<std::pair<std::string, size_t>> texts;  // and how many ops have it
  for (size_t n = first; n < last; ++n) {
    for (const size_t value : model.nodes[n].outputs)
      if (n + 1 == last || !model.values[value].name.empty())
        out << "  " << models::type_text(model.values[value].type)
            << models::shape_text(*plan.dims[value]);
    const std::string text = text_of(fates[n]);
    const auto same = std::find_if(texts.begin(), texts.end(),
                                   [&text](const auto& known) { return known.first == text; });
    if (same == texts.end())
      texts.emplace_back(text, 1);
    else
      ++same->second;
  }
  for (const auto& [text, ops] : texts) {
    out << (text == texts.front().first ? "  " : "; ") << text;
    if (texts.size() > 1) out << " (" << ops << " of " << last - first << " ops)";
  }
  out << '\n';
}

void print_nodes(const models::Model& model, const models::Plan& plan, std::ostream& out) {
  const std::vector<Fate> fates = fates_of(model, plan);
  out << "nodes:\n";
  for (size_t first = 0; first < model.nodes.size();) {
    size_t last = first;
    while (last < model.nodes.size() && model.nodes[last].number == model.nodes[first].number)
      ++last;
    print_node(model, plan, fates, first, last, out);
    first = last;
  }
}

// Of the file.
size_t count_nodes(const models::Model& model) {
  size_t count = 0;
  for (size_t n = 0; n < model.nodes.size(); ++n)
    if (n == 0 || model.nodes[n].number != model.nodes[n - 1].number) ++count;
  return count;
}

void print_indented(const std::string& text, std::ostream& out) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out << "  " << line << '\n';
}

void print_kernels(const PartitionText& partition, std::ostream& out) {
  if (!partition.no_kernel.empty()) out << "  " << partition.no_kernel << '\n';
  for (const KernelText& kernel : partition.kernels) {
    out << "  " << kernel.heading << '\n';
    if (kernel.first_step == partition.step)
      print_indented(kernel.listing, out);
    else
      out << "  the code of partition " << kernel.first_step << '\n';
  }
}

void print_code(const std::vector<PartitionText>& partitions, const InspectOptions& options,
                std::ostream& out) {
  if (partitions.empty())
    out << (options.program ? "no row programs" : "no machine code")
        << ": no partition is compiled\n";
  for (const PartitionText& partition : partitions) {
    out << "partition " << partition.step << ", " << partition.runner << ": " << partition.kinds
        << '\n';
    if (options.program) print_indented(partition.program, out);
    if (options.listing) print_kernels(partition, out);
  }
}

void write_html(const models::Model& model, const models::Plan& plan,
                const std::vector<PartitionText>& partitions, const InspectOptions& options,
                std::ostream& out) {
  const std::string title = std::filesystem::path(options.file).filename().string();
  models::write_file(*options.html, html_page(title, model, plan, partitions));
  out << "page: " << *options.html << '\n';
}

void inspect(const InspectOptions& options, std::ostream& out) {
  const models::Model model = models::load_model(options.file);
  out << options.file << ": " << model.format << ", " << count_nodes(model) << " nodes\n";
  print_ports(model, out);
  const auto inputs = make_inputs(model, options.inputs);
  out << "planned for:\n";
  for (size_t i = 0; i < inputs.size(); ++i)
    out << "  " << models::printable(model.values[model.inputs[i]].name) << "  "
        << models::shape_text(inputs[i].dims()) << '\n';
  models::Session session(model);
  const models::Plan& plan = session.plan_for(inputs);
  print_partitions(model, plan, out);
  print_nodes(model, plan, out);
  if (!options.program && !options.listing && !options.html) return;
  const auto partitions = partition_texts(model, plan, options.listing);
  if (options.program || options.listing) print_code(partitions, options, out);
  if (options.html) write_html(model, plan, partitions, options, out);
}

}  // namespace

void add_inspect(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Shows inputs, outputs and nodes, and what iotadnn claims of them.");
  auto options = std::make_shared<InspectOptions>();
  options->inputs.assumed = 64;
  command->add_option("FILE", options->file, "The model")->required();
  add_input_options(*command, options->inputs);
  command->add_option("--assume", options->inputs.assumed, "Stands for extents that are not known")
      ->capture_default_str()
      ->check(number_check(1));
  command->add_flag("--program", options->program, "Also print the row programs of partitions");
  command->add_flag("--asm", options->listing,
                    "Also list the machine code of partitions (needs objdump)");
  command->add_option("--html", options->html,
                      "Also write a page with the graph, partitions and programs; with --asm, "
                      "listings too");
  command->callback([options, streams] { inspect(*options, streams.out); });
}

}  // namespace iotadnn::tools
