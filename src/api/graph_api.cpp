// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/check_log.h"
#include "api/convert.h"
#include "api/dump.h"
#include "api/handles.h"
#include "api/settings.h"
#include "ops/op_table.h"
#include "runtime/region_partition.h"

namespace iotadnn::impl {
namespace {

Status create_graph(iotadnn_graph_graph_t* graph, iotadnn_engine_kind_t engine_kind,
                    iotadnn_fpmath_mode_t mode) {
  IOTADNN_REQUIRE(graph);
  IOTADNN_TRY(check_cpu_kind(engine_kind));
  IOTADNN_TRY(check_fpmath_mode(mode));
  *graph = new iotadnn_graph_graph(Graph(raw(engine_kind), raw(mode)));
  return {};
}

Status add_op(Graph& graph, const Op& given) {
  if (graph.finalized())
    return invalid_graph(op_text(given) + " cannot be added: the graph is finalized");
  Op op = given;
  IOTADNN_TRY(check_schema(op));
  return graph.add_op(std::move(op));
}

std::string kind_text(const Op& op) {
  const OpDef* def = find_op(op.kind);
  return def != nullptr ? std::string(def->name) : std::to_string(op.kind);
}

Status filter(iotadnn_graph_graph_t graph, iotadnn_graph_partition_policy_t policy) {
  if (graph == nullptr) return invalid_graph("argument graph is null");
  if (!graph->graph.finalized())
    return invalid_graph("the graph cannot be partitioned before it is finalized");
  IOTADNN_TRY(check_range("the partition policy", policy, iotadnn_graph_partition_policy_fusion,
                          iotadnn_graph_partition_policy_debug, "1 (fusion) and 2 (debug)"));
  decltype(graph->partitions) shared;
  for (Partition& partition :
       make_partitions(graph->graph, static_cast<Policy>(raw(policy)), can_lower_region))
    shared.push_back(std::make_shared<const Partition>(std::move(partition)));
  graph->partitions = std::move(shared);
  dump_graph(graph->graph);
  return {};
}

Status get_partitions(iotadnn_graph_graph_t graph, size_t num,
                      iotadnn_graph_partition_t* partitions) {
  if (graph == nullptr) return invalid_graph("argument graph is null");
  if (num == 0) return invalid_graph("no partitions are asked for");
  IOTADNN_REQUIRE(partitions);
  if (num != graph->partitions.size())
    return invalid_arguments(std::to_string(num) + " partitions are asked for, the graph has " +
                             std::to_string(graph->partitions.size()));
  std::vector<std::unique_ptr<iotadnn_graph_partition>> handles;
  handles.reserve(num);
  for (const auto& partition : graph->partitions)
    handles.push_back(
        std::make_unique<iotadnn_graph_partition>(iotadnn_graph_partition{partition}));
  dump_partitioning(graph->graph, graph->partitions);
  for (size_t i = 0; i < num; ++i)
    partitions[i] = handles[i].release();
  return {};
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

iotadnn_status_t iotadnn_graph_graph_create(iotadnn_graph_graph_t* graph,
                                            iotadnn_engine_kind_t engine_kind) {
  return guarded([&] { return create_graph(graph, engine_kind, default_fpmath_mode()); });
}

iotadnn_status_t iotadnn_graph_graph_create_with_fpmath_mode(iotadnn_graph_graph_t* graph,
                                                             iotadnn_engine_kind_t engine_kind,
                                                             iotadnn_fpmath_mode_t mode) {
  return guarded([&] { return create_graph(graph, engine_kind, mode); });
}

iotadnn_status_t iotadnn_graph_graph_destroy(iotadnn_graph_graph_t graph) {
  delete graph;
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_graph_set_fpmath_mode(iotadnn_graph_graph_t graph,
                                                     iotadnn_fpmath_mode_t mode, int apply_to_int) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    IOTADNN_TRY(check_fpmath_mode(mode));
    if (graph->graph.finalized())
      return invalid_graph("the floating-point math mode of a finalized graph cannot change");
    graph->graph.set_fpmath(raw(mode), apply_to_int != 0);
    return {};
  });
}

iotadnn_status_t iotadnn_graph_graph_get_fpmath_mode(iotadnn_graph_graph_t graph,
                                                     iotadnn_fpmath_mode_t* mode,
                                                     int* apply_to_int) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    if (mode != nullptr) *mode = static_cast<iotadnn_fpmath_mode_t>(graph->graph.fpmath_mode());
    if (apply_to_int != nullptr) *apply_to_int = graph->graph.fpmath_apply_to_int() ? 1 : 0;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_graph_set_math_mode(iotadnn_graph_graph_t graph,
                                                   iotadnn_graph_math_mode_t mode) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    IOTADNN_TRY(check_math_mode(mode));
    if (graph->graph.finalized())
      return invalid_graph("the math mode of a finalized graph cannot change");
    graph->graph.set_math_mode(static_cast<MathMode>(raw(mode)));
    return {};
  });
}

iotadnn_status_t iotadnn_graph_graph_get_math_mode(const_iotadnn_graph_graph_t graph,
                                                   iotadnn_graph_math_mode_t* mode) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    IOTADNN_REQUIRE(mode);
    *mode = static_cast<iotadnn_graph_math_mode_t>(graph->graph.math_mode());
    return {};
  });
}

iotadnn_status_t iotadnn_graph_add_op(iotadnn_graph_graph_t graph, iotadnn_graph_op_t op) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    IOTADNN_REQUIRE(op);
    Status status = add_op(graph->graph, op->op);
    if (status.ok()) return status;
    return log_refusal("add_op," + kind_text(op->op), std::move(status), "src/api/graph_api.cpp",
                       __LINE__);
  });
}

iotadnn_status_t iotadnn_graph_graph_finalize(iotadnn_graph_graph_t graph) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    return graph->graph.finalize();
  });
}

iotadnn_status_t iotadnn_graph_graph_is_finalized(iotadnn_graph_graph_t graph, uint8_t* finalized) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(graph);
    IOTADNN_REQUIRE(finalized);
    *finalized = graph->graph.finalized() ? 1 : 0;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_graph_filter(iotadnn_graph_graph_t graph,
                                            iotadnn_graph_partition_policy_t policy) {
  return guarded([&] { return filter(graph, policy); });
}

iotadnn_status_t iotadnn_graph_graph_get_partition_num(const_iotadnn_graph_graph_t graph,
                                                       size_t* num) {
  return guarded([&]() -> Status {
    if (graph == nullptr) return invalid_graph("argument graph is null");
    IOTADNN_REQUIRE(num);
    *num = graph->partitions.size();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_graph_get_partitions(iotadnn_graph_graph_t graph, size_t num,
                                                    iotadnn_graph_partition_t* partitions) {
  return guarded([&] { return get_partitions(graph, num, partitions); });
}
