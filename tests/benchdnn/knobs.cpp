// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/knobs.h"

#include <algorithm>
#include <map>

#include "benchdnn/errors.h"
#include "benchdnn/knob_values.h"
#include "benchdnn/values.h"

namespace iotadnn::benchdnn {
namespace {

constexpr KnobScope kGlobal = KnobScope::global;
constexpr KnobScope kDriver = KnobScope::driver;
constexpr KnobAction kSet = KnobAction::set;

using S = Settings;
using V = const std::string;

std::vector<Knob> make_knobs() {
  return {
      {"mode", "MODE", "C",
       "L lists cases, I compiles, R runs without a check, C compares every result with an "
       "independent oracle, P measures, F measures for 10 ms, S measures one run, B runs twice and "
       "compares bits.",
       kGlobal, kSet, [](S& s, V& v) { set_mode(s.global, v); }},
      {"mode-modifier", "MODIFIER", "empty",
       "P compiles the partitions of a case in parallel, M leaves inputs unfilled and buffers "
       "unguarded.",
       kGlobal, kSet, [](S& s, V& v) { set_mode_modifier(s.global, v); }},
      {"max-ms-per-prb", "MS", "3000", "Time budget of a measurement, 10 to 60000 ms.", kGlobal,
       kSet, [](S& s, V& v) { set_max_ms(s.global, v); }},
      {"fix-times-per-prb", "N", "0", "Measures exactly N executions; 0 measures by time.", kGlobal,
       kSet, [](S& s, V& v) { set_fix_times(s.global, v); }},
      {"repeats-per-prb", "N", "1", "Runs every case N times.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.repeats_per_prb = parse_integer(v, "--repeats-per-prb", 1, 1 << 20);
       }},
      {"cold-cache", "none|wei|all|custom[+tlb[:SIZE]]", "none",
       "With any MODE but none a measurement cycles through more copies of the tensors than the "
       "caches hold (this driver has no weights: wei and custom mean all); tlb[:SIZE] spreads them "
       "over SIZE bytes (M or G).",
       kGlobal, kSet, [](S& s, V& v) { set_cold_cache(s.global, v); }},
      {"start", "N", "0", "Skips the first N cases.", kGlobal, kSet,
       [](S& s, V& v) { s.global.start = parse_integer(v, "--start", 0, INT64_MAX); }},
      {"engine", "cpu|gpu[:INDEX]", "cpu", "The engine; this library has cpu:0 only.", kGlobal,
       kSet, [](S& s, V& v) { set_engine(s.global, v); }},
      {"isa", "NAME", "default",
       "Caps what runs: reference, portable, avx2, avx512_core, avx512_core_bf16 or any of "
       "oneDNN's names; a case whose ISA the machine lacks is SKIPPED; default lets "
       "IOTADNN_MAX_CPU_ISA decide.",
       kGlobal, kSet, [](S& s, V& v) { set_isa(s.global, v); }},
      {"strategy", "TEXT", "empty",
       "Forces the library's choices, as IOTADNN_STRATEGY does: walk=..., store=..., threads=....",
       kGlobal, kSet, [](S& s, V& v) { s.global.strategy = v; }},
      {"threads", "N", "0", "Threads of the OpenMP runtime; 0 leaves them alone.", kGlobal, kSet,
       [](S& s, V& v) { s.global.threads = parse_integer(v, "--threads", 0, 4096); }},
      {"inplace", "on|off", "on in modes P, F and S, off in others",
       "Whether outputs share the buffers of inputs that the library pairs them with.", kGlobal,
       kSet, [](S& s, V& v) { set_inplace(s.global, v); }},
      {"policy", "fusion|debug", "fusion",
       "How graphs are partitioned: debug makes each op a partition of its own, which run one "
       "after "
       "the other; their number is not compared with --expected-n-partitions.",
       kGlobal, kSet, [](S& s, V& v) { set_policy(s.global, v); }},
      {"attention-fill", "onednn|small", "onednn",
       "What the inputs of attention graphs hold: integers and powers of two as in oneDNN's "
       "driver, "
       "with which nearly all of a row is at one key, or real numbers with scores of at most 8, "
       "compared within tolerances that follow from the types.",
       kGlobal, kSet, [](S& s, V& v) { set_attention_fill(s.global, v); }},
      {"compare", "none|onednn|graph:FILE", "none",
       "What a measurement takes turns with, execution by execution: onednn is the same attention "
       "by oneDNN's primitives (product, softmax, product), without a mask whatever the graph "
       "masks; graph:FILE is another graph, sought as that of --case and under the same knobs. "
       "%compare% of --perf-template is how many times their time ours is.",
       kGlobal, kSet, [](S& s, V& v) { set_compare(s.global, v); }},
      {"summary", "[no-]failures[+[no-]impl][+[no-]impl-csv]", "failures",
       "What is printed after the last case.", kGlobal, kSet,
       [](S& s, V& v) { set_summary(s.global, v); }},
      {"verbose", "N, -vN", "0",
       "1 names cases before they run, 3 partitions, 6 comparisons, 7 the graph, 50 files, 99 "
       "every element.",
       kGlobal, kSet, [](S& s, V& v) { s.global.verbose = parse_integer(v, "--verbose", 0, 99); }},
      {"mem-check", "BOOL", "true", "Skips cases that need more than three quarters of the memory.",
       kGlobal, kSet, [](S& s, V& v) { s.global.mem_check = parse_bool(v, "--mem-check"); }},
      {"check-ref-impl", "BOOL|cpu|gpu", "false",
       "Fails cases that the reference implementation runs; cpu and gpu ask for that on one kind "
       "of "
       "engine.",
       kGlobal, kSet, [](S& s, V& v) { set_check_ref_impl(s.global, v); }},
      {"global-impl", "NAME[,...]", "empty",
       "Like --impl, for all cases whatever their --impl or --skip-impl.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.impl = {v, false};
       }},
      {"global-skip-impl", "NAME[,...]", "empty",
       "Like --skip-impl, for all cases whatever their --impl or --skip-impl.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.impl = {v, true};
       }},
      {"buffer-prefix", "PREFIX", "empty",
       "Fills the input with id ID from the file PREFIX.ID.bin where it exists.", kGlobal, kSet,
       [](S& s, V& v) { s.global.buffer_prefix = v; }},
      {"stream-kind", "def|in_order|out_of_order", "def", "Flags of the streams.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.stream_kind = one_of(v, "--stream-kind", {"def", "in_order", "out_of_order"});
       }},
      {"num-streams", "N", "1", "A measurement takes turns on N streams.", kGlobal, kSet,
       [](S& s, V& v) { s.global.num_streams = parse_integer(v, "--num-streams", 1, 1024); }},
      {"execution-mode", "direct|graph", "direct",
       "graph is accepted for compatibility; it is SYCL's, and without SYCL both are direct.",
       kGlobal, kSet,
       [](S& s, V& v) {
         s.global.execution_mode = one_of(v, "--execution-mode", {"direct", "graph"});
       }},
      {"memory-kind", "usm|buffer|usm_device|usm_shared", "usm",
       "Cases with any kind but usm are SKIPPED.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.memory_kind =
             one_of(v, "--memory-kind", {"usm", "buffer", "usm_device", "usm_shared"});
       }},
      {"cpu-isa-hints", "none|no_hints|prefer_ymm", "none",
       "Accepted for compatibility; no kernel here has a choice of width.", kGlobal, kSet,
       [](S& s, V& v) {
         s.global.cpu_isa_hints = one_of(v, "--cpu-isa-hints", {"none", "no_hints", "prefer_ymm"});
       }},
      {"fast-ref", "BOOL", "true", "Accepted for compatibility; the oracle has one speed.", kGlobal,
       kSet, [](S& s, V& v) { s.global.fast_ref = parse_bool(v, "--fast-ref"); }},
      {"fast-ref-gpu", "BOOL", "true", "The older name of --fast-ref.", kGlobal, kSet,
       [](S& s, V& v) { s.global.fast_ref = parse_bool(v, "--fast-ref-gpu"); }},
      {"canonical", "BOOL", "false", "Accepted for compatibility; repro lines have one form.",
       kGlobal, kSet, [](S& s, V& v) { s.global.canonical = parse_bool(v, "--canonical"); }},
      {"attr-same-pd-check", "BOOL", "false",
       "Accepted for compatibility; graphs have no primitive descriptors.", kGlobal, kSet,
       [](S& s, V& v) { s.global.attr_same_pd_check = parse_bool(v, "--attr-same-pd-check"); }},
      {"allow-enum-tags-only", "BOOL", "true",
       "Accepted for compatibility; layouts here are strides.", kGlobal, kSet,
       [](S& s, V& v) { s.global.allow_enum_tags_only = parse_bool(v, "--allow-enum-tags-only"); }},
      {"help", "", "", "Prints this text.", kGlobal, KnobAction::help, nullptr},

      {"graph", "", "", "Chooses the graph driver, the only one here.", kDriver,
       KnobAction::choose_driver, nullptr},
      {"case", "FILE", "",
       "Runs a graph with the settings as they stand. Files are sought as given, in folders used "
       "earlier in the run, in <program's folder>/inputs/graph and in the sources' "
       "benchdnn_inputs/graph.",
       kDriver, KnobAction::run_case, nullptr},
      {"contract", "FILE[#NAME]", "",
       "Runs the cases of a contract file, or the one of that name: each one op, whose outputs are "
       "compared with the values in the file, too. Files are sought as those of --case.",
       kDriver, KnobAction::run_contract, nullptr},
      {"batch", "FILE", "",
       "Reads knobs from a file: white space separates them, # starts a comment, a trailing \\ "
       "joins the next piece.",
       kDriver, KnobAction::run_batch, nullptr},
      {"reset", "", "", "Puts the knobs of the driver back to their defaults.", kDriver,
       KnobAction::reset, nullptr},
      {"in-shapes", "ID:SHAPE[*STRIDES|*TAG][+...][,...]", "as in the JSON",
       "Shapes of graph inputs and outputs: 2x3x4, - (rank 0); strides 12x4x1 or a permutation "
       "like acb, outermost first; ID:*TAG changes strides only. An empty entry is the JSON's.",
       kDriver, kSet,
       [](S& s, V& v) { s.driver.in_shapes = parse_id_values(v, "--in-shapes", &check_shape); }},
      {"op-attrs", "OPID:NAME:VALUE[*NAME:VALUE][+...][,...]", "as in the JSON",
       "Attributes of ops; lists as 1x128x1.", kDriver, kSet,
       [](S& s, V& v) { s.driver.op_attrs = parse_id_values(v, "--op-attrs", &check_attrs); }},
      {"op-kind", "OPID:KIND[+...][,...]", "as in the JSON",
       "Another kind of the same family (binary or eltwise); undef takes the op out.", kDriver,
       kSet,
       [](S& s, V& v) { s.driver.op_kind = parse_id_values(v, "--op-kind", &check_op_kind); }},
      {"tensor-property", "ID:PROPERTY[+...][,...]", "as in the JSON",
       "undef, variable, constant or host_scalar.", kDriver, kSet,
       [](S& s, V& v) {
         s.driver.tensor_property = parse_id_values(v, "--tensor-property", &check_property);
       }},
      {"tensor-value", "ID:VALUE[+...][,...]", "as in the JSON",
       "Content of a scalar or (2x3) a list: Eye's num_rows, num_columns, diagonal_index, "
       "batch_shape. What is not given follows from Eye's output shape, the diagonal is 0.",
       kDriver, kSet,
       [](S& s, V& v) {
         s.driver.tensor_value = parse_id_values(v, "--tensor-value", &check_tensor_value);
       }},
      {"dt", "TYPE[,...] or ID:TYPE[+...][,...]", "undef",
       "Element type of the whole graph, or of single tensors; undef is the JSON's.", kDriver, kSet,
       [](S& s, V& v) { set_dt(s.driver, v); }},
      {"mb", "N[,...]", "0",
       "First extent of every graph input that carries the batch; 0 is the JSON's.", kDriver, kSet,
       [](S& s, V& v) { s.driver.mb = parse_integers(v, "--mb"); }},
      {"attr-fpmath", "MODE[:BOOL][,...]", "as in the JSON",
       "strict, bf16, f16, any or tf32, and whether it holds for integers.", kDriver, kSet,
       [](S& s, V& v) { s.driver.fpmath = parse_fpmath(v); }},
      {"expected-n-partitions", "N[,...]", "1",
       "Fails a case with another number of partitions; 0 accepts any.", kDriver, kSet,
       [](S& s, V& v) {
         s.driver.expected_n_partitions = parse_integers(v, "--expected-n-partitions");
       }},
      {"impl", "NAME[,...]", "empty",
       "Runs a case only when the name of what it was compiled to (reference, portable, jit:avx2, "
       "...) contains one of these, else the case is SKIPPED.",
       kDriver, kSet,
       [](S& s, V& v) {
         s.driver.impl = {v, false};
       }},
      {"skip-impl", "NAME[,...]", "empty",
       "The opposite of --impl; of the two the later one counts.", kDriver, kSet,
       [](S& s, V& v) {
         s.driver.impl = {v, true};
       }},
      {"ctx-init", "auto|N[:CORE_TYPE[:THREADS_PER_CORE]]", "auto",
       "Accepted for compatibility; --threads sets the threads.", kDriver, kSet,
       [](S& s, V& v) { s.driver.ctx_init = parse_context(v, "--ctx-init"); }},
      {"ctx-exe", "auto|N[:CORE_TYPE[:THREADS_PER_CORE]]", "auto",
       "Accepted for compatibility; --threads sets the threads.", kDriver, kSet,
       [](S& s, V& v) { s.driver.ctx_exe = parse_context(v, "--ctx-exe"); }},
      {"perf-template", "def|csv|TEXT", "perf,%engine%,%prb%,%-time%,%0time%",
       "The line of a measurement, see tests/benchdnn/README.md; csv stands for "
       "perf,%engine%,%desc%,%-time%,%0time%. Measured by turns with the executions where they are "
       "named: %limit%, percent of the best plain loop that moves the bytes that must move; "
       "%unfused% and %speedup%, the same graph an op at a time; %read-limit%, percent of the best "
       "loop that reads as many bytes as the inputs have.",
       kDriver, kSet, [](S& s, V& v) { set_perf_template(s.driver, v); }},
  };
}

