// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/knob_values.h"

#include <algorithm>
#include <cctype>

#include "iotadnn/common.h"

#include "benchdnn/errors.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/perf_template.h"
#include "benchdnn/shape_text.h"
#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& value,
                         const std::string& allowed) {
  throw UsageError(what + ": expected " + allowed + ", got '" + value + "'.");
}

iotadnn_data_type_t parse_dt(const std::string& text) {
  const auto type = frontends::data_type_from_name(text);
  if (!type) refuse("--dt", text, "a data type (f32, bf16, f16, s32, ...)");
  return *type;
}

void check_dt(const std::string& value, const std::string& /*what*/) {
  parse_dt(value);
}

bool has_entries(const std::vector<IdValues>& values) {
  return std::any_of(values.begin(), values.end(), [](const IdValues& v) { return !v.empty(); });
}

IdValues parse_entry(const std::string& entry, const std::string& knob, ValueCheck check) {
  IdValues values;
  if (entry.empty()) return values;
  for (const std::string& pair : split(entry, '+')) {
    const size_t colon = pair.find(':');
    if (colon == std::string::npos)
      throw UsageError(
          "a colon separating the key and value was not found. Parsed input for "
          "option '" +
          knob + "': '" + pair + "'.");
    const std::string value = pair.substr(colon + 1);
    if (value.empty())
      throw UsageError("a value after colon was not parsed. Parsed input for option '" + knob +
                       "': '" + pair + "'.");
    const size_t id = parse_id(pair.substr(0, colon), knob);
    check(value, knob + ", id " + std::to_string(id));
    if (!values.emplace(id, value).second)
      throw UsageError(knob + ": id " + std::to_string(id) + " is given twice ('" + values.at(id) +
                       "' and '" + value + "').");
  }
  return values;
}

}  // namespace

void set_mode(GlobalSettings& global, const std::string& value) {
  static constexpr std::string_view kLetters = "LIRCPFSB";
  static constexpr Mode kModes[] = {Mode::list,        Mode::init,        Mode::run,
                                    Mode::correctness, Mode::performance, Mode::fast,
                                    Mode::simulation,  Mode::bitwise};
  const char letter = value.size() == 1
                          ? static_cast<char>(std::toupper(static_cast<unsigned char>(value[0])))
                          : '\0';
  const size_t at = kLetters.find(letter);
  if (letter == '\0' || at == std::string_view::npos)
    refuse("--mode", value, "L, I, R, C, P, F, S or B");
  global.mode = kModes[at];
  if (global.mode == Mode::run) global.no_reference_memory = true;
  if (global.mode == Mode::fast) {
    global.max_ms_per_prb = 10;
    global.parallel_create = global.no_reference_memory = true;
  }
  if (global.mode == Mode::simulation) {
    global.fix_times_per_prb = 1;
    global.no_reference_memory = true;
  }
}

void set_mode_modifier(GlobalSettings& global, const std::string& value) {
  for (const char c : value) {
    if (c == 'p' || c == 'P')
      global.parallel_create = true;
    else if (c == 'm' || c == 'M')
      global.no_reference_memory = true;
    else
      refuse("--mode-modifier", value, "letters P and M");
  }
  if (value.empty()) global.parallel_create = global.no_reference_memory = false;
}

void set_max_ms(GlobalSettings& global, const std::string& value) {
  if (global.mode == Mode::fast)
    throw UsageError("mode=F can't be adjusted. Use mode=P with --max-ms-per-prb instead.");
  global.max_ms_per_prb = std::clamp(parse_real(value, "--max-ms-per-prb"), 10.0, 60000.0);
}

void set_fix_times(GlobalSettings& global, const std::string& value) {
  if (global.mode == Mode::simulation)
    throw UsageError("mode=S can't be adjusted. It implies fix-times-per-prb=1.");
  global.fix_times_per_prb =
      std::max<int64_t>(0, parse_integer(value, "--fix-times-per-prb", INT64_MIN, 1 << 30));
}

void set_cold_cache(GlobalSettings& global, const std::string& value) {
  const std::vector<std::string> parts = split(value, '+');
  one_of(parts[0], "--cold-cache", {"none", "wei", "all", "custom"});
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string> extension = split(parts[i], ':');
    std::string name = extension[0];
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool sized = extension.size() == 2 && extension[1].size() > 1 &&
                       (extension[1].back() == 'M' || extension[1].back() == 'G');
    if (name != "tlb" || !(extension.size() == 1 || sized))
      refuse("--cold-cache", parts[i], "tlb or tlb:SIZE with SIZE like 500M or 1.5G");
    if (sized) parse_real(extension[1].substr(0, extension[1].size() - 1), "--cold-cache");
  }
  global.cold_cache = value;
}

void set_engine(GlobalSettings& global, const std::string& value) {
  const std::vector<std::string> parts = split(value, ':');
  if (parts.size() > 2) refuse("--engine", value, "KIND[:INDEX]");
  global.engine_kind = one_of(parts[0], "--engine", {"cpu", "gpu"});
  global.engine_index.reset();
  if (parts.size() == 2) global.engine_index = parse_integer(parts[1], "--engine", 0, 1 << 20);
}

void set_isa(GlobalSettings& global, const std::string& value) {
  iotadnn_cpu_isa_t isa = iotadnn_cpu_isa_default;
  if (iotadnn_cpu_isa_from_name(value.c_str(), &isa) != iotadnn_success)
    refuse("--isa", value, "reference, portable, default or a name like avx2 or avx512_core");
  global.isa = value;
}

void set_check_ref_impl(GlobalSettings& global, const std::string& value) {
  if (value == "cpu" || value == "gpu")
    global.check_ref_impl = value;
  else
    global.check_ref_impl = parse_bool(value, "--check-ref-impl") ? "true" : "false";
}

