// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/case_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "iotadnn/graph.hpp"

#include "benchdnn/attention_fill.h"
#include "benchdnn/check_results.h"
#include "benchdnn/errors.h"
#include "benchdnn/expectation.h"
#include "benchdnn/measure.h"
#include "benchdnn/measure_setup.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/partition_run.h"
#include "benchdnn/perf_template.h"
#include "benchdnn/process_settings.h"
#include "benchdnn/reference_run.h"
#include "benchdnn/tolerance.h"
#include "benchdnn/values.h"
#include "frontends/graph_builder.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using Clock = std::chrono::steady_clock;
using frontends::GraphDesc;
using Runs = std::vector<PartitionRun>;

// Adds the time of its scope to a phase.
class Phase {
 public:
  explicit Phase(double& seconds) : seconds_(seconds), start_(Clock::now()) {}

  ~Phase() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  double& seconds_;
  Clock::time_point start_;
};

// Ends a case early with its state.
struct CaseEnd {
  State state;
  std::string reason;
};

[[noreturn]] void fail(State state, const std::string& sentence) {
  std::printf("Error: %s\n", sentence.c_str());
  throw CaseEnd{state, ""};
}

// oneDNN's mapping, but for a refused op: it is INVALID_ARGUMENTS, since this library tells at
// add_op what oneDNN tells at compile (an axis out of range, say).
CaseEnd end_of(iotadnn_status_t status) {
  switch (status) {
    case iotadnn_success:
      return {State::executed, ""};
    case iotadnn_out_of_memory:
      return {State::skipped, "Not enough RAM"};
    case iotadnn_invalid_arguments:
    case iotadnn_invalid_graph_op:
      return {State::invalid_arguments, ""};
    case iotadnn_unimplemented:
      return {State::unimplemented, ""};
    case iotadnn_invalid_graph:
    case iotadnn_invalid_shape:
      return {State::skipped, "Invalid case"};
    case iotadnn_invalid_data_type:
      return {State::skipped, "Data type not supported"};
    case iotadnn_runtime_error:
    case iotadnn_last_impl_reached:
    case iotadnn_not_required:
      return {State::failed, ""};
  }
  return {State::failed, ""};
}

