// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/perf_template.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "benchdnn/errors.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

struct Token {
  char modifier = '\0';
  double unit = 1;
  std::string_view name;
};

struct Context {
  const PerfLine& line;
  const CaseSettings& settings;
  const GlobalSettings& global;
  const CaseResult& result;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

double of_modifier(const Token& token, const PerfTimes& times) {
  if (token.modifier == '0') return times.avg_ms;
  return token.modifier == '+' ? times.max_ms : times.min_ms;
}

double time_ms(const Token& token, const Context& context) {
  return of_modifier(token, context.result.perf);
}

double unfused_ms(const Token& token, const Context& context) {
  return of_modifier(token, context.result.perf.unfused);
}

// How often the time goes into another one.
std::string ratio(double other_ms, const Token& token, const Context& context) {
  const double ms = time_ms(token, context);
  return number(ms > 0 ? other_ms / ms : 0);
}

double per_second(double amount, const Token& token, const Context& context) {
  const double ms = time_ms(token, context);
  return ms > 0 ? amount / (1e-3 * ms) / token.unit : 0;
}

double moved_bytes(const Context& context) {
  return context.result.input_bytes + context.result.output_bytes;
}

std::string percent(double other_ms, const Token& token, const Context& context) {
  const double ms = time_ms(token, context);
  return number(ms > 0 ? 100 * other_ms / ms : 0);
}

double compared_ms(const Token& token, const Context& context) {
  return of_modifier(token, context.result.perf.compared);
}

// How often the time of what is compared goes into ours.
std::string compared_ratio(const Token& token, const Context& context) {
  const double theirs = compared_ms(token, context);
  return number(theirs > 0 ? time_ms(token, context) / theirs : 0);
}

bool is_with_onednn(const Context& context) {
  return context.global.compare.with == Compare::With::onednn;
}

using Text = std::string (*)(const Token&, const Context&);

std::string nothing(const Token& /*token*/, const Context& /*context*/) {
  return "";
}

std::string zero(const Token& /*token*/, const Context& /*context*/) {
  return "0";
}

using T = const Token&;
using C = const Context&;

const std::vector<std::pair<std::string_view, Text>>& texts() {
  static const std::vector<std::pair<std::string_view, Text>> rows = {
      {"engine", [](T, C c) { return c.global.engine_kind; }},
      {"prb", [](T, C c) { return c.line.repro; }},
      {"desc", [](T, C c) { return c.line.case_repro; }},
      {"driver", [](T, C) { return std::string("graph"); }},
      {"idx", [](T, C c) { return std::to_string(c.line.index); }},
      {"name", [](T, C c) { return c.result.names; }},
      {"alg", [](T, C c) { return c.result.kinds; }},
      {"impl", [](T, C c) { return c.result.impl; }},
      {"isa", [](T, C c) { return c.result.isa; }},
      {"threads", [](T, C c) { return std::to_string(c.result.threads); }},
      {"shapes", [](T, C c) { return c.result.output_shapes; }},
      {"dt", [](T, C c) { return c.result.output_types; }},
      {"ddt", [](T, C c) { return c.result.output_types; }},
      {"sdt", [](T, C c) { return c.result.input_types; }},
      {"mb",
       [](T, C c) { return c.settings.mb > 0 ? std::to_string(c.settings.mb) : std::string(); }},
      {"attr",
       [](T, C c) {
         return c.settings.fpmath ? std::string(frontends::name_of(c.settings.fpmath->mode))
                                  : std::string();
       }},
      {"time", [](T t, C c) { return number(time_ms(t, c) / t.unit); }},
      {"bw", [](T t, C c) { return number(per_second(moved_bytes(c), t, c)); }},
      {"ibytes", [](T t, C c) { return number(c.result.input_bytes / t.unit); }},
      {"obytes", [](T t, C c) { return number(c.result.output_bytes / t.unit); }},
      {"iobytes", [](T t, C c) { return number(moved_bytes(c) / t.unit); }},
      {"limit", [](T t, C c) { return percent(c.result.perf.limit_ms, t, c); }},
      {"limit-impl", [](T, C c) { return c.result.perf.limit_name; }},
      {"outofplace", [](T t, C c) { return ratio(c.result.perf.out_of_place_ms, t, c); }},
      {"unfused", [](T t, C c) { return number(unfused_ms(t, c) / t.unit); }},
      {"speedup", [](T t, C c) { return ratio(unfused_ms(t, c), t, c); }},
      {"read-limit", [](T t, C c) { return percent(c.result.perf.read_limit_ms, t, c); }},
      {"read-limit-time", [](T t, C c) { return number(c.result.perf.read_limit_ms / t.unit); }},
      {"read-limit-impl", [](T, C c) { return c.result.perf.read_limit_name; }},
      {"compare", compared_ratio},
      {"compare-median", [](T, C c) { return number(c.result.perf.compared_ratio); }},
      {"compare-time", [](T t, C c) { return number(compared_ms(t, c) / t.unit); }},
      {"onednn", [](T t, C c) { return is_with_onednn(c) ? compared_ratio(t, c) : "0"; }},
      {"onednn-time",
       [](T t, C c) { return number(is_with_onednn(c) ? compared_ms(t, c) / t.unit : 0); }},
      {"peakmem",
       [](T t, C c) {
         return c.result.peak_bytes ? number(*c.result.peak_bytes / t.unit) : std::string("N/A");
       }},
      {"clocks", [](T t, C c) { return number(c.result.perf.avg_ticks / t.unit); }},
      {"freq",
       [](T t, C c) {
         return number(c.result.perf.avg_ms > 0
                           ? c.result.perf.avg_ticks / (1e-3 * c.result.perf.avg_ms) / t.unit
                           : 0);
       }},
      {"ctime",
       [](T t, C c) {
         return number(1e3 * (c.result.phases.create_prim + c.result.phases.create_pd) / t.unit);
       }},
      {"cptime", [](T t, C c) { return number(1e3 * c.result.phases.create_prim / t.unit); }},
      {"cpdtime", [](T t, C c) { return number(1e3 * c.result.phases.create_pd / t.unit); }},
      {"ops", zero},
      {"flops", zero},  // generators compute nothing that is counted
      {"cfg", nothing},
      {"flags", nothing},
      {"activation", nothing},
      {"direction", nothing},
      {"axis", nothing},
      {"dir", nothing},
      {"group", nothing},
      {"bia_dt", nothing},
      {"stag", nothing},
      {"dtag", nothing},
      {"prop", nothing},
      {"tag", nothing},
      {"stat_tag", nothing},
      {"wtag", nothing},
      {"ctx-init", nothing},
      {"ctx-exe", nothing},
  };
  return rows;
}

Token parse_token(std::string_view text) {
  Token token;
  if (!text.empty() && (text[0] == '-' || text[0] == '0' || text[0] == '+')) {
    token.modifier = text[0];
    text.remove_prefix(1);
  }
  if (!text.empty() && (text[0] == 'K' || text[0] == 'M' || text[0] == 'G')) {
    token.unit = text[0] == 'K' ? 1e3 : text[0] == 'M' ? 1e6 : 1e9;
    text.remove_prefix(1);
  }
  token.name = text;
  return token;
}

Text text_of(const Token& token) {
  for (const auto& [name, text] : texts())
    if (name == token.name) return text;
  throw UsageError("perf report option \"" + std::string(token.name) + "\" is not supported");
}

// Calls literal() and token() for the parts of a template, in order.
template <class Literal, class OnToken>
void walk(std::string_view text, Literal literal, OnToken on_token) {
  while (true) {
    const size_t open = text.find('%');
    literal(text.substr(0, open));
    if (open == std::string_view::npos) return;
    const size_t close = text.find('%', open + 1);
    if (close == std::string_view::npos)
      throw UsageError("--perf-template: '" + std::string(text.substr(open)) +
                       "' has no closing percent sign");
    on_token(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

bool names_one_of(const std::string& text, std::initializer_list<std::string_view> names) {
  bool found = false;
  walk(
      text, [](std::string_view) {},
      [&](std::string_view token) {
        const std::string_view name = parse_token(token).name;
        found = found || std::find(names.begin(), names.end(), name) != names.end();
      });
  return found;
}

}  // namespace

void check_perf_template(const std::string& text) {
  walk(
      text, [](std::string_view) {}, [](std::string_view token) { text_of(parse_token(token)); });
}

std::string perf_header(const std::string& text) {
  std::string header;
  walk(
      text, [&](std::string_view literal) { header += literal; },
      [&](std::string_view token) {
        const char modifier = parse_token(token).modifier;
        if (modifier != '\0') token.remove_prefix(1);
        if (modifier == '-') header += "min_";
        if (modifier == '0') header += "avg_";
        if (modifier == '+') header += "max_";
        header += token;
      });
  return header;
}

std::string perf_line(const std::string& text, const PerfLine& line, const CaseSettings& settings,
                      const GlobalSettings& global, const CaseResult& result) {
  const Context context{line, settings, global, result};
  std::string filled;
  walk(
      text, [&](std::string_view literal) { filled += literal; },
      [&](std::string_view name) {
        const Token token = parse_token(name);
        filled += text_of(token)(token, context);
      });
  return filled;
}

bool needs_limit(const std::string& text) {
  return names_one_of(text, {"limit", "limit-impl"});
}

bool needs_out_of_place(const std::string& text) {
  return names_one_of(text, {"outofplace"});
}

bool needs_read_limit(const std::string& text) {
  return names_one_of(text, {"read-limit", "read-limit-time", "read-limit-impl"});
}

bool needs_peak_memory(const std::string& text) {
  return names_one_of(text, {"peakmem"});
}

bool needs_unfused(const std::string& text) {
  return names_one_of(text, {"unfused", "speedup"});
}

}  // namespace iotadnn::benchdnn
