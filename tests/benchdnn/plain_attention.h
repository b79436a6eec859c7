// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "benchdnn/partition_run.h"

namespace iotadnn::benchdnn {

// Forward attention, softmax(scale * query x key) x value, as a graph computes it apart from its
// mask: tensors with data and dims as the products have them, so that key is [..., head, keys].
struct PlainAttention {
  TensorView query;
  TensorView key;
  TensorView value;
  TensorView output;  // without data
  iotadnn_data_type_t scores = iotadnn_data_type_undef;
  iotadnn_data_type_t probabilities = iotadnn_data_type_undef;
  double scale = 1;
};

// nullopt when the graph is something else, or computes query, key or value.
std::optional<PlainAttention> plain_attention(const frontends::GraphDesc& graph,
                                              const Memories& memories);

}  // namespace iotadnn::benchdnn