std::string join(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string join_distinct(const std::vector<std::string>& words) {
  std::vector<std::string> distinct;
  for (const std::string& word : words)
    if (std::find(distinct.begin(), distinct.end(), word) == distinct.end())
      distinct.push_back(word);
  return join(distinct, ";");
}

class Case {
 public:
  Case(const GraphDesc& desc, const CaseSettings& settings, const Settings& all, CaseResult& result)
      : content_(desc, all.global.attention_fill),
        desc_(content_.with_scalars()),
        settings_(settings),
        all_(all),
        global_(all.global),
        result_(result) {}

  void run() {
    describe_ports();
    if (global_.memory_kind != "usm") throw CaseEnd{State::skipped, "Case not supported"};
    const graph::engine engine = make_engine();
    std::vector<graph::partition> partitions;
    {
      const Phase phase(result_.phases.create_pd);
      partitions = make_partitions(engine, global_.policy);
    }
    check_partitions(partitions);
    require_shapes(runs_kernels(global_.mode));
    Runs runs;
    {
      const Phase phase(result_.phases.create_prim);
      runs = compile_partitions(desc_, partitions, engine, measures(global_.mode),
                                global_.parallel_create);
    }
    describe_impl(runs);
    if (!runs_kernels(global_.mode)) throw CaseEnd{State::initialized, ""};
    if (!fits_memory(bytes_needed(runs))) throw CaseEnd{State::skipped, "Not enough RAM"};
    execute_all(runs, engine);
    if (measures(global_.mode)) measure_all(runs, engine);
  }

 private:
  void describe_ports() const;
  graph::engine make_engine() const;
  std::vector<graph::partition> make_partitions(const graph::engine& engine, Policy policy) const;
  void check_partitions(const std::vector<graph::partition>& partitions) const;
  void require_shapes(bool extents) const;
  void describe_impl(const Runs& runs) const;
  bool fits_memory(double bytes) const;
  bool inplace() const;
  MemoryOptions memory_options() const;
  graph::stream make_stream(const graph::engine& engine) const;
  void execute_all(Runs& runs, const graph::engine& engine);
  void check_run(const PartitionRun& run, const Memories& expected);
  void check_twice(const PartitionRun& run, const graph::engine& engine, graph::stream& stream);
  void measure_all(Runs& runs, const graph::engine& engine);
  std::vector<Launch> unfused_launches(const graph::engine& engine,
                                       std::vector<Memories>& sets) const;
  std::vector<Launch> onednn_launch() const;

  const AttentionContent content_;
  const GraphDesc desc_;
  const CaseSettings& settings_;
  const Settings& all_;
  const GlobalSettings& global_;
  CaseResult& result_;
  Memories memories_;
};

void Case::describe_ports() const {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> outputs;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  for (const frontends::OpDesc& op : desc_.ops) {
    kinds.emplace_back(frontends::name_of(op.kind));
    names.push_back(op.name);
    for (const size_t id : op.outputs) {
      if (desc_.is_consumed(id)) continue;
      const frontends::TensorDesc& tensor = desc_.tensors.at(id);
      outputs.emplace_back(frontends::name_of(tensor.data_type));
      shapes.push_back(tensor.dims ? extents_text(*tensor.dims) : "?");
    }
  }
  for (const size_t id : desc_.graph_inputs())
    inputs.emplace_back(frontends::name_of(desc_.tensors.at(id).data_type));
  result_.kinds = join(kinds, ";");
  result_.names = join(names, ";");
  result_.input_types = join_distinct(inputs);
  result_.output_types = join_distinct(outputs);
  result_.output_shapes = join(shapes, ";");
  result_.threads = thread_count();
}

graph::engine Case::make_engine() const {
  const auto kind =
      global_.engine_kind == "gpu" ? graph::engine::kind::gpu : graph::engine::kind::cpu;
  return {kind, static_cast<size_t>(global_.engine_index.value_or(0))};
}

std::vector<graph::partition> Case::make_partitions(const graph::engine& engine,
                                                    Policy policy) const {
  graph::graph built = frontends::build_graph(desc_, engine.get_kind());
  built.finalize();
  using graph_policy = graph::partition::policy;
  return built.get_partitions(policy == Policy::debug ? graph_policy::debug : graph_policy::fusion);
}

void Case::check_partitions(const std::vector<graph::partition>& partitions) const {
  const auto count = static_cast<int64_t>(partitions.size());
  if (global_.verbose >= 3) {
    std::string sizes;
    for (const graph::partition& partition : partitions)
      sizes += (sizes.empty() ? "" : " ") + std::to_string(partition.get_ops_num());
    std::printf("[INFO]: n_partitions:%zu; ops_in_partitions: {%s}\n", partitions.size(),
                sizes.c_str());
  }
  std::string first_reason;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (partitions[i].is_supported()) continue;
    const std::vector<size_t> ops = partitions[i].get_ops();
    const bool is_end = std::any_of(desc_.ops.begin(), desc_.ops.end(), [&](const auto& op) {
      return ops.size() == 1 && op.id == ops[0] && op.kind == iotadnn_graph_op_end;
    });
    if (is_end) continue;
    const std::string reason =
        "partition #" + std::to_string(i) + " is unsupported: " + partitions[i].get_reason();
    if (global_.verbose >= 3) std::printf("[INFO]: %s\n", reason.c_str());
    if (first_reason.empty()) first_reason = reason;
  }
  const int64_t expected = settings_.expected_n_partitions;
  if (global_.policy == Policy::fusion && expected != 0 && expected != count)
    fail(State::untested, "the expected number of partitions (" + std::to_string(expected) +
                              ") doesn't coincide with the actual number of partitions returned (" +
                              std::to_string(count) + ").");
  if (!first_reason.empty()) fail(State::unimplemented, first_reason);
}

// Nothing compiles without the ranks of what the graph reads, and nothing runs without their
// extents.
void Case::require_shapes(bool extents) const {
  for (const size_t id : desc_.graph_inputs()) {
    const auto& dims = desc_.tensors.at(id).dims;
    const bool open =
        dims && std::any_of(dims->begin(), dims->end(), [](int64_t d) { return d < 0; });
    if (dims && !(extents && open)) continue;
    const std::string tensor = std::to_string(id);
    throw RewriteError("tensor " + tensor + ", which the graph reads, has " +
                       (dims ? "unknown extents" : "an unknown rank") +
                       "; give its shape with --in-shapes=" + tensor + ":SHAPE");
  }
}

