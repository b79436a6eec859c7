// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "iotadnn/graph.hpp"

namespace iotadnn::tools {

// "kernel iotadnn_rows_r2_w4_p1: 448 bytes of instructions, 64 of constants"
std::string heading_of(const iotadnn_graph_kernel_t& kernel);

// Machine code as text, one instruction a line behind its offset, in Intel's syntax, and then the
// constants as bytes. By objdump: Capstone 4, which Debian has, takes EVEX instructions on bytes
// and words for others.
class Disassembler {
 public:
  // Kernels are shared by partitions: each code is read once. ModelError when there is no objdump.
  const std::string& listing(const iotadnn_graph_kernel_t& kernel);

 private:
  std::map<const uint8_t*, std::string> known_;
};

}  // namespace iotadnn::tools
