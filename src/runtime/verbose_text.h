// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/span.h"
#include "graph/logical_tensor.h"
#include "partition/partition.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// The columns of a verbose line that belong to the partition.
struct VerboseHeader {
  size_t partition_id = 0;
  std::string kind;
  std::string op_names;  // joined by ';'
  int32_t fpmath_mode = 0;
  bool fpmath_apply_to_int = false;
};

VerboseHeader header_of(const Partition& partition);

// oneDNN's line grammar with its scratchpad column:
//   graph,exec,cpu,<id>,<kind>,<names>,<formats>,<tensors>,<fpmath>,<scratchpad>,<impl>,<backend>,<ms>
std::string exec_line(const VerboseHeader& header, const std::vector<LogicalTensor>& inputs,
                      const std::vector<LogicalTensor>& outputs, const std::string& impl,
                      double ms);

//   graph,compile:<cache_miss|compiled_partition_cache_hit>,cpu,...
std::string compile_line(const VerboseHeader& header, Span<const LogicalTensor> inputs,
                         Span<const LogicalTensor> outputs, const std::string& impl, bool cache_hit,
                         double ms);

std::vector<LogicalTensor> tensors_of(Span<const Tensor* const> tensors);

}  // namespace iotadnn::impl