void set_inplace(GlobalSettings& global, const std::string& value) {
  global.inplace = one_of(value, "--inplace", {"on", "off"}) == "on" ? Inplace::on : Inplace::off;
}

void set_attention_fill(GlobalSettings& global, const std::string& value) {
  const std::string fill = one_of(value, "--attention-fill", {"onednn", "small"});
  global.attention_fill = fill == "small" ? AttentionFill::small : AttentionFill::onednn;
}

void set_compare(GlobalSettings& global, const std::string& value) {
  const std::string graph = "graph:";
  if (value.rfind(graph, 0) == 0 && value.size() > graph.size()) {
    global.compare = {Compare::With::graph, value.substr(graph.size())};
    return;
  }
  const bool onednn = one_of(value, "--compare", {"none", "onednn", "graph:FILE"}) == "onednn";
  if (onednn && !has_onednn())
    throw UsageError(
        "--compare: this build has no oneDNN; install Debian's libdnnl-dev and configure with "
        "-DIOTADNN_WITH_ONEDNN=ON.");
  global.compare = {onednn ? Compare::With::onednn : Compare::With::nothing, ""};
}

void set_policy(GlobalSettings& global, const std::string& value) {
  global.policy =
      one_of(value, "--policy", {"fusion", "debug"}) == "debug" ? Policy::debug : Policy::fusion;
}

void set_summary(GlobalSettings& global, const std::string& value) {
  for (const std::string& part : split(value, '+')) {
    const bool on = part.rfind("no-", 0) != 0;
    const std::string what = on ? part : part.substr(3);
    if (what == "failures")
      global.summary.failures = on;
    else if (what == "impl")
      global.summary.impl = on;
    else if (what == "impl-csv")
      global.summary.impl_csv = on;
    else
      refuse("--summary", part, "[no-]failures, [no-]impl or [no-]impl-csv");
  }
}

void set_dt(DriverSettings& driver, const std::string& value) {
  const char* const mixed = "--dt is specified twice with different styles.";
  if (value.find(':') != std::string::npos) {
    if (driver.dt != std::vector<iotadnn_data_type_t>{iotadnn_data_type_undef})
      throw UsageError(mixed);
    driver.dt_map = parse_id_values(value, "--dt", &check_dt);
    return;
  }
  if (has_entries(driver.dt_map)) throw UsageError(mixed);
  driver.dt.clear();
  for (const std::string& entry : split(value, ','))
    driver.dt.push_back(parse_dt(entry));
}

void set_perf_template(DriverSettings& driver, const std::string& value) {
  if (value == "def")
    driver.perf_template = kDefaultPerfTemplate;
  else if (value == "csv")
    driver.perf_template = "perf,%engine%,%desc%,%-time%,%0time%";
  else
    driver.perf_template = value;
  check_perf_template(driver.perf_template);
}

std::string one_of(const std::string& value, const std::string& knob,
                   std::initializer_list<std::string_view> allowed) {
  std::string list;
  for (const std::string_view option : allowed) {
    if (option == value) return value;
    list += (list.empty() ? "" : ", ") + std::string(option);
  }
  refuse(knob, value, (allowed.size() > 1 ? "one of " : "") + list);
}

std::string parse_context(const std::string& value, const std::string& knob) {
  if (value == "auto") return value;
  const std::vector<std::string> parts = split(value, ':');
  if (parts.size() > 3)
    refuse(knob, value, "auto or MAX_CONCURRENCY[:CORE_TYPE[:THREADS_PER_CORE]]");
  for (const std::string& part : parts)
    parse_integer(part, knob, -1, 1 << 20);
  return value;
}

std::vector<int64_t> parse_integers(const std::string& value, const std::string& knob) {
  std::vector<int64_t> numbers;
  for (const std::string& entry : split(value, ','))
    numbers.push_back(parse_integer(entry, knob, 0, INT64_MAX));
  return numbers;
}

std::vector<std::optional<Fpmath>> parse_fpmath(const std::string& value) {
  std::vector<std::optional<Fpmath>> modes;
  for (const std::string& entry : split(value, ',')) {
    if (entry.empty()) {
      modes.emplace_back();
      continue;
    }
    const std::vector<std::string> parts = split(entry, ':');
    const auto mode = frontends::fpmath_mode_from_name(parts[0]);
    if (!mode || parts.size() > 2)
      refuse("--attr-fpmath", entry, "strict, bf16, f16, any or tf32, then :true or :false");
    modes.push_back(Fpmath{*mode, parts.size() == 2 && parse_bool(parts[1], "--attr-fpmath")});
  }
  return modes;
}

std::vector<IdValues> parse_id_values(const std::string& value, const std::string& knob,
                                      ValueCheck check) {
  std::vector<IdValues> cases;
  for (const std::string& entry : split(value, ','))
    cases.push_back(parse_entry(entry, knob, check));
  return cases;
}

void check_shape(const std::string& value, const std::string& what) {
  parse_shape(value, what);
}

void check_attrs(const std::string& value, const std::string& what) {
  split_attrs(value, what);
}

void check_op_kind(const std::string& value, const std::string& what) {
  if (value != "undef" && !frontends::op_kind_from_name(value))
    refuse(what, value, "an op kind or undef");
}

void check_property(const std::string& value, const std::string& what) {
  if (!frontends::property_from_name(value))
    refuse(what, value, "undef, variable, constant or host_scalar");
}

void check_tensor_value(const std::string& value, const std::string& what) {
  for (const std::string& number : split(value, 'x'))
    parse_real(number, what);
}

}  // namespace iotadnn::benchdnn
