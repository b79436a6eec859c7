// SPDX-License-Identifier: Apache-2.0
// The shapes around an attention whose inputs have rank 3 or 4, heads of their own or shared ones,
// and a past. All that is known of them before a run is here, so that the chain itself only
// follows.
#include <algorithm>
#include <array>

#include "frontends/model/attention.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

constexpr size_t kLists = static_cast<size_t>(AttentionList::count);
constexpr size_t kQuery = 0;
constexpr size_t kKey = 1;
constexpr size_t kValue = 2;
constexpr size_t kMask = 3;
constexpr size_t kPastKey = 4;
constexpr size_t kPastValue = 5;
constexpr size_t kLengths = 6;

std::string has_shape(const ShapeContext& c, size_t port) {
  constexpr const char* kNames[] = {
      "Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"};
  return std::string(kNames[port]) + " has shape " + shape_text(c.dims(port));
}

// Unknown extents may be any.
void require_dims(const ShapeContext& c, size_t port, const Dims& allowed) {
  const Dims& dims = c.dims(port);
  const auto fits = [](int64_t extent, int64_t wanted) {
    return wanted == kUnknownDim || extent == wanted;
  };
  if (!std::equal(dims.begin(), dims.end(), allowed.begin(), allowed.end(), fits))
    c.fail(has_shape(c, port) + ", allowed: " + shape_text(allowed));
}

struct Sizes {
  bool is_flat;  // heads are side by side in the last of three dimensions
  int64_t batch;
  int64_t heads, kv_heads, group;  // group: heads / kv_heads
  int64_t queries, keys, total;    // total: keys with the past
  int64_t size, value_size;        // of a head
};

int64_t size_of_head(const ShapeContext& c, size_t port, int64_t heads) {
  const int64_t hidden = c.dims(port).back();
  if (hidden % heads != 0)
    c.fail(has_shape(c, port) + ", which is not " + std::to_string(heads) + " heads of one size");
  return hidden / heads;
}

void read_flat(const ShapeContext& c, Sizes& s) {
  if (s.heads == 0 || s.kv_heads == 0)
    c.fail(has_shape(c, kQuery) +
           "; inputs of rank 3 need the attributes 'q_num_heads' and 'kv_num_heads'");
  s.queries = c.dims(kQuery)[1];
  s.keys = c.dims(kKey)[1];
  s.size = size_of_head(c, kQuery, s.heads);
  require_dims(c, kKey, {s.batch, kUnknownDim, kUnknownDim});
  if (size_of_head(c, kKey, s.kv_heads) != s.size)
    c.fail(has_shape(c, kKey) + ", which is " + std::to_string(s.kv_heads) + " heads of " +
           std::to_string(c.dims(kKey).back() / s.kv_heads) + ", allowed: heads of " +
           std::to_string(s.size) + " as Q has them");
  require_dims(c, kValue, {s.batch, s.keys, kUnknownDim});
  s.value_size = size_of_head(c, kValue, s.kv_heads);
}

void read_apart(const ShapeContext& c, Sizes& s) {
  const Dims& query = c.dims(kQuery);
  const Dims& key = c.dims(kKey);
  const auto check = [&](const char* attr, int64_t given, size_t port) {
    if (given != 0 && given != c.dims(port)[1])
      c.fail("attribute '" + std::string(attr) + "' is " + std::to_string(given) + ", " +
             has_shape(c, port));
  };
  check("q_num_heads", s.heads, kQuery);
  check("kv_num_heads", s.kv_heads, kKey);
  s.heads = query[1];
  s.kv_heads = key[1];
  s.queries = query[2];
  s.keys = key[2];
  s.size = query[3];
  require_dims(c, kKey, {s.batch, kUnknownDim, kUnknownDim, s.size});
  require_dims(c, kValue, {s.batch, s.kv_heads, s.keys, kUnknownDim});
  s.value_size = c.dims(kValue)[3];
}

