// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

#include "support/random.h"

namespace iotadnn::test {

enum class Mask {
  none,
  causal,
  bottom_right,
  window,   // causal, and not more than 5 keys back
  prefix,   // causal, but the first 7 keys always
  alibi,    // causal, and a slope per head times the distance is added
  padding,  // keys before a length of each batch
  explicit_add,
  causal_and_add,
  added_causal,  // 0 or the masked value is added
  swapped,       // Select with its branches exchanged: keys behind the query
};

inline constexpr Mask kMasks[] = {Mask::none,         Mask::causal,       Mask::bottom_right,
                                  Mask::window,       Mask::prefix,       Mask::alibi,
                                  Mask::padding,      Mask::explicit_add, Mask::causal_and_add,
                                  Mask::added_causal, Mask::swapped};

std::string name_of(Mask mask);

// How q, k and v lie in memory.
enum class Layout {
  rows,
  padded,  // an odd number of elements from a row to the next
  columns,
  heads_last,  // neither rows nor columns are adjacent
};

// Which scores leave the attention beside its result.
enum class HandedOut {
  none,
  products,  // of queries and keys
  scaled,
  masked,  // what the SoftMax takes
};

// An attention of q [batch, heads, queries, depth] by k [batch, heads, keys, depth], or with
// groups [batch, heads, groups, queries, depth] by k [batch, heads, 1, keys, depth].
struct AttentionSpec {
  using type = graph::logical_tensor::data_type;

  int64_t batch = 1;
  int64_t heads = 2;
  int64_t groups = 0;  // 0: rank 4
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t depth = 8;
  int64_t value_depth = 8;
  Mask mask = Mask::causal;
  float masked = -std::numeric_limits<float>::infinity();
  bool inf_as_zero = true;
  bool divides = false;  // the scale is a divisor
  bool stats = false;
  bool mask_by_keys = false;  // the added mask lies column by column in memory
  bool heads_inside = false;  // rows in memory: batch, queries, heads, depth (acbd)
  Layout layout = Layout::rows;
  HandedOut handed_out = HandedOut::none;
  bool strict = false;         // math mode strict_bits
  bool casts = false;          // the SoftMax gives f32, which is converted for the values
  type dtype = type::f32;      // of q, k, v and the result
  type score = type::f32;      // of all in between
  std::optional<type> values;  // of v, the probabilities and the result, if not dtype

  type value_type() const { return values.value_or(dtype); }

  int64_t groups_or_one() const { return groups == 0 ? 1 : groups; }
};

std::string text_of(const AttentionSpec& spec);

// The graph of a spec with its data; what it computes, in double from the same data.
class AttentionGraph {
 public:
  // Data whose scores stay below 8.
  AttentionGraph(const AttentionSpec& spec, Random& random);

  // Elements by logical position, as values of their types.
  std::vector<double> q, k, v;
  std::vector<double> added;     // [queries, keys]
  std::vector<int32_t> lengths;  // [batch]
  std::vector<double> slopes;    // [heads]
  double scale = 1;

  struct Results {
    std::vector<double> out;         // [batch, heads, groups, queries, value_depth]
    std::vector<double> stats;       // [batch, heads, groups, queries]
    std::vector<double> handed_out;  // [batch, heads, groups, queries, keys]
    std::string impl;
    size_t partitions = 0;
  };

  // In a buffer that ends where memory does.
  Results run() const;
  Results expected() const;

 private:
  double product(int64_t b, int64_t h, int64_t g, int64_t query, int64_t key) const;
  double scaled(double product) const;
  double masked(double scaled, int64_t b, int64_t h, int64_t query, int64_t key) const;

  AttentionSpec spec_;
};

}  // namespace iotadnn::test
