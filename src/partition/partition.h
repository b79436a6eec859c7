// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace iotadnn::impl {

enum class Policy : int32_t { fusion = 1, debug = 2 };

// Kinds of partitions around an op that a primitive of oneDNN computes, with what works point by
// point behind it.
namespace partition_kind {
inline constexpr const char* kMatMul = "matmul_post_ops";
inline constexpr const char* kSoftMax = "softmax_post_ops";
}  // namespace partition_kind

// Ops that are compiled and executed together, or one op that is not ours.
struct Partition {
  size_t id = 0;
  int32_t engine_kind = 0;
  int32_t fpmath_mode = 0;
  bool fpmath_apply_to_int = false;
  MathMode math_mode = MathMode::standard;
  bool supported = false;
  std::string reason;  // why not, one sentence; empty when supported
  // oneDNN's kind string for verbose lines: "sdp" for attentions, one of partition_kind, else
  // "misc_post_ops".
  std::string kind;
  std::vector<Op> ops;                 // topological order
  std::vector<LogicalTensor> inputs;   // every (op, input) edge from outside, in op and port order,
                                       // repeats kept (onednn_graph semantics, section 2.4)
  std::vector<LogicalTensor> outputs;  // values without consumer, or with one outside, or an End
};

// Whether a region that sums or gathers has a form as one program, or is an attention, or, of one
// of the kinds in partition_kind, is computed by a primitive; unimplemented with the sentence if
// not. What may join is asked of those who lower it.
using CanLower = Status (*)(const Partition&);

// Partitions of a finalized graph in topological order; every op is in exactly one of them. Without
// `can_lower` only ops that work point by point join regions.
std::vector<Partition> make_partitions(const Graph& graph, Policy policy,
                                       CanLower can_lower = nullptr);

// Joining rules: "" when this op may be claimed, else the reason for the refusal.
std::string refusal(const Op& op);

}  // namespace iotadnn::impl
