// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/attention_roles.h"
#include "benchdnn/settings.h"
#include "benchdnn/tensor_memory.h"

// Content of the inputs of attention graphs, and of scales and zero points of DynamicDequantize in
// any graph. Two fills: as oneDNN's driver has it (integers and powers of two, so that scores are
// exact, and so large that nearly all of a row's probability is at one key), or small (scores of at
// most 8, where every key counts). No element is NaN, and infinite is only what a mask says.
namespace iotadnn::benchdnn {

class AttentionContent {
 public:
  AttentionContent(const frontends::GraphDesc& graph, AttentionFill fill);

  const AttentionRoles& roles() const { return roles_; }

  // The graph with a value for each scalar that has a role.
  frontends::GraphDesc with_scalars() const;

  // Fills the elements of a tensor; false for one without a role, and for stats, which follow from
  // the other inputs (attention_stats.h).
  bool fill(size_t id, const TensorView& view) const;

 private:
  double element(size_t id, const InputRole& role, const std::vector<int64_t>& index,
                 const std::vector<int64_t>& dims) const;
  double random_element(size_t id, const InputRole& role, const std::vector<int64_t>& index,
                        uint64_t draw) const;
  double scalar(size_t id, const InputRole& role, uint64_t draw) const;
  double amplitude(const InputRole& role, const std::vector<int64_t>& index) const;
  double largest_number(const InputRole& role) const;
  double quantum(size_t quantized) const;
  bool is_masked(const InputRole& role, const std::vector<int64_t>& index,
                 const std::vector<int64_t>& dims) const;
  void find_scale();

  const frontends::GraphDesc& graph_;
  AttentionFill fill_;
  AttentionRoles roles_;
  double scale_ = 1;  // of the scores, all factors together
};

}  // namespace iotadnn::benchdnn
