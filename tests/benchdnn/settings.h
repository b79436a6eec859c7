// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "iotadnn/iotadnn_types.h"

namespace iotadnn::benchdnn {

enum class Mode { list, init, run, correctness, performance, fast, simulation, bitwise };

char letter_of(Mode mode);

inline bool runs_kernels(Mode mode) {
  return mode != Mode::list && mode != Mode::init;
}

inline bool measures(Mode mode) {
  return mode == Mode::performance || mode == Mode::fast || mode == Mode::simulation;
}

enum class Policy { fusion, debug };  // of get_partitions()

enum class AttentionFill { onednn, small };  // see attention_fill.h

// With what executions are measured by turns.
struct Compare {
  enum class With { nothing, onednn, graph };
  With with = With::nothing;
  std::string file;  // of the graph, as the command line names it
};

// "none", "onednn" or "graph:FILE", as --compare takes it.
std::string text_of(const Compare& compare);

enum class Inplace { by_mode, on, off };  // by_mode: on where the mode measures, as in oneDNN

// Of --impl and --skip-impl, which are opposites: the one that is given later counts.
struct ImplFilter {
  std::string names;  // parts of implementation names, separated by commas; empty: no filter
  bool skip = false;  // what the names stand for: the implementations to skip, or to use

  // Whether a case that runs with this implementation is meant.
  bool admits(const std::string& impl) const;
};

struct Summary {
  bool failures = true;
  bool impl = false;
  bool impl_csv = false;
};

// Knobs that --reset leaves alone. Defaults are what the knob table calls default.
struct GlobalSettings {
  Mode mode = Mode::correctness;
  bool parallel_create = false;      // modifier P
  bool no_reference_memory = false;  // modifier M
  double max_ms_per_prb = 3000;
  int64_t fix_times_per_prb = 0;
  int64_t repeats_per_prb = 1;
  int64_t start = 0;
  std::string engine_kind = "cpu";
  std::optional<int64_t> engine_index;
  std::string execution_mode = "direct";
  ImplFilter impl;  // wins over the driver's
  bool canonical = false;
  bool fast_ref = true;
  bool mem_check = true;
  bool allow_enum_tags_only = true;
  std::string cpu_isa_hints = "none";
  bool attr_same_pd_check = false;
  std::string check_ref_impl = "false";  // true, false, cpu or gpu
  std::string memory_kind = "usm";
  std::string stream_kind = "def";
  int64_t num_streams = 1;
  std::string cold_cache = "none";  // MODE[+EXTENSION]
  std::string buffer_prefix;
  std::string isa = "default";
  std::string strategy;
  int64_t threads = 0;  // 0: what the runtime gives
  Inplace inplace = Inplace::by_mode;
  Policy policy = Policy::fusion;
  AttentionFill attention_fill = AttentionFill::onednn;
  Compare compare;
  int64_t verbose = 0;
  Summary summary;
};

// One entry of a knob that addresses tensors or ops by id. Empty: as in the JSON.
using IdValues = std::map<size_t, std::string>;

struct Fpmath {
  iotadnn_fpmath_mode_t mode = iotadnn_fpmath_mode_strict;
  bool apply_to_int = false;
};

inline constexpr char kDefaultPerfTemplate[] = "perf,%engine%,%prb%,%-time%,%0time%";

// Knobs of the graph driver; a list multiplies with the others (one case per combination).
struct DriverSettings {
  std::vector<IdValues> in_shapes{{}};
  std::vector<IdValues> op_attrs{{}};
  std::vector<int64_t> expected_n_partitions{1};
  std::vector<std::optional<Fpmath>> fpmath{std::nullopt};
  std::vector<IdValues> op_kind{{}};
  std::vector<IdValues> tensor_property{{}};
  std::vector<IdValues> tensor_value{{}};
  std::vector<iotadnn_data_type_t> dt{iotadnn_data_type_undef};
  std::vector<IdValues> dt_map{{}};
  std::vector<int64_t> mb{0};
  ImplFilter impl;
  std::string ctx_init = "auto";
  std::string ctx_exe = "auto";
  std::string perf_template = kDefaultPerfTemplate;
};

struct Settings {
  GlobalSettings global;
  DriverSettings driver;
};

// One combination.
struct CaseSettings {
  std::string file;           // as the command line names it
  std::string contract_case;  // of a file that --contract names; "" for --case
  IdValues in_shapes;
  IdValues op_attrs;
  int64_t expected_n_partitions = 1;
  std::optional<Fpmath> fpmath;
  IdValues op_kind;
  IdValues tensor_property;
  IdValues tensor_value;
  iotadnn_data_type_t dt = iotadnn_data_type_undef;
  IdValues dt_map;
  int64_t mb = 0;
  ImplFilter impl;
  std::string ctx_init = "auto";
  std::string ctx_exe = "auto";
};

// All combinations, in oneDNN's order: in-shapes outermost, mb innermost.
std::vector<CaseSettings> combinations(const DriverSettings& driver, const std::string& file);

// What stands between "__REPRO: " and the driver's part: knobs that are not at their default, in
// oneDNN's order, ours after them; then "--graph ".
std::string global_repro(const GlobalSettings& global);

// The driver's part; parsed back it gives the same case.
std::string case_repro(const CaseSettings& settings);

}  // namespace iotadnn::benchdnn