const Knob* find_knob(std::string_view name) {
  for (const Knob& knob : knobs())
    if (knob.name == name) return &knob;
  return nullptr;
}

[[noreturn]] void refuse_unknown(const std::string& argument, const std::string& name) {
  // oneDNN's rule: up to six edits, fewer for a short name.
  const size_t near = std::min<size_t>(name.empty() ? 0 : name.size() - 1, 6);
  std::multimap<size_t, std::string_view> alike;
  for (const Knob& knob : knobs())
    if (const size_t distance = edit_distance(name, knob.name); distance <= near)
      alike.emplace(distance, knob.name);
  std::string text = "unknown option for 'graph' driver: '" + argument + "'.";
  if (!alike.empty())
    text += alike.size() == 1 ? "\nThe most similar option is:" : "\nThe most similar options are:";
  for (const auto& [distance, known] : alike)
    text += "\n        " + std::string(known);
  throw UsageError(text);
}

// Lines of up to 100 columns, indented.
void add_paragraph(std::string& text, std::string_view words) {
  constexpr size_t kColumns = 96;
  while (!words.empty()) {
    size_t end = words.size();
    if (end > kColumns) end = words.rfind(' ', kColumns);
    text += "    " + std::string(words.substr(0, end)) + "\n";
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

void add_help(std::string& text, KnobScope scope) {
  for (const Knob& knob : knobs()) {
    if (knob.scope != scope) continue;
    text += "--" + std::string(knob.name);
    if (!knob.grammar.empty()) text += "=" + std::string(knob.grammar);
    if (!knob.default_text.empty())
      text += "    (Default: `" + std::string(knob.default_text) + "`)";
    text += "\n";
    add_paragraph(text, knob.help);
  }
}

}  // namespace

const std::vector<Knob>& knobs() {
  static const std::vector<Knob> table = make_knobs();
  return table;
}

ParsedKnob parse_argument(const std::string& argument) {
  if (argument.rfind("-v", 0) == 0 && argument.size() > 2)
    return {find_knob("verbose"), argument.substr(2)};
  if (argument.rfind("--", 0) != 0) {
    if (argument.rfind('-', 0) == 0)
      throw UsageError("options should be passed with `--` prefix.\nGiven input: '" + argument +
                       "'");
    throw UsageError("expected an option, got '" + argument + "'.");
  }
  const size_t equals = argument.find('=');
  const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
  const Knob* knob = find_knob(name);
  if (knob == nullptr) refuse_unknown(argument, name);
  const bool takes_value = !knob->grammar.empty();
  if (takes_value && equals == std::string::npos)
    throw UsageError("option '--" + name + "' needs a value: --" + name + "=" +
                     std::string(knob->grammar) + ".");
  if (!takes_value && equals != std::string::npos)
    throw UsageError("option '--" + name + "' takes no value.");
  return {knob, takes_value ? argument.substr(equals + 1) : std::string()};
}

std::string help_text() {
  std::string text =
      "Usage: benchdnn [global options] --graph [driver options] --case=FILE ...\n"
      "Options are read from left to right; every --case runs at once with what stands before it.\n"
      "\n===================\n= Global options: =\n===================\n";
  add_help(text, KnobScope::global);
  text += "\n===================\n= Driver options: =\n===================\n";
  add_help(text, KnobScope::driver);
  return text;
}

}  // namespace iotadnn::benchdnn
