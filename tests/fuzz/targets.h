// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// The readers of files as functions of bytes that someone else chose. Each reads its input or
// refuses it with one sentence; what is read is also run, on small inputs, or built. Anything else
// (a crash, another exception, an empty sentence) is a find. libFuzzer and the mutation test call
// the same functions.
namespace iotadnn::fuzz {

enum class Outcome { refused, read, ran };

struct Target {
  const char* name;
  Outcome (*run)(std::string_view input);
  std::vector<std::string> (*seeds)();   // valid inputs that mutations start from
  std::vector<std::string> (*tokens)();  // pieces of the grammar
};

// An OpenVINO IR is one input: the text of the .xml, a byte of 0, the bytes of the .bin.
const std::vector<Target>& targets();

// Null without.
const Target* find_target(std::string_view name);

}  // namespace iotadnn::fuzz
