// SPDX-License-Identifier: Apache-2.0
#include "tools/listing.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "frontends/model/error.h"
#include "tools/process.h"

namespace iotadnn::tools {
namespace {

std::string offset_text(size_t offset) {
  char text[32];
  std::snprintf(text, sizeof text, "%6zx:  ", offset);
  return text;
}

// Of objdump's lines those of instructions, "   4:\tjb     0x12f", without its headings.
std::string instructions_of(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(":\t");
    const size_t first = line.find_first_not_of(' ');
    if (colon == std::string::npos || line.find_first_not_of("0123456789abcdef", first) != colon)
      continue;
    text += offset_text(std::stoul(line.substr(first, colon - first), nullptr, 16));
    text += line.substr(colon + 2);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string constants_of(const iotadnn_graph_kernel_t& kernel) {
  constexpr size_t kPerLine = 16;
  std::string text;
  for (size_t at = kernel.instructions_size; at < kernel.size; ++at) {
    char byte[8];
    std::snprintf(byte, sizeof byte, " %02x", kernel.code[at]);
    const bool begins_line = at == kernel.instructions_size || at % kPerLine == 0;
    if (begins_line) text += (text.empty() ? "" : "\n") + offset_text(at) + ".byte";
    text += byte;
  }
  return text.empty() ? text : text + '\n';
}

std::string disassemble(const iotadnn_graph_kernel_t& kernel) {
  const MemoryFile file(kernel.code, kernel.instructions_size);
  try {
    return instructions_of(
        output_of({"objdump", "--disassemble-all", "--disassemble-zeroes", "--target=binary",
                   "--architecture=i386:x86-64", "--disassembler-options=intel",
                   "--no-show-raw-insn", file.path()}));
  } catch (const std::runtime_error& error) {
    throw models::ModelError(std::string("a listing needs objdump (Debian package binutils): ") +
                             error.what());
  }
}

}  // namespace

std::string heading_of(const iotadnn_graph_kernel_t& kernel) {
  return std::string("kernel ") + kernel.name + ": " + std::to_string(kernel.instructions_size) +
         " bytes of instructions, " + std::to_string(kernel.size - kernel.instructions_size) +
         " of constants";
}

const std::string& Disassembler::listing(const iotadnn_graph_kernel_t& kernel) {
  const auto known = known_.find(kernel.code);
  if (known != known_.end()) return known->second;
  return known_[kernel.code] = disassemble(kernel) + constants_of(kernel);
}

}  // namespace iotadnn::tools