Sizes sizes_of(const ShapeContext& c) {
  const int64_t rank = c.rank(kQuery);
  if (rank != 3 && rank != 4) c.fail(has_shape(c, kQuery) + ", allowed: rank 3 and 4");
  for (const size_t port : {kKey, kValue})
    if (c.rank(port) != rank)
      c.fail(has_shape(c, port) + ", allowed: rank " + std::to_string(rank) + " as Q has");
  Sizes s{};
  s.is_flat = rank == 3;
  s.batch = c.dims(kQuery)[0];
  s.heads = c.node.integer("q_heads");
  s.kv_heads = c.node.integer("kv_heads");
  s.is_flat ? read_flat(c, s) : read_apart(c, s);
  if (s.heads == 0 || s.kv_heads == 0 || s.heads % s.kv_heads != 0)
    c.fail("Q has " + std::to_string(s.heads) + " heads, K has " + std::to_string(s.kv_heads) +
           "; allowed: 1 and more, of Q a multiple of K's");
  s.group = s.heads / s.kv_heads;
  int64_t past = 0;
  if (c.has(kPastKey)) {
    require_dims(c, kPastKey, {s.batch, s.kv_heads, kUnknownDim, s.size});
    past = c.dims(kPastKey)[2];
    require_dims(c, kPastValue, {s.batch, s.kv_heads, past, s.value_size});
  }
  if (__builtin_add_overflow(past, s.keys, &s.total)) c.fail("past and new keys overflow 64 bits");
  if (c.has(kLengths)) require_dims(c, kLengths, {s.batch});
  return s;
}

// The mask must broadcast to the scores; "pads": its last extent may be shorter than theirs.
Dims padding_of(const ShapeContext& c, const Sizes& s) {
  const Dims scores = {s.batch, s.heads, s.queries, s.total};
  Dims padding = c.dims(kMask);
  const size_t rank = padding.size();
  bool fits = rank >= 1 && rank <= scores.size();
  const bool pads = fits && c.node.flag("pads") && padding.back() < s.total;
  for (size_t d = 0; fits && d < rank; ++d) {
    const bool is_padded = pads && d + 1 == rank;
    fits = is_padded || padding[d] == 1 || padding[d] == scores[scores.size() - rank + d];
  }
  if (!fits)
    c.fail(has_shape(c, kMask) + ", allowed: rank 1 to 4, what broadcasts to the scores " +
           shape_text(scores) + (c.node.flag("pads") ? ", and fewer keys" : ""));
  padding.back() = pads ? s.total - padding.back() : 0;
  return padding;
}

// Heads as the scores have them, where they are split.
Dims mask_dims_of(const ShapeContext& c, const Sizes& s, const Dims& padding) {
  Dims dims = c.dims(kMask);
  dims.back() += padding.back();
  if (s.group == 1 || dims.size() < 3) return dims;
  const auto heads = dims.end() - 3;
  const int64_t per_key = *heads == 1 ? 1 : s.group;
  if (*heads != 1) *heads = s.kv_heads;
  dims.insert(heads + 1, per_key);
  return dims;
}

// [batch, heads, rest...] or, where heads are split, [batch, heads of keys, group, rest...].
Dims split(const Sizes& s, int64_t group, int64_t rows, int64_t columns) {
  if (s.group == 1) return {s.batch, s.kv_heads, rows, columns};
  return {s.batch, s.kv_heads, group, rows, columns};
}

