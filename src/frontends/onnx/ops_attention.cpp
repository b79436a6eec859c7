// SPDX-License-Identifier: Apache-2.0
// Attention as the specification has it since onnx 1.23, which corrected both opsets in place: a
// softcap comes before masks, qk_matmul_output_mode counts along the chain, causal masks of a cache
// without past_key end at each batch's own length, and rows with nothing to see give zeros.
#include <cmath>
#include <limits>

#include "frontends/model/attention.h"
#include "frontends/model/elements.h"
#include "frontends/onnx/table.h"

namespace iotadnn::models::onnx_ops {
namespace {

constexpr size_t kMask = 3;
constexpr size_t kPastKey = 4;
constexpr size_t kPastValue = 5;
constexpr size_t kLengths = 6;

struct Options {
  int64_t heads, kv_heads;  // 0: not given
  bool is_causal;
  int64_t mode;    // which scores are the fourth output
  double scale;    // negative: not given
  double softcap;  // 0: none
  DataType softmax_type;
};

// 0 where it is not given.
int64_t bounded(OnnxNode& n, const char* name, int64_t least, int64_t most) {
  const int64_t value = n.integer(name, 0);
  if (n.has_attr(name) && (value < least || value > most))
    n.fail("attribute '" + std::string(name) + "' is " + std::to_string(value) +
           ", allowed: " + std::to_string(least) +
           (most == INT64_MAX ? " and more" : " to " + std::to_string(most)));
  return value;
}

double finite(OnnxNode& n, const char* name, float otherwise) {
  const float value = n.real(name, otherwise);
  if (n.has_attr(name) && (!std::isfinite(value) || value < 0))
    n.fail("attribute '" + std::string(name) + "' is " + std::to_string(value) +
           ", allowed: finite, 0 and more");
  return static_cast<double>(value);
}

Options options_of(OnnxNode& n) {
  Options o{};
  o.heads = bounded(n, "q_num_heads", 1, INT64_MAX);
  o.kv_heads = bounded(n, "kv_num_heads", 1, INT64_MAX);
  o.is_causal = bounded(n, "is_causal", 0, 1) != 0;
  o.mode = bounded(n, "qk_matmul_output_mode", 0, 3);
  o.scale = finite(n, "scale", -1);
  o.softcap = finite(n, "softcap", 0);
  o.softmax_type = n.has_attr("softmax_precision") ? n.type_attr("softmax_precision") : n.type(0);
  if (n.has_attr("softmax_precision") && !is_floating(o.softmax_type))
    n.fail("attribute 'softmax_precision' is " + type_text(o.softmax_type) +
           ", allowed: f32, bf16, f16, f64");
  if (n.has(kLengths) && n.opset() < 24)
    n.fail("input 6 (nonpad_kv_seqlen) is given, in opset " + std::to_string(n.opset()) +
           " there is none");
  if (n.has(kLengths) && (n.has(kPastKey) || n.has(kPastValue)))
    n.fail("nonpad_kv_seqlen and past_key or past_value are given, allowed: one of them");
  return o;
}

class Reading {
 public:
  explicit Reading(OnnxNode& node) : n(node), b(node.b), options_(options_of(node)) {
    lists_ = b.add(Op::attention_shapes, n.inputs(),
                   {{"q_heads", options_.heads},
                    {"kv_heads", options_.kv_heads},
                    {"pads", int64_t{n.opset() >= 24}}},
                   static_cast<size_t>(AttentionList::count));
  }

