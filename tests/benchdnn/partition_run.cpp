// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/partition_run.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <set>

#include "benchdnn/attention_fill.h"
#include "benchdnn/attention_stats.h"
#include "benchdnn/errors.h"
#include "benchdnn/input_files.h"
#include "benchdnn/reference_run.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using graph::logical_tensor;
using KnownTensors = std::map<size_t, logical_tensor>;

bool is_single_end(const GraphDesc& graph, const graph::partition& partition) {
  const std::vector<size_t> ops = partition.get_ops();
  if (ops.size() != 1) return false;
  return std::any_of(graph.ops.begin(), graph.ops.end(), [&ops](const frontends::OpDesc& op) {
    return op.id == ops[0] && op.kind == iotadnn_graph_op_end;
  });
}

bool has_unknown(const logical_tensor& lt) {
  const auto& data = lt.get();
  if (data.ndims < 0) return true;
  return std::any_of(data.dims, data.dims + data.ndims, [](int64_t extent) { return extent < 0; });
}

logical_tensor with_layout_any(const logical_tensor& lt) {
  return {lt.get_id(), lt.get_data_type(), lt.get_dims(), logical_tensor::layout_type::any,
          lt.get_property_type()};
}

void compile_run(PartitionRun& run, const graph::engine& engine) {
  run.compiled = run.partition.compile(run.inputs, run.outputs, engine);
}

// After compile: what the library says about the outputs, for those who read them.
void learn_outputs(PartitionRun& run, KnownTensors& known) {
  for (logical_tensor& lt : run.outputs) {
    lt = run.compiled.query_logical_tensor(lt.get_id());
    known[lt.get_id()] = lt;
  }
}

void load_buffer_file(const std::string& prefix, size_t id, TensorMemory& memory) {
  const std::string path = prefix + "." + std::to_string(id) + ".bin";
  std::string bytes;
  try {
    bytes = read_text_file(path);
  } catch (const FileError&) {
    return;  // files are needed for those inputs only that have one
  }
  if (bytes.size() != memory.bytes())
    throw RewriteError("--buffer-prefix: " + path + " has " + std::to_string(bytes.size()) +
                       " bytes, tensor " + std::to_string(id) + " has " +
                       std::to_string(memory.bytes()));
  std::memcpy(memory.data(), bytes.data(), bytes.size());
}

std::shared_ptr<TensorMemory> new_memory(const logical_tensor& lt, bool guarded) {
  auto memory = std::make_shared<TensorMemory>(lt.get_mem_size());
  if (guarded) memory->fill_canaries();
  return memory;
}

graph::tensor host_scalar(const frontends::TensorDesc& desc, const logical_tensor& lt) {
  unsigned char bytes[8] = {};
  if (desc.value) write_value(desc, bytes);
  return graph::tensor::make_scalar_tensor(lt, bytes);
}

// False for an input without a role in attention.
bool fill_by_role(const GraphDesc& graph, const logical_tensor& lt, TensorMemory& memory,
                  const graph::engine& engine, const MemoryOptions& options) {
  if (options.attention == nullptr) return false;
  const auto& roles = options.attention->roles().inputs;
  const auto found = roles.find(lt.get_id());
  if (found == roles.end()) return false;
  if (found->second.role == Role::stats)
    fill_stats(graph, found->second.reader, lt, memory, engine, options);
  else
    options.attention->fill(lt.get_id(), view_of(lt, memory.data()));
  return true;
}

graph::tensor input_tensor(const GraphDesc& graph, const logical_tensor& lt, Memories& memories,
                           const graph::engine& engine, const MemoryOptions& options) {
  const frontends::TensorDesc& desc = graph.tensors.at(lt.get_id());
  if (lt.get_property_type() == logical_tensor::property_type::host_scalar)
    return host_scalar(desc, lt);
  std::shared_ptr<TensorMemory>& memory = memories[lt.get_id()];
  if (!memory) {
    memory = new_memory(lt, options.guarded);
    if (desc.value)
      write_value(desc, memory->data());
    else if (!fill_by_role(graph, lt, *memory, engine, options) && reads_data(graph))
      fill_input(desc, *memory, options.specials);
    if (!options.buffer_prefix.empty())
      load_buffer_file(options.buffer_prefix, lt.get_id(), *memory);
  }
  return {lt, engine, memory->data()};
}

