// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/onnx/node_reader.h"

// How ONNX's ops are said in the ops of models, by family. What the specification changed between
// operator sets stands in the function of the op.
namespace iotadnn::models::onnx_ops {

// generators.cpp
std::vector<size_t> eye_like(OnnxNode& n);
std::vector<size_t> trilu(OnnxNode& n);
std::vector<size_t> constant_of_shape(OnnxNode& n);
std::vector<size_t> constant(OnnxNode& n);
std::vector<size_t> one_hot(OnnxNode& n);

// pointwise.cpp
std::vector<size_t> cast(OnnxNode& n);
std::vector<size_t> cast_like(OnnxNode& n);
std::vector<size_t> pow(OnnxNode& n);
std::vector<size_t> clip(OnnxNode& n);
std::vector<size_t> max(OnnxNode& n);
std::vector<size_t> min(OnnxNode& n);
std::vector<size_t> mod(OnnxNode& n);

// moves.cpp
std::vector<size_t> shape(OnnxNode& n);
std::vector<size_t> gather(OnnxNode& n);
std::vector<size_t> concat(OnnxNode& n);
std::vector<size_t> slice(OnnxNode& n);
std::vector<size_t> squeeze(OnnxNode& n);
std::vector<size_t> unsqueeze(OnnxNode& n);
std::vector<size_t> reshape(OnnxNode& n);
std::vector<size_t> flatten(OnnxNode& n);
std::vector<size_t> transpose(OnnxNode& n);
std::vector<size_t> split(OnnxNode& n);

// reductions.cpp
std::vector<size_t> softmax(OnnxNode& n);
std::vector<size_t> reduce_sum(OnnxNode& n);
std::vector<size_t> reduce_max(OnnxNode& n);
std::vector<size_t> reduce_min(OnnxNode& n);
std::vector<size_t> reduce_prod(OnnxNode& n);
std::vector<size_t> reduce_mean(OnnxNode& n);
std::vector<size_t> cum_sum(OnnxNode& n);

// attention.cpp
std::vector<size_t> attention(OnnxNode& n);

}  // namespace iotadnn::models::onnx_ops
