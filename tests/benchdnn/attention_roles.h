// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "frontends/graph_desc.h"

// What the inputs of an attention graph (a product of matrices, perhaps scaled and masked, through
// SoftMax or a recomputed exp into another product) are to the graph, which says what they must
// hold: -inf where a mask is made of coordinates, lengths that fit the shapes, and so on.
namespace iotadnn::benchdnn {

enum class Role {
  factor,              // query or key: of the scores
  value,               // multiplied by the probabilities
  scale,               // the scores are multiplied by it
  divisor,             // the scores are divided by it
  slope,               // coordinates are multiplied by it (ALiBi)
  masked_value,        // stands where a key is masked
  keep,                // boolean: which keys are kept
  additive_mask,       // added to the scores
  length,              // integer that a coordinate is moved by or compared with
  stats,               // logarithm of a row's sum of exponentials, from a forward pass
  plain,               // any other: small numbers
  quantization_scale,  // of DynamicDequantize, in any graph
  zero_point,
};

struct InputRole {
  Role role = Role::plain;
  size_t reader = 0;  // id of the op that the role comes from
  std::optional<size_t> sum_axis =
      std::nullopt;          // of a factor: the dimension that the product sums over
  int64_t sum_extent = 1;    // of it
  int64_t extent = 0;        // of a length: of the dimension that it is a length of
  bool keeps_false = false;  // of a keep: false means kept
  std::optional<size_t> quantized =
      std::nullopt;  // of a scale or zero point: the input that it belongs to
};

struct AttentionRoles {
  bool attention = false;
  bool empty_rows = false;             // rows with all keys masked are defined (mode inf_as_zero)
  std::map<size_t, InputRole> inputs;  // by tensor; those that have a value have none here
};

// Of the graph with its shapes as they run.
AttentionRoles attention_roles(const frontends::GraphDesc& graph);

}  // namespace iotadnn::benchdnn
