// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/case_run.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "iotadnn/graph.hpp"

#include "benchdnn/attention_fill.h"
#include "benchdnn/case_end.h"
#include "benchdnn/check_results.h"
#include "benchdnn/describe.h"
#include "benchdnn/errors.h"
#include "benchdnn/expectation.h"
#include "benchdnn/limit_stores.h"
#include "benchdnn/measure.h"
#include "benchdnn/measure_setup.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/partition_run.h"
#include "benchdnn/peak_memory.h"
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

class Case {
 public:
  Case(const GraphDesc& desc, const CaseSettings& settings, const Settings& all, CaseResult& result)
      : content_(desc, all.global.attention_fill),
        desc_(content_.with_scalars()),
        settings_(settings),
        all_(all),
        global_(all.global),
        result_(result) {}

  // `compared`: the graph that executions take turns with when they are measured, or null.
  void run(const GraphDesc* compared) {
    describe_ports(desc_, result_);
    result_.threads = thread_count();
    if (global_.memory_kind != "usm") throw CaseEnd{State::skipped, "Case not supported"};
    const graph::engine engine = make_engine();
    const Runs runs = prepare(engine);
    if (measures(global_.mode)) measure_all(runs, engine, compared);
  }

 private:
  // Compiles, and executes each partition once.
  Runs prepare(const graph::engine& engine) {
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
    return runs;
  }

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
  void execute_first(const PartitionRun& run, graph::stream& stream);
  void measure_all(const Runs& runs, const graph::engine& engine, const GraphDesc* compared);
  std::vector<Launch> make_launches(const Runs& runs, const graph::engine& engine, size_t sets);
  Rivals make_rivals(const Runs& runs, const graph::engine& engine, size_t sets,
                     const GraphDesc* compared);
  std::vector<size_t> input_sizes() const;
  std::vector<Launch> unfused_launches(const graph::engine& engine,
                                       std::vector<Memories>& sets) const;
  std::vector<Launch> onednn_launch() const;
  std::vector<Launch> compared_launches(const GraphDesc& graph, const graph::engine& engine,
                                        size_t sets);

  const AttentionContent content_;
  const GraphDesc desc_;
  const CaseSettings& settings_;
  const Settings& all_;
  const GlobalSettings& global_;
  CaseResult& result_;
  Memories memories_;
  std::vector<Memories> copies_;  // more sets of tensors, for cold caches
  // The graph of --compare, which its launches refer to.
  CaseSettings compared_settings_;
  CaseResult compared_result_;
  std::unique_ptr<Case> compared_;
};

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

// With its memory where that is asked for, into outputs that are resident already.
void Case::execute_first(const PartitionRun& run, graph::stream& stream) {
  const auto execute = [&run, &stream] {
    run.compiled.execute(stream, run.input_tensors, run.output_tensors);
    stream.wait();
  };
  if (!measures(global_.mode) || !needs_peak_memory(all_.driver.perf_template)) return execute();
  for (const graph::logical_tensor& lt : run.outputs)
    memories_.at(lt.get_id())->touch();
  const auto prepare = [this] {
    apply_process_settings(global_);  // the number of threads is one of each thread's settings
    wake_team(static_cast<int>(thread_count()));
  };
  const std::optional<double> raise = peak_raise(prepare, execute);
  if (raise) result_.peak_bytes = std::max(*raise, result_.peak_bytes.value_or(0));
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
      execute_first(run, stream);
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

// Compiled and filled as the case is.
std::vector<Launch> Case::compared_launches(const GraphDesc& graph, const graph::engine& engine,
                                            size_t sets) {
  compared_settings_.expected_n_partitions = 0;
  compared_ = std::make_unique<Case>(graph, compared_settings_, all_, compared_result_);
  try {
    const Runs runs = compared_->prepare(engine);
    return compared_->make_launches(runs, engine, sets);
  } catch (...) {
    std::printf("Error: --compare=%s: the graph cannot be run.\n",
                text_of(global_.compare).c_str());
    throw;
  }
}

// On the tensors that there are, then on copies of them.
std::vector<Launch> Case::make_launches(const Runs& runs, const graph::engine& engine,
                                        size_t sets) {
  const MemoryOptions options = memory_options();
  std::vector<Launch> launches;
  launches.emplace_back(runs);
  copies_.resize(sets - 1);
  for (Memories& memories : copies_) {
    Runs copy = runs;
    for (PartitionRun& run : copy)
      make_tensors(desc_, run, memories, engine, options);
    launches.emplace_back(copy);
  }
  return launches;
}

// Of what the graph reads.
std::vector<size_t> Case::input_sizes() const {
  std::vector<size_t> sizes;
  for (const size_t id : desc_.graph_inputs())
    if (const auto found = memories_.find(id); found != memories_.end() && is_read(desc_, id))
      sizes.push_back(found->second->bytes());
  return sizes;
}

Rivals Case::make_rivals(const Runs& runs, const graph::engine& engine, size_t sets,
                         const GraphDesc* compared) {
  const std::string& text = all_.driver.perf_template;
  MeterSettings asked;
  asked.threads = result_.threads;
  asked.cold = sets > 1;
  asked.limit = needs_limit(text);
  asked.out_of_place = needs_out_of_place(text);
  Rivals rivals;
  rivals.meters = make_meters(desc_, runs, memories_, engine, asked);
  if (needs_read_limit(text)) rivals.meters.push_back(make_read_meter(input_sizes(), asked));
  if (needs_unfused(text)) {
    copies_.insert(copies_.begin(), memories_);
    rivals.unfused = unfused_launches(engine, copies_);
  }
  if (global_.compare.with == Compare::With::onednn) rivals.compared = onednn_launch();
  if (compared != nullptr) rivals.compared = compared_launches(*compared, engine, sets);
  return rivals;
}

void Case::measure_all(const Runs& runs, const graph::engine& engine, const GraphDesc* compared) {
  const size_t sets = tensor_sets(global_.cold_cache, bytes_needed(runs));
  std::vector<Launch> launches = make_launches(runs, engine, sets);
  std::vector<graph::stream> streams;
  for (int64_t i = 0; i < global_.num_streams; ++i)
    streams.push_back(make_stream(engine));
  Rivals rivals = make_rivals(runs, engine, sets, compared);
  const Phase phase(result_.phases.execute);
  result_.perf = measure(launches, streams, rivals, global_);
}

}  // namespace

CaseResult run_case(const GraphDesc& graph, const CaseSettings& settings, const Settings& all,
                    const GraphDesc* compared) {
  CaseResult result;
  const auto start = Clock::now();
  try {
    const std::string lacking = apply_process_settings(all.global);
    if (!lacking.empty()) throw CaseEnd{State::skipped, lacking};
    result.isa = isa_in_force();
    Case(graph, settings, all, result).run(compared);
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
