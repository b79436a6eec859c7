// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "partition/ports.h"

namespace iotadnn::impl {

// Sets of ops, ascending, of which each may be the attention around a SoftMax: the MatMul that its
// probabilities go to, perhaps over TypeCasts, and before it what works point by point up to a
// MatMul that gives the scores. The sets to be tried first come first: those with all of the mask,
// then those with no more than what lies between scores and SoftMax, then the same with ops whose
// values are read elsewhere, too. What dequantizes an operand of a MatMul belongs to them.
// `joins(op)`: whether the op works point by point and may be in a region. Paths from a set may
// come back to it.
std::vector<std::vector<size_t>> attentions_around(const ValueIndex& values, size_t softmax,
                                                   const std::function<bool(size_t)>& joins);

// The same for the backward pass of an attention that the MatMul `dk` may end, the gradient of
// keys: its first operand, the gradient of scores, goes to a second MatMul. `joins(op)` is asked of
// the sum over products of the result, too. Only what the last three MatMuls give is read
// elsewhere.
std::vector<std::vector<size_t>> backwards_around(const ValueIndex& values, size_t dk,
                                                  const std::function<bool(size_t)>& joins);

}  // namespace iotadnn::impl
