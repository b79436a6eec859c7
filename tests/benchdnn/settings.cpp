// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/settings.h"

#include <cstdio>

#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::name_of;

std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// "--name=value " unless the value is the default.
template <class T>
void add(std::string& repro, const char* name, const T& value, const T& standard) {
  if (value == standard) return;
  repro += std::string("--") + name + "=";
  if constexpr (std::is_same_v<T, bool>)
    repro += value ? "true" : "false";
  else if constexpr (std::is_same_v<T, double>)
    repro += shortest(value);
  else if constexpr (std::is_integral_v<T>)
    repro += std::to_string(value);
  else
    repro += value;
  repro += " ";
}

void add(std::string& repro, const char* name, const IdValues& values) {
  if (values.empty()) return;
  repro += std::string("--") + name + "=";
  const char* separator = "";
  for (const auto& [id, value] : values) {
    repro += separator + std::to_string(id) + ":" + value;
    separator = "+";
  }
  repro += " ";
}

}  // namespace

char letter_of(Mode mode) {
  switch (mode) {
    case Mode::list:
      return 'L';
    case Mode::init:
      return 'I';
    case Mode::run:
      return 'R';
    case Mode::correctness:
      return 'C';
    case Mode::performance:
      return 'P';
    case Mode::fast:
      return 'F';
    case Mode::simulation:
      return 'S';
    case Mode::bitwise:
      return 'B';
  }
  return '?';
}

std::string text_of(const Compare& compare) {
  switch (compare.with) {
    case Compare::With::nothing:
      return "none";
    case Compare::With::onednn:
      return "onednn";
    case Compare::With::graph:
      return "graph:" + compare.file;
  }
  return "";
}

bool ImplFilter::admits(const std::string& impl) const {
  if (names.empty()) return true;
  bool hit = false;
  for (const std::string& name : split(names, ','))
    hit = hit || (!name.empty() && impl.find(name) != std::string::npos);
  return hit != skip;
}

std::vector<CaseSettings> combinations(const DriverSettings& driver, const std::string& file) {
  std::vector<CaseSettings> cases(1);
  cases[0].file = file;
  cases[0].impl = driver.impl;
  cases[0].ctx_init = driver.ctx_init;
  cases[0].ctx_exe = driver.ctx_exe;
  const auto multiply = [&cases](const auto& values, auto member) {
    std::vector<CaseSettings> next;
    next.reserve(cases.size() * values.size());
    for (const CaseSettings& one : cases) {
      for (const auto& value : values) {
        next.push_back(one);
        next.back().*member = value;
      }
    }
    cases = std::move(next);
  };
  multiply(driver.in_shapes, &CaseSettings::in_shapes);
  multiply(driver.op_attrs, &CaseSettings::op_attrs);
  multiply(driver.expected_n_partitions, &CaseSettings::expected_n_partitions);
  multiply(driver.fpmath, &CaseSettings::fpmath);
  multiply(driver.op_kind, &CaseSettings::op_kind);
  multiply(driver.tensor_property, &CaseSettings::tensor_property);
  multiply(driver.tensor_value, &CaseSettings::tensor_value);
  multiply(driver.dt, &CaseSettings::dt);
  multiply(driver.dt_map, &CaseSettings::dt_map);
  multiply(driver.mb, &CaseSettings::mb);
  return cases;
}

std::string global_repro(const GlobalSettings& global) {
  const GlobalSettings standard;
  const bool fast = global.mode == Mode::fast;
  const bool simulation = global.mode == Mode::simulation;
  std::string repro;
  add(repro, "mode", std::string(1, letter_of(global.mode)), std::string("C"));
  const std::string modifier =
      std::string(global.parallel_create ? "P" : "") + (global.no_reference_memory ? "M" : "");
  if (!fast && !simulation) add(repro, "mode-modifier", modifier, std::string());
  if (!fast) add(repro, "max-ms-per-prb", global.max_ms_per_prb, standard.max_ms_per_prb);
  if (!simulation)
    add(repro, "fix-times-per-prb", global.fix_times_per_prb, standard.fix_times_per_prb);
  add(repro, "execution-mode", global.execution_mode, standard.execution_mode);
  add(repro, "canonical", global.canonical, standard.canonical);
  const std::string engine =
      global.engine_kind +
      (global.engine_index ? ":" + std::to_string(*global.engine_index) : std::string());
  add(repro, "engine", engine, standard.engine_kind);
  add(repro, "fast-ref", global.fast_ref, standard.fast_ref);
  add(repro, global.impl.skip ? "global-skip-impl" : "global-impl", global.impl.names,
      standard.impl.names);
  add(repro, "mem-check", global.mem_check, standard.mem_check);
  add(repro, "allow-enum-tags-only", global.allow_enum_tags_only, standard.allow_enum_tags_only);
  add(repro, "cpu-isa-hints", global.cpu_isa_hints, standard.cpu_isa_hints);
  add(repro, "attr-same-pd-check", global.attr_same_pd_check, standard.attr_same_pd_check);
  add(repro, "check-ref-impl", global.check_ref_impl, standard.check_ref_impl);
  add(repro, "memory-kind", global.memory_kind, standard.memory_kind);
  add(repro, "stream-kind", global.stream_kind, standard.stream_kind);
  add(repro, "num-streams", global.num_streams, standard.num_streams);
  add(repro, "cold-cache", global.cold_cache, standard.cold_cache);
  add(repro, "buffer-prefix", global.buffer_prefix, standard.buffer_prefix);
  add(repro, "isa", global.isa, standard.isa);
  add(repro, "strategy", global.strategy, standard.strategy);
  add(repro, "threads", global.threads, standard.threads);
  if (global.inplace != standard.inplace)
    repro += global.inplace == Inplace::on ? "--inplace=on " : "--inplace=off ";
  if (global.policy != standard.policy) repro += "--policy=debug ";
  if (global.attention_fill != standard.attention_fill) repro += "--attention-fill=small ";
  add(repro, "compare", text_of(global.compare), text_of(standard.compare));
  return repro + "--graph ";
}

std::string case_repro(const CaseSettings& settings) {
  std::string repro;
  add(repro, "mb", settings.mb, int64_t{0});
  if (settings.dt != iotadnn_data_type_undef)
    repro += "--dt=" + std::string(name_of(settings.dt)) + " ";
  add(repro, "dt", settings.dt_map);
  add(repro, "op-kind", settings.op_kind);
  add(repro, "tensor-property", settings.tensor_property);
  add(repro, "tensor-value", settings.tensor_value);
  add(repro, "in-shapes", settings.in_shapes);
  add(repro, "op-attrs", settings.op_attrs);
  if (settings.fpmath)
    repro += "--attr-fpmath=" + std::string(name_of(settings.fpmath->mode)) +
             (settings.fpmath->apply_to_int ? ":true " : " ");
  add(repro, "expected-n-partitions", settings.expected_n_partitions, int64_t{1});
  const CaseSettings standard;
  add(repro, settings.impl.skip ? "skip-impl" : "impl", settings.impl.names, standard.impl.names);
  add(repro, "ctx-init", settings.ctx_init, standard.ctx_init);
  add(repro, "ctx-exe", settings.ctx_exe, standard.ctx_exe);
  if (!settings.contract_case.empty())
    return repro + "--contract=" + settings.file + "#" + settings.contract_case;
  return repro + "--case=" + settings.file;
}

}  // namespace iotadnn::benchdnn
