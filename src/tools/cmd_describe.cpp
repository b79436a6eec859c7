// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "iotadnn/debug.h"
#include "iotadnn/graph.h"

#include "frontends/model/error.h"
#include "frontends/names.h"
#include "tools/command.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

// Kinds have oneDNN's numbers, then ours from 0x1000 on, without gaps.
constexpr int kFirstOwn = 0x1000;

void add_contracts(int first, std::vector<std::string>& contracts) {
  for (int number = first;; ++number) {
    const auto kind = static_cast<iotadnn_graph_op_kind_t>(number);
    if (frontends::name_of(kind) == "unknown") return;
    if (const char* text = iotadnn_op_contract(kind)) contracts.emplace_back(text);
  }
}

void describe_all(std::ostream& out) {
  std::vector<std::string> contracts;
  add_contracts(0, contracts);
  add_contracts(kFirstOwn, contracts);
  out << "[\n";
  for (size_t i = 0; i < contracts.size(); ++i)
    out << contracts[i] << (i + 1 < contracts.size() ? ",\n" : "\n");
  out << "]\n";
}

void describe_one(const std::string& name, std::ostream& out) {
  const auto kind = frontends::op_kind_from_name(name);
  if (!kind) throw UsageError("there is no op '" + name + "'");
  const char* text = iotadnn_op_contract(*kind);
  if (text == nullptr) throw models::ModelError(iotadnn_get_last_error());
  out << text << '\n';
}

}  // namespace

void add_describe(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "describe", "Prints what an op takes and gives as JSON: types, attributes, shape rule.");
  auto name = std::make_shared<std::string>();
  command->add_option("OP", *name, "The op, such as EyeLike (without: all that iotadnn computes)");
  command->callback([name, streams] {
    if (name->empty())
      describe_all(streams.out);
    else
      describe_one(*name, streams.out);
  });
}

}  // namespace iotadnn::tools
