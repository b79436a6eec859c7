// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/compared_graph.h"

#include <algorithm>
#include <map>

#include "benchdnn/errors.h"
#include "benchdnn/rewrite.h"
#include "benchdnn/values.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;

// From ids of one graph to ids of the other.
using Ids = std::map<size_t, size_t>;

struct Counterparts {
  Ids ops;
  Ids tensors;
};

// The op of the same kind that as many of its kind stand before; null when there are fewer.
const OpDesc* partner_of(const OpDesc& op, const GraphDesc& graph, const GraphDesc& compared) {
  const auto same_kind = [&op](const OpDesc& other) { return other.kind == op.kind; };
  auto before = std::count_if(graph.ops.data(), &op, same_kind);
  for (const OpDesc& other : compared.ops)
    if (same_kind(other) && before-- == 0) return &other;
  return nullptr;
}

Counterparts counterparts_of(const GraphDesc& graph, const GraphDesc& compared) {
  Counterparts found;
  const std::vector<size_t> theirs = compared.graph_inputs();
  for (const size_t id : graph.graph_inputs())
    if (std::find(theirs.begin(), theirs.end(), id) != theirs.end()) found.tensors[id] = id;
  for (const OpDesc& op : graph.ops) {
    const OpDesc* const partner = partner_of(op, graph, compared);
    if (partner == nullptr) continue;
    found.ops[op.id] = partner->id;
    for (size_t i = 0; i < std::min(op.outputs.size(), partner->outputs.size()); ++i)
      found.tensors[op.outputs[i]] = partner->outputs[i];
  }
  return found;
}

IdValues renamed(const IdValues& values, const Ids& ids) {
  IdValues result;
  for (const auto& [id, value] : values)
    if (const auto found = ids.find(id); found != ids.end()) result[found->second] = value;
  return result;
}

std::string output_shapes(const GraphDesc& graph) {
  std::string text;
  for (const OpDesc& op : graph.ops) {
    for (const size_t id : op.outputs) {
      if (graph.is_consumed(id)) continue;
      const auto& dims = graph.tensors.at(id).dims;
      text += (text.empty() ? "" : ";") + (dims ? extents_text(*dims) : "?");
    }
  }
  return text;
}

}  // namespace

CaseSettings counterpart(const CaseSettings& settings, const GraphDesc& graph,
                         const GraphDesc& compared) {
  const Counterparts found = counterparts_of(graph, compared);
  CaseSettings result = settings;
  result.expected_n_partitions = 0;
  for (const auto member : {&CaseSettings::op_attrs, &CaseSettings::op_kind})
    result.*member = renamed(settings.*member, found.ops);
  for (const auto member : {&CaseSettings::in_shapes, &CaseSettings::tensor_property,
                            &CaseSettings::tensor_value, &CaseSettings::dt_map})
    result.*member = renamed(settings.*member, found.tensors);
  return result;
}

GraphDesc compared_graph(const std::string& file, GraphDesc compared, const CaseSettings& settings,
                         const GraphDesc& graph, const GraphDesc& rewritten) {
  const std::string what = "--compare=graph:" + file + ": ";
  try {
    rewrite(compared, counterpart(settings, graph, compared));
  } catch (const RewriteError& error) {
    throw RewriteError(what + error.what());
  }
  const std::string theirs = output_shapes(compared);
  const std::string ours = output_shapes(rewritten);
  if (theirs != ours)
    throw RewriteError(what + "its outputs have the shapes " + theirs +
                       ", allowed: those of the case, " + ours);
  return compared;
}

}  // namespace iotadnn::benchdnn
