// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace iotadnn::models {

// The ops that models are made of once they are read. Inputs and attributes stand beside their rows
// in op_table.cpp. Shapes, axes, lengths and the like are inputs: constants as far as files have
// them as attributes.
enum class Op {
  // pointwise, inputs broadcast as in numpy
  add,
  subtract,
  multiply,
  divide,
  power,
  maximum,
  minimum,
  mod,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_xor,
  logical_not,
  select,
  negative,
  abs,
  sqrt,
  exp,
  log,
  reciprocal,
  sigmoid,
  tanh,
  relu,
  ceil,
  floor,
  cast,
  identity,
  // from coordinates
  eye,
  eye_like,
  gen_index,
  range,
  fill,
  trilu,
  one_hot,
  // from shapes
  shape,
  size,
  // moves
  reshape,
  squeeze,
  unsqueeze,
  flatten,
  expand,
  transpose,
  concat,
  slice,
  split,
  gather,
  // sums and the like
  reduce_sum,
  reduce_max,
  reduce_min,
  reduce_prod,
  reduce_mean,
  cum_sum,
  softmax,
  matmul,
  attention_shapes,
};

}  // namespace iotadnn::models
