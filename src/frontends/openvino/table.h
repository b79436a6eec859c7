// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/openvino/node_reader.h"

// How OpenVINO's ops are said in the ops of models, by family.
namespace iotadnn::models::ir_ops {

template <Op op>
std::vector<size_t> binary(IrNode& n) {  // two inputs, "auto_broadcast"
  size_t second = n.input(1);
  const Broadcast rule = n.broadcast(n.input(0), second);
  return {n.b.add(op, {n.input(0), second}, {{"broadcast", static_cast<int64_t>(rule)}})};
}

template <Op op>
std::vector<size_t> reduce(IrNode& n) {  // an empty list of axes leaves all as it is
  return {n.b.add(op, {n.input(0), n.index(1)},
                  {{"keep_dims", int64_t{n.flag("keep_dims", false)}}, {"noop", int64_t{1}}})};
}

// ops_generators.cpp
std::vector<size_t> eye(IrNode& n);
std::vector<size_t> range(IrNode& n);
std::vector<size_t> shape_of(IrNode& n);

// ops_pointwise.cpp
std::vector<size_t> convert(IrNode& n);
std::vector<size_t> convert_like(IrNode& n);
std::vector<size_t> select(IrNode& n);
std::vector<size_t> divide(IrNode& n);
std::vector<size_t> mod(IrNode& n);
std::vector<size_t> floor_mod(IrNode& n);
std::vector<size_t> squared_difference(IrNode& n);
std::vector<size_t> clamp(IrNode& n);
std::vector<size_t> softmax(IrNode& n);
std::vector<size_t> cum_sum(IrNode& n);
std::vector<size_t> matmul(IrNode& n);

// ops_moves.cpp
std::vector<size_t> gather(IrNode& n);
std::vector<size_t> concat(IrNode& n);
std::vector<size_t> slice(IrNode& n);
std::vector<size_t> squeeze(IrNode& n);
std::vector<size_t> unsqueeze(IrNode& n);
std::vector<size_t> reshape(IrNode& n);
std::vector<size_t> broadcast(IrNode& n);
std::vector<size_t> transpose(IrNode& n);

// ops_attention.cpp
std::vector<size_t> scaled_dot_product_attention(IrNode& n);

}  // namespace iotadnn::models::ir_ops