graph::tensor output_tensor(PartitionRun& run, const logical_tensor& lt, Memories& memories,
                            const graph::engine& engine, const MemoryOptions& options) {
  std::shared_ptr<TensorMemory>& memory = memories[lt.get_id()];
  for (const auto& [input, output] : run.compiled.get_inplace_ports()) {
    if (!options.inplace || output != lt.get_id() || memories.count(input) == 0) continue;
    if (memories[input]->bytes() != lt.get_mem_size()) continue;
    memory = memories[input];
    run.inplace.emplace_back(input, output);
    break;
  }
  if (!memory) memory = new_memory(lt, options.guarded);
  return {lt, engine, memory->data()};
}

}  // namespace

std::vector<PartitionRun> compile_partitions(const GraphDesc& graph,
                                             const std::vector<graph::partition>& partitions,
                                             const graph::engine& engine, bool choose_layouts,
                                             bool parallel) {
  std::vector<PartitionRun> runs;
  std::set<size_t> read_by_partitions;
  for (const graph::partition& partition : partitions) {
    if (is_single_end(graph, partition)) continue;
    PartitionRun run;
    run.partition = partition;
    run.inputs = partition.get_input_ports();
    run.outputs = partition.get_output_ports();
    for (const logical_tensor& lt : run.inputs)
      read_by_partitions.insert(lt.get_id());
    runs.push_back(std::move(run));
  }
  const bool alone =
      read_by_partitions.empty() ||
      std::none_of(runs.begin(), runs.end(), [&](const PartitionRun& run) {
        return std::any_of(run.outputs.begin(), run.outputs.end(), [&](const logical_tensor& lt) {
          return read_by_partitions.count(lt.get_id()) > 0;
        });
      });
  KnownTensors known;
  if (parallel && alone) {
    std::vector<std::future<void>> compilations;
    for (PartitionRun& run : runs)
      compilations.push_back(
          std::async(std::launch::async, [&run, &engine] { compile_run(run, engine); }));
    for (std::future<void>& compilation : compilations)
      compilation.get();
    for (PartitionRun& run : runs)
      learn_outputs(run, known);
    return runs;
  }
  for (PartitionRun& run : runs) {
    for (logical_tensor& lt : run.inputs)
      if (const auto at = known.find(lt.get_id()); at != known.end()) lt = at->second;
    for (logical_tensor& lt : run.outputs)
      if (choose_layouts && read_by_partitions.count(lt.get_id()) > 0 && !has_unknown(lt))
        lt = with_layout_any(lt);
    compile_run(run, engine);
    learn_outputs(run, known);
  }
  return runs;
}

double bytes_needed(const std::vector<PartitionRun>& runs) {
  std::set<size_t> seen;
  double bytes = 0;
  for (const PartitionRun& run : runs) {
    for (const auto* side : {&run.inputs, &run.outputs})
      for (const logical_tensor& lt : *side)
        if (seen.insert(lt.get_id()).second && !has_unknown(lt))
          bytes += static_cast<double>(lt.get_mem_size());
  }
  return bytes;
}

void make_tensors(const GraphDesc& graph, PartitionRun& run, Memories& memories,
                  const graph::engine& engine, const MemoryOptions& options) {
  run.input_tensors.clear();
  run.output_tensors.clear();
  run.inplace.clear();
  for (const logical_tensor& lt : run.inputs)
    run.input_tensors.push_back(input_tensor(graph, lt, memories, engine, options));
  if (std::any_of(run.outputs.begin(), run.outputs.end(), &has_unknown))
    run.outputs = run.compiled.infer_shapes(run.input_tensors, run.outputs.size());
  for (const logical_tensor& lt : run.outputs)
    run.output_tensors.push_back(output_tensor(run, lt, memories, engine, options));
}

}  // namespace iotadnn::benchdnn
