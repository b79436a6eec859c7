// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "benchdnn/settings.h"

namespace iotadnn::benchdnn {

enum class KnobScope { global, driver };

// What the driver does with a knob besides changing settings.
enum class KnobAction { set, run_case, run_contract, run_batch, reset, help, choose_driver };

// One row per knob: parsing, --help, and the names that a misspelled one is compared with.
struct Knob {
  std::string_view name;          // without "--"
  std::string_view grammar;       // empty: the knob takes no value
  std::string_view default_text;  // as --help shows it
  std::string_view help;
  KnobScope scope;
  KnobAction action;
  // Throws UsageError. Null unless the action is `set`.
  void (*apply)(Settings& settings, const std::string& value);
};

const std::vector<Knob>& knobs();

struct ParsedKnob {
  const Knob* knob;
  std::string value;
};

// "--name=value", "--name", "-vN". UsageError for anything else: it quotes the argument and names
// the knobs that are spelled alike.
ParsedKnob parse_argument(const std::string& argument);

std::string help_text();

}  // namespace iotadnn::benchdnn