void Case::describe_impl(const Runs& runs) const {
  std::vector<std::string> impls;
  for (const PartitionRun& run : runs)
    impls.push_back(run.compiled.get_impl());
  result_.impl = join_distinct(impls);
  const ImplFilter& filter = global_.impl.names.empty() ? settings_.impl : global_.impl;
  for (const std::string& impl : impls) {
    if (filter.admits(impl)) continue;
    if (global_.verbose >= 6)
      std::printf("[IMPL_FILTER] Implementation skipped: %s\n", impl.c_str());
    throw CaseEnd{State::skipped, "Skip-impl option hit"};
  }
  const bool reference = result_.impl.find("ref") != std::string::npos;
  const bool checked =
      global_.check_ref_impl == "true" || global_.check_ref_impl == global_.engine_kind;
  if (checked && reference)
    fail(State::failed, "the reference implementation was hit (--check-ref-impl).");
}

bool Case::fits_memory(double bytes) const {
  if (!global_.mem_check) return true;
  const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return bytes <= 0.75 * physical;
}

bool Case::inplace() const {
  return global_.inplace == Inplace::by_mode ? measures(global_.mode)
                                             : global_.inplace == Inplace::on;
}

graph::stream Case::make_stream(const graph::engine& engine) const {
  using flags = graph::stream::flags;
  if (global_.stream_kind == "out_of_order") return graph::stream(engine, flags::out_of_order);
  return graph::stream(engine, flags::in_order);
}

// What is measured is neither guarded nor anything but numbers.
MemoryOptions Case::memory_options() const {
  MemoryOptions options;
  options.guarded = !global_.no_reference_memory && !measures(global_.mode);
  options.inplace = inplace();
  // One of them would be all that a row of probabilities shows.
  options.specials = !measures(global_.mode) && !content_.roles().attention;
  options.attention = &content_;
  options.buffer_prefix = global_.buffer_prefix;
  return options;
}

// Every partition once; modes C and B look at the results.
void Case::execute_all(Runs& runs, const graph::engine& engine) {
  const MemoryOptions options = memory_options();
  graph::stream stream = make_stream(engine);
  for (size_t i = 0; i < runs.size(); ++i) {
    PartitionRun& run = runs[i];
    {
      const Phase phase(result_.phases.fill);
      make_tensors(desc_, run, memories_, engine, options);
    }
    Memories expected;
    const bool compared = global_.mode == Mode::correctness;
    if (compared && output_without_oracle(desc_, run, memories_)) {
      const Phase phase(result_.phases.compute_ref);
      expected = run_reference(desc_, run, memories_, engine, stream, options);
    }
    if (global_.verbose >= 3) std::printf("[INFO]: Start execution of partition #%zu.\n", i);
    {
      const Phase phase(result_.phases.execute);
      run.compiled.execute(stream, run.input_tensors, run.output_tensors);
      stream.wait();
    }
    result_.state = State::executed;
    result_.input_bytes += bytes_read(desc_, run);
    result_.output_bytes += bytes_written(run);
    if (compared) check_run(run, expected);
    if (global_.mode == Mode::bitwise) check_twice(run, engine, stream);
  }
  const bool checked = global_.mode == Mode::correctness || global_.mode == Mode::bitwise;
  if (checked && result_.errors > 0) throw CaseEnd{State::failed, ""};
  if (checked) result_.state = State::passed;
}

// Outputs of the ops with an oracle are compared with it, others with what the reference computed.
void Case::check_run(const PartitionRun& run, const Memories& expected) {
  const Phase phase(result_.phases.compare);
  Tolerances tolerances;
  for (const graph::logical_tensor& lt : run.outputs)
    tolerances[lt.get_id()] =
        tolerance_of(desc_, run, lt.get_id(), content_, global_.attention_fill);
  const CompareResult compared =
      expected.empty()
          ? compare_outputs(desc_, run, memories_, global_.verbose)
          : compare_with_reference(run, memories_, expected, tolerances, global_.verbose);
  const CompareResult given = compare_with_values(desc_, run, memories_, global_.verbose);
  result_.errors += compared.errors + given.errors;
  result_.total += compared.total;
  if (global_.no_reference_memory) return;
  const std::string damage =
      damage_of(desc_, run, memories_, reads_data(desc_) || !global_.buffer_prefix.empty());
  if (!damage.empty()) fail(State::failed, damage + ".");
}

// Mode B: a second execution into buffers of its own must give the same bits.
void Case::check_twice(const PartitionRun& run, const graph::engine& engine,
                       graph::stream& stream) {
  PartitionRun again = run;
  Memories second = memories_;
  for (const graph::logical_tensor& lt : run.outputs)
    second.erase(lt.get_id());
  MemoryOptions options;
  options.buffer_prefix = global_.buffer_prefix;
  options.attention = &content_;
  make_tensors(desc_, again, second, engine, options);
  again.compiled.execute(stream, again.input_tensors, again.output_tensors);
  stream.wait();
  const Phase phase(result_.phases.compare);
  const CompareResult compared = compare_executions(run, memories_, second, global_.verbose);
  result_.errors += compared.errors;
  result_.total += compared.total;
}