std::array<Dims, kLists> lists_of(const ShapeContext& c) {
  const Sizes s = sizes_of(c);
  const bool is_grouped = s.group != 1;
  std::array<Dims, kLists> lists;
  const auto list = [&](AttentionList which) -> Dims& { return lists[static_cast<size_t>(which)]; };
  if (s.is_flat) {
    int64_t hidden = 0;
    if (__builtin_mul_overflow(s.heads, s.value_size, &hidden))
      c.fail(std::to_string(s.heads) + " heads of " + std::to_string(s.value_size) +
             " overflow 64 bits");
    Dims& query = list(AttentionList::query_dims);
    query = {s.batch, s.queries, s.kv_heads, s.size};
    if (is_grouped) query.insert(query.end() - 1, s.group);
    list(AttentionList::query_order) = is_grouped ? Dims{0, 2, 3, 1, 4} : Dims{0, 2, 1, 3};
    list(AttentionList::key_dims) = {s.batch, s.keys, s.kv_heads, s.size};
    list(AttentionList::value_dims) = {s.batch, s.keys, s.kv_heads, s.value_size};
    list(AttentionList::key_order) = {0, 2, 1, 3};
    list(AttentionList::result_order) = is_grouped ? Dims{0, 3, 1, 2, 4} : Dims{0, 2, 1, 3};
    list(AttentionList::result_dims) = {s.batch, s.queries, hidden};
  } else {
    list(AttentionList::query_dims) = split(s, s.group, s.queries, s.size);
    list(AttentionList::query_order) = is_grouped ? Dims{0, 1, 2, 3, 4} : Dims{0, 1, 2, 3};
    list(AttentionList::key_dims) = c.dims(kKey);
    list(AttentionList::value_dims) = c.dims(kValue);
    list(AttentionList::key_order) = {0, 1, 2, 3};
    list(AttentionList::result_order) = list(AttentionList::query_order);
    list(AttentionList::result_dims) = {s.batch, s.heads, s.queries, s.value_size};
  }
  list(AttentionList::keys_dims) = split(s, 1, s.total, s.size);
  list(AttentionList::values_dims) = split(s, 1, s.total, s.value_size);
  if (c.has(kMask)) {
    list(AttentionList::padding_dims) = padding_of(c, s);
    list(AttentionList::mask_dims) = mask_dims_of(c, s, list(AttentionList::padding_dims));
  }
  list(AttentionList::length_dims) = Dims(is_grouped ? 5 : 4, 1);
  list(AttentionList::length_dims)[0] = s.batch;
  list(AttentionList::score_dims) = {s.batch, s.heads, s.queries, s.total};
  return lists;
}

bool is_s64(DataType type) {
  return type == iotadnn_s64;
}

}  // namespace

void attention_shapes(TypeContext& c) {
  constexpr const char* kFloating = "f32, bf16, f16, f64";
  const auto is_given = [&](size_t port) {
    return port < c.in.size() && c.node.inputs[port] != kNoValue;
  };
  c.require(kQuery, is_floating, kFloating);
  c.require(kKey, is_floating, kFloating);
  c.require_same(kKey, kQuery);
  c.require(kValue, is_floating, kFloating);
  if (is_given(kMask)) c.require(kMask, is_computed, "numeric types and boolean");
  if (is_given(kPastKey) != is_given(kPastValue))
    c.fail("of past_key and past_value one is given, allowed: both or none");
  if (is_given(kPastKey)) {
    c.require_same(kPastKey, kKey);
    c.require_same(kPastValue, kValue);
  }
  if (is_given(kLengths)) c.require(kLengths, is_s64, "s64");
  for (DataType& out : c.out)
    out = iotadnn_s64;
}

void infer_attention_shapes(ShapeContext& c) {
  const auto lists = lists_of(c);
  for (size_t i = 0; i < kLists; ++i)
    c.out[i] = {static_cast<int64_t>(lists[i].size())};
}

void run_attention_shapes(RunContext& c) {
  const auto lists = lists_of(c.shapes);
  const auto store = storer<int64_t>(iotadnn_s64);
  for (size_t i = 0; i < kLists; ++i)
    for (size_t d = 0; d < lists[i].size(); ++d)
      store(c.out[i].data(), static_cast<int64_t>(d), lists[i][d]);
}

}  // namespace iotadnn::models::rows
