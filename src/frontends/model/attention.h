// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/model/builder.h"

// How readers say attention: always the same chain of ops, since that one is known as a whole to
// the library. Scores are [..., queries, keys].
namespace iotadnn::models {

// What Op::attention_shapes computes, a list each. Queries that share a head of keys are a
// dimension of their own, [batch, heads of keys, queries' heads per head, ...], unless there is one
// for each.
enum class AttentionList : size_t {
  query_dims,    // Q with its heads apart, to be turned by
  query_order,   // into [batch, heads, queries, size]
  key_dims,      // K and V in the same way, with
  value_dims,    //
  key_order,     // into [batch, heads, keys, size]
  keys_dims,     // those with the past before them, as the products read them
  values_dims,   //
  padding_dims,  // what the mask lacks at its end
  mask_dims,     // the mask with it, as the scores are split
  length_dims,   // numbers of keys, one per batch
  score_dims,    // [batch, heads, queries, keys]
  result_order,  // the second product to be turned by
  result_dims,   // and to have this shape
  count,
};

// Extent `axis` (-1: the last one) as s64 of rank 0.
size_t extent_of(ModelBuilder& b, size_t value, int64_t axis);

// 1 / sqrt(the last extent of the query), of its type and of rank 0.
size_t default_scale(ModelBuilder& b, size_t query);

size_t scaled_scores(ModelBuilder& b, size_t query, size_t key, size_t scale);

// cap * tanh(scores / cap)
size_t capped(ModelBuilder& b, size_t scores, double cap);

// A boolean mask makes scores -inf where it is false, any other one is added.
size_t masked(ModelBuilder& b, size_t scores, size_t mask);

// Coordinates of the scores along an axis, s32.
size_t coordinate(ModelBuilder& b, size_t scores, int64_t axis);

// Query i sees the keys up to i + offset; kNoValue is an offset of 0.
size_t causal(ModelBuilder& b, size_t scores, size_t offset);

}  // namespace iotadnn::models