  std::vector<size_t> read() {
    const size_t query =
        turned(reshaped(n.input(0), AttentionList::query_dims), AttentionList::query_order);
    const size_t keys = with_past(kPastKey, 1, AttentionList::key_dims);
    const size_t values = with_past(kPastValue, 2, AttentionList::value_dims);
    const DataType type = n.type(0);
    const size_t scale =
        options_.scale < 0 ? default_scale(b, query) : b.real(type, options_.scale);
    std::vector<size_t> stages;  // as qk_matmul_output_mode counts them
    stages.push_back(scaled_scores(b, query, reshaped(keys, AttentionList::keys_dims), scale));
    stages.push_back(options_.softcap > 0 ? capped(b, stages.back(), options_.softcap)
                                          : stages.back());
    stages.push_back(with_masks(stages.back(), keys));
    const size_t weights =
        b.add(Op::softmax, {b.cast(stages.back(), options_.softmax_type)},
              {{"axis", int64_t{-1}}, {"inf_as_zero", int64_t{stages[2] != stages[1]}}});
    stages.push_back(b.cast(weights, type));
    const size_t product = b.add(
        Op::matmul, {stages.back(), b.cast(reshaped(values, AttentionList::values_dims), type)});
    const size_t result =
        reshaped(turned(product, AttentionList::result_order), AttentionList::result_dims);
    const size_t scores =
        reshaped(stages[static_cast<size_t>(options_.mode)], AttentionList::score_dims);
    return {result, keys, values, scores};
  }

 private:
  [[nodiscard]] size_t list(AttentionList which) const {
    return lists_[static_cast<size_t>(which)];
  }

  size_t reshaped(size_t value, AttentionList dims) {
    return b.add(Op::reshape, {value, list(dims)}, {{"allow_zero", int64_t{1}}});
  }

  size_t turned(size_t value, AttentionList order) {
    return b.add(Op::transpose, {value, list(order)});
  }

  size_t with_past(size_t past, size_t port, AttentionList dims) {
    const size_t fresh = turned(reshaped(n.input(port), dims), AttentionList::key_order);
    if (!n.has(past)) return fresh;
    return b.add(Op::concat, {n.input(past), fresh}, {{"axis", int64_t{2}}});
  }

  // Numbers are added to the scores in their type; keys behind a shorter mask's end are not seen.
  size_t explicit_mask() {
    const bool is_boolean = n.type(kMask) == iotadnn_boolean;
    size_t mask = is_boolean ? n.input(kMask) : b.cast(n.input(kMask), n.type(0));
    if (n.opset() >= 24) {
      Tensor hidden(b.type_of(mask), {1});
      storer<double>(hidden.type())(hidden.data(), 0,
                                    is_boolean ? 0 : -std::numeric_limits<double>::infinity());
      const size_t padding =
          b.add(Op::fill, {list(AttentionList::padding_dims)}, {{"value", hidden}});
      mask = b.add(Op::concat, {mask, padding}, {{"axis", int64_t{-1}}});
    }
    return reshaped(mask, AttentionList::mask_dims);
  }

  // How many keys each batch has, as s32: within 0 and all, where nothing wraps.
  size_t lengths(size_t keys) {
    const size_t given = reshaped(n.input(kLengths), AttentionList::length_dims);
    const size_t most = b.add(Op::minimum, {given, extent_of(b, keys, 2)});
    return b.cast(b.add(Op::maximum, {most, b.number(iotadnn_s64, 0)}), iotadnn_s32);
  }

  size_t with_masks(size_t scores, size_t keys) {
    if (n.has(kMask)) scores = masked(b, scores, explicit_mask());
    size_t offset = kNoValue;
    if (n.has(kPastKey)) offset = b.cast(extent_of(b, n.input(kPastKey), 2), iotadnn_s32);
    if (n.has(kLengths)) {
      const size_t length = lengths(keys);
      // The last query sees the last key, so that the causal mask hides what is behind it, too.
      if (!options_.is_causal)
        return masked(b, scores, b.add(Op::less, {coordinate(b, scores, -1), length}));
      const size_t queries = b.cast(extent_of(b, scores, -2), iotadnn_s32);
      offset = b.add(Op::subtract, {length, queries});
    }
    return options_.is_causal ? causal(b, scores, offset) : scores;
  }

  OnnxNode& n;
  ModelBuilder& b;
  Options options_;
  std::vector<size_t> lists_;
};

}  // namespace

std::vector<size_t> attention(OnnxNode& n) {
  return Reading(n).read();
}

}  // namespace iotadnn::models::onnx_ops