// The graph under the debug policy, on the graph's inputs and outputs as they are in each set, with
// intermediate tensors that are added to it; empty when it cannot be run so.
std::vector<Launch> Case::unfused_launches(const graph::engine& engine,
                                           std::vector<Memories>& sets) const {
  const std::vector<graph::partition> partitions = make_partitions(engine, Policy::debug);
  const bool supported =
      std::all_of(partitions.begin(), partitions.end(),
                  [](const graph::partition& partition) { return partition.is_supported(); });
  if (!supported) return {};
  const MemoryOptions options = memory_options();
  const Runs compiled = compile_partitions(desc_, partitions, engine, true, false);
  if (!fits_memory(bytes_needed(compiled) * static_cast<double>(sets.size()))) return {};
  std::vector<Launch> launches;
  for (Memories& memories : sets) {
    Runs runs = compiled;
    for (PartitionRun& run : runs)
      make_tensors(desc_, run, memories, engine, options);
    launches.emplace_back(runs);
  }
  return launches;
}

// oneDNN's primitives on the tensors of this case; empty when there is nothing to compare with.
std::vector<Launch> Case::onednn_launch() const {
  const auto plain = plain_attention(desc_, memories_);
  const OneDnnRival rival =
      plain ? onednn_rival(*plain) : OneDnnRival{nullptr, nullptr, "the graph is no attention"};
  if (rival.run) return {Launch(rival.run)};
  if (global_.verbose >= 1)
    std::printf("[INFO]: no comparison with oneDNN: %s.\n", rival.reason.c_str());
  return {};
}

void Case::measure_all(Runs& runs, const graph::engine& engine) {
  const size_t sets = tensor_sets(global_.cold_cache, bytes_needed(runs));
  const MemoryOptions options = memory_options();
  std::vector<Launch> launches;
  launches.emplace_back(runs);
  std::vector<Memories> copies(sets - 1);
  for (Memories& memories : copies) {
    Runs copy = runs;
    for (PartitionRun& run : copy)
      make_tensors(desc_, run, memories, engine, options);
    launches.emplace_back(copy);
  }
  std::vector<graph::stream> streams;
  for (int64_t i = 0; i < global_.num_streams; ++i)
    streams.push_back(make_stream(engine));
  const std::string& text = all_.driver.perf_template;
  MeterSettings asked;
  asked.threads = result_.threads;
  asked.cold = sets > 1;
  asked.limit = needs_limit(text);
  asked.out_of_place = needs_out_of_place(text);
  Rivals rivals;
  rivals.meters = make_meters(desc_, runs, memories_, engine, asked);
  if (needs_unfused(text)) {
    copies.insert(copies.begin(), memories_);
    rivals.unfused = unfused_launches(engine, copies);
  }
  if (global_.compare == Compare::onednn) rivals.onednn = onednn_launch();
  const Phase phase(result_.phases.execute);
  result_.perf = measure(launches, streams, rivals, global_);
}

}  // namespace

CaseResult run_case(const GraphDesc& graph, const CaseSettings& settings, const Settings& all) {
  CaseResult result;
  const auto start = Clock::now();
  try {
    const std::string lacking = apply_process_settings(all.global);
    if (!lacking.empty()) throw CaseEnd{State::skipped, lacking};
    result.isa = isa_in_force();
    Case(graph, settings, all, result).run();
  } catch (const CaseEnd& end) {
    result.state = end.state;
    result.reason = end.reason;
  } catch (const error& refusal) {
    std::printf("Error: %s\n", refusal.what());
    const CaseEnd end = end_of(refusal.status);
    result.state = end.state;
    result.reason = end.reason;
  } catch (const std::bad_alloc&) {
    result.state = State::skipped;
    result.reason = "Not enough RAM";
  } catch (const RewriteError& refusal) {
    std::printf("Error: %s\n", refusal.what());
    result.state = State::untested;
    result.reason = "Rewriter failed";
  } catch (const frontends::GraphError& refusal) {
    std::printf("Error: %s\n", refusal.what());
    result.state = State::invalid_arguments;
  }
  result.ms = 1e3 * std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace iotadnn::benchdnn
