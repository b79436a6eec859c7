// SPDX-License-Identifier: Apache-2.0
#include "runtime/verbose_text.h"

#include <cstdio>

namespace iotadnn::impl {
namespace {

constexpr const char* kFpmathModes[] = {"strict", "bf16", "f16", "any", "tf32"};

std::string fpmath_text(const VerboseHeader& header) {
  const bool known = header.fpmath_mode >= 0 && header.fpmath_mode < 5;
  return std::string("fpm:") + (known ? kFpmathModes[header.fpmath_mode] : "unknown") +
         (header.fpmath_apply_to_int ? ":true" : "");
}

void add_tensors(std::string& text, const char* prefix, Span<const LogicalTensor> tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!text.empty()) text += ' ';
    text += prefix + std::to_string(i) + "_" + verbose_text(tensors[i]);
  }
}

std::string line(const std::string& operation, const VerboseHeader& header,
                 Span<const LogicalTensor> inputs, Span<const LogicalTensor> outputs,
                 const std::string& scratchpad, const std::string& impl, double ms) {
  std::string tensors;
  add_tensors(tensors, "in", inputs);
  add_tensors(tensors, "out", outputs);
  char time[32];
  std::snprintf(time, sizeof time, "%g", ms);
  return "graph," + operation + ",cpu," + std::to_string(header.partition_id) + "," + header.kind +
         "," + header.op_names + ",," + tensors + "," + fpmath_text(header) + "," + scratchpad +
         "," + impl + ",iotadnn_backend," + time;
}

}  // namespace

VerboseHeader header_of(const Partition& partition) {
  VerboseHeader header{partition.id, partition.kind, "", partition.fpmath_mode,
                       partition.fpmath_apply_to_int};
  for (const Op& op : partition.ops)
    header.op_names += (header.op_names.empty() ? "" : ";") + op.name;
  return header;
}

std::string exec_line(const VerboseHeader& header, const std::vector<LogicalTensor>& inputs,
                      const std::vector<LogicalTensor>& outputs, const std::string& impl,
                      double ms) {
  return line("exec", header, {inputs.data(), inputs.size()}, {outputs.data(), outputs.size()},
              "scratchpad:library:0", impl, ms);
}

std::string compile_line(const VerboseHeader& header, Span<const LogicalTensor> inputs,
                         Span<const LogicalTensor> outputs, const std::string& impl, bool cache_hit,
                         double ms) {
  return line(cache_hit ? "compile:compiled_partition_cache_hit" : "compile:cache_miss", header,
              inputs, outputs, "scratchpad:0", impl, ms);
}

std::vector<LogicalTensor> tensors_of(Span<const Tensor* const> tensors) {
  std::vector<LogicalTensor> lts;
  lts.reserve(tensors.size());
  for (const Tensor* tensor : tensors)
    lts.push_back(tensor->lt);
  return lts;
}

}  // namespace iotadnn::impl
