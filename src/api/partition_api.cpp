// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/check_log.h"
#include "api/convert.h"
#include "api/dump.h"
#include "api/handles.h"
#include "ops/op_table.h"
#include "runtime/region_partition.h"

namespace iotadnn::impl {
namespace {

Status create_with_op(iotadnn_graph_partition_t* partition, const_iotadnn_graph_op_t op,
                      iotadnn_engine_kind_t kind) {
  IOTADNN_REQUIRE(partition);
  IOTADNN_REQUIRE(op);
  IOTADNN_TRY(check_cpu_kind(kind));
  Op copy = op->op;
  IOTADNN_TRY(check_schema(copy));
  Graph graph(raw(kind));
  IOTADNN_TRY(graph.add_op(std::move(copy)));
  IOTADNN_TRY(graph.finalize());
  auto partitions = make_partitions(graph, Policy::fusion, can_lower_region);
  if (partitions.size() != 1) return runtime_error("one op gave no partition of its own");
  *partition =
      new iotadnn_graph_partition{std::make_shared<const Partition>(std::move(partitions.front()))};
  return {};
}

Status compile(iotadnn_graph_partition_t partition,
               iotadnn_graph_compiled_partition_t compiled_partition, size_t in_num,
               const iotadnn_graph_logical_tensor_t** inputs, size_t out_num,
               const iotadnn_graph_logical_tensor_t** outputs, iotadnn_engine_t engine) {
  IOTADNN_REQUIRE(partition);
  IOTADNN_REQUIRE(compiled_partition);
  IOTADNN_REQUIRE(engine);
  const auto ins = to_impl(inputs, in_num, "inputs");
  if (!ins.ok()) return ins.status();
  const auto outs = to_impl(outputs, out_num, "outputs");
  if (!outs.ok()) return outs.status();
  const Partition& p = *partition->partition;
  auto outcome = compile_partition(p, {ins->data(), ins->size()}, {outs->data(), outs->size()});
  if (!outcome.ok()) return outcome.status();
  const CompiledPartition& compiled = *outcome->compiled;
  dump_subgraph(p, compiled.inputs(), compiled.outputs());
  std::vector<iotadnn_graph_inplace_pair_t> pairs;
  for (const InplacePair& pair : compiled.inplace_pairs())
    pairs.push_back({pair.input_id, pair.output_id});
  compiled_partition->compiled = std::move(outcome->compiled);
  compiled_partition->engine = EngineRef(engine);
  compiled_partition->inplace_pairs = std::move(pairs);
  return {};
}

Status check_count(const char* what, size_t given, size_t actual) {
  if (given == actual) return {};
  return invalid_arguments(std::to_string(given) + " " + what +
                           " are asked for, the partition has " + std::to_string(actual));
}

Status copy_ports(const std::vector<LogicalTensor>& ports, const char* what, size_t num,
                  iotadnn_graph_logical_tensor_t* out) {
  IOTADNN_TRY(check_count(what, num, ports.size()));
  if (num == 0) return {};
  if (out == nullptr) return null_argument(what);
  for (size_t i = 0; i < num; ++i)
    out[i] = to_c(ports[i]);
  return {};
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

iotadnn_status_t iotadnn_graph_partition_create_with_op(iotadnn_graph_partition_t* partition,
                                                        const_iotadnn_graph_op_t op,
                                                        iotadnn_engine_kind_t ekind) {
  return guarded([&] { return create_with_op(partition, op, ekind); });
}

iotadnn_status_t iotadnn_graph_partition_destroy(iotadnn_graph_partition_t partition) {
  delete partition;
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_partition_get_op_num(const_iotadnn_graph_partition_t partition,
                                                    size_t* num) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(num);
    *num = partition->partition->ops.size();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_ops(iotadnn_graph_partition_t partition, size_t num,
                                                 size_t* ids) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(ids);
    const auto& ops = partition->partition->ops;
    IOTADNN_TRY(check_count("ops", num, ops.size()));
    for (size_t i = 0; i < num; ++i)
      ids[i] = ops[i].id;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_id(const_iotadnn_graph_partition_t partition,
                                                size_t* id) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(id);
    *id = partition->partition->id;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_compile(
    iotadnn_graph_partition_t partition, iotadnn_graph_compiled_partition_t compiled_partition,
    size_t in_num, const iotadnn_graph_logical_tensor_t** inputs, size_t out_num,
    const iotadnn_graph_logical_tensor_t** outputs, iotadnn_engine_t engine) {
  return guarded([&] {
    return log_refusal(
        "compile", compile(partition, compiled_partition, in_num, inputs, out_num, outputs, engine),
        "src/api/partition_api.cpp", __LINE__);
  });
}

iotadnn_status_t iotadnn_graph_partition_get_input_ports_num(
    const_iotadnn_graph_partition_t partition, size_t* num) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(num);
    *num = partition->partition->inputs.size();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_input_ports(const_iotadnn_graph_partition_t partition,
                                                         size_t num,
                                                         iotadnn_graph_logical_tensor_t* inputs) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    return copy_ports(partition->partition->inputs, "inputs", num, inputs);
  });
}

iotadnn_status_t iotadnn_graph_partition_get_output_ports_num(
    const_iotadnn_graph_partition_t partition, size_t* num) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(num);
    *num = partition->partition->outputs.size();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_output_ports(const_iotadnn_graph_partition_t partition,
                                                          size_t num,
                                                          iotadnn_graph_logical_tensor_t* outputs) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    return copy_ports(partition->partition->outputs, "outputs", num, outputs);
  });
}

iotadnn_status_t iotadnn_graph_partition_is_supported(const_iotadnn_graph_partition_t partition,
                                                      uint8_t* is_supported) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(is_supported);
    *is_supported = partition->partition->supported ? 1 : 0;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_engine_kind(const_iotadnn_graph_partition_t partition,
                                                         iotadnn_engine_kind_t* kind) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(kind);
    *kind = static_cast<iotadnn_engine_kind_t>(partition->partition->engine_kind);
    return {};
  });
}

iotadnn_status_t iotadnn_graph_partition_get_reason(const_iotadnn_graph_partition_t partition,
                                                    const char** reason) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(partition);
    IOTADNN_REQUIRE(reason);
    *reason = partition->partition->reason.c_str();
    return {};
  });
}
