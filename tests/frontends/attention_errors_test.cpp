// SPDX-License-Identifier: Apache-2.0
// Attentions of ONNX that are refused: each with a sentence that says what was given and what is
// allowed, whatever the file holds.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/model/error.h"
#include "frontends/model_fixture.h"
#include "frontends/onnx/reader.h"
#include "support/mutate.h"
#include "support/random.h"

namespace iotadnn::models_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Attrs = std::vector<pb::AttributeProto>;

const Tensor kAbsent;

Tensor zeros(const Dims& dims, iotadnn_data_type_t type = iotadnn_f32) {
  return tensor(type, dims, std::vector<double>(static_cast<size_t>(*models::element_count(dims))));
}

// The sentence of reading, or else of running; "" without.
std::string refusal(const std::vector<Tensor>& inputs, const Attrs& attrs = {},
                    int64_t opset = 24) {
  std::vector<Tensor> given;
  for (const Tensor& one : inputs)
    if (!one.is_empty_handle()) given.push_back(one);
  try {
    const Model model = one_node("Attention", inputs, attrs, opset).read();
    models::Session(model).run(given);
  } catch (const models::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("node 'the_Attention' (Attention)"));
    return error.what();
  }
  return "";
}

const std::vector<Tensor> kApart = {zeros({2, 4, 3, 5}), zeros({2, 2, 6, 5}), zeros({2, 2, 6, 7})};
const std::vector<Tensor> kFlat = {zeros({2, 3, 20}), zeros({2, 6, 10}), zeros({2, 6, 14})};

std::vector<Tensor> with(std::vector<Tensor> inputs, size_t port, const Tensor& other) {
  if (inputs.size() <= port) inputs.resize(port + 1);
  inputs[port] = other;
  return inputs;
}

TEST(AttentionErrors, WhatIsAllowed) {
  EXPECT_EQ(refusal(kApart), "");
  EXPECT_EQ(refusal(kFlat, {attr("q_num_heads", 4), attr("kv_num_heads", 2)}), "");
  EXPECT_EQ(refusal(kApart, {attr("q_num_heads", 4), attr("kv_num_heads", 2)}), "");
}

TEST(AttentionErrors, Attributes) {
  EXPECT_THAT(refusal(kApart, {attr("is_causal", 2)}),
              HasSubstr("attribute 'is_causal' is 2, allowed: 0 to 1"));
  EXPECT_THAT(refusal(kApart, {attr("qk_matmul_output_mode", 4)}), HasSubstr("allowed: 0 to 3"));
  for (const char* name : {"q_num_heads", "kv_num_heads"})
    for (const int64_t heads : {INT64_MIN, int64_t{-1}, int64_t{0}})
      EXPECT_THAT(refusal(kFlat, {attr(name, heads)}),
                  AllOf(HasSubstr(name), HasSubstr("allowed: 1 and more")));
  for (const char* name : {"scale", "softcap"})
    for (const float value :
         {-1.f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
      EXPECT_THAT(refusal(kApart, {attr_real(name, value)}),
                  AllOf(HasSubstr(name), HasSubstr("allowed: finite, 0 and more")));
  EXPECT_THAT(refusal(kApart, {attr_type("softmax_precision", iotadnn_s32)}),
              HasSubstr("attribute 'softmax_precision' is s32"));
  EXPECT_THAT(refusal(kApart, {attr("softmax_precision", 99)}), HasSubstr("unsupported type 99"));
  EXPECT_THAT(refusal(kApart, {attr("unidirectional", 1)}), HasSubstr("is not known"));
}

TEST(AttentionErrors, InputsAndTypes) {
  EXPECT_THAT(refusal({kApart[0], kApart[1]}), HasSubstr("2 inputs, allowed: 3 to 7"));
  EXPECT_THAT(refusal(with(kApart, 1, kAbsent)), HasSubstr("input 1 is missing"));
  EXPECT_THAT(refusal(kApart, {}, 22), HasSubstr("the op is of opset 23"));
  EXPECT_THAT(refusal(with(kApart, 0, zeros({2, 4, 3, 5}, iotadnn_s32))),
              HasSubstr("input 0 has type s32, allowed: f32, bf16, f16, f64"));
  EXPECT_THAT(refusal(with(kApart, 1, zeros({2, 2, 6, 5}, iotadnn_f16))),
              HasSubstr("they must agree"));
  EXPECT_THAT(refusal(with(kApart, 4, zeros({2, 2, 1, 5}))), HasSubstr("one is given"));
  EXPECT_THAT(refusal(with(kApart, 6, zeros({2}, iotadnn_s64)), {}, 23),
              HasSubstr("input 6 (nonpad_kv_seqlen) is given, in opset 23 there is none"));
  EXPECT_THAT(refusal(with(kApart, 6, zeros({2}, iotadnn_s32))), HasSubstr("allowed: s64"));
  const auto past = with(with(kApart, 4, zeros({2, 2, 1, 5})), 5, zeros({2, 2, 1, 7}));
  EXPECT_EQ(refusal(past), "");
  EXPECT_THAT(refusal(with(past, 6, zeros({2}, iotadnn_s64))), HasSubstr("one of them"));
}

TEST(AttentionErrors, Shapes) {
  const auto apart = [](size_t port, const Dims& dims) {
    return refusal(with(kApart, port, zeros(dims)));
  };
  EXPECT_THAT(apart(0, {2, 4}), HasSubstr("Q has shape [2, 4], allowed: rank 3 and 4"));
  EXPECT_THAT(apart(0, {}), HasSubstr("allowed: rank 3 and 4"));
  EXPECT_THAT(apart(1, {2, 6, 5}), HasSubstr("allowed: rank 4 as Q has"));
  EXPECT_THAT(apart(1, {2, 2, 6, 4}), AllOf(HasSubstr("K has"), HasSubstr("[2, ?, ?, 5]")));
  EXPECT_THAT(apart(2, {2, 2, 5, 7}), AllOf(HasSubstr("V has"), HasSubstr("[2, 2, 6, ?]")));
  EXPECT_THAT(apart(0, {2, 3, 3, 5}), HasSubstr("Q has 3 heads, K has 2"));
  EXPECT_THAT(apart(0, {2, 0, 3, 5}), HasSubstr("Q has 0 heads, K has 2"));
  EXPECT_THAT(refusal({zeros({2, 4, 3, 5}), zeros({2, 0, 6, 5}), zeros({2, 0, 6, 5})}),
              HasSubstr("K has 0; allowed: 1 and more"));
  EXPECT_THAT(refusal(kApart, {attr("q_num_heads", 3)}),
              HasSubstr("attribute 'q_num_heads' is 3, Q has shape"));
  EXPECT_THAT(refusal(kFlat), HasSubstr("need the attributes 'q_num_heads' and 'kv_num_heads'"));
  const auto flat = [](int64_t heads, int64_t kv_heads) {
    return refusal(kFlat, {attr("q_num_heads", heads), attr("kv_num_heads", kv_heads)});
  };
  EXPECT_THAT(flat(3, 2), HasSubstr("Q has shape [2, 3, 20], which is not 3 heads"));
  EXPECT_THAT(flat(4, 5), HasSubstr("5 heads of 2, allowed: heads of 5 as Q has them"));
  EXPECT_THAT(flat(INT64_MAX, INT64_MAX), HasSubstr("heads of one size"));
  // Extents of nothing may be huge: heads of size 0.
  EXPECT_THAT(refusal({zeros({0, 3, 0}), zeros({0, 1, 0}), zeros({0, 1, int64_t{1} << 40})},
                      {attr("q_num_heads", int64_t{1} << 40), attr("kv_num_heads", 1)}),
              HasSubstr("overflow"));
}

TEST(AttentionErrors, MasksAndPasts) {
  const auto mask = [](const Dims& dims, int64_t opset) {
    return refusal(with(kApart, 3, zeros(dims)), {}, opset);
  };
  EXPECT_EQ(mask({3, 1}, 23), "");
  EXPECT_THAT(mask({3, 5}, 23),
              AllOf(HasSubstr("attn_mask has shape [3, 5]"), HasSubstr("[2, 4, 3, 6]")));
  EXPECT_EQ(mask({3, 5}, 24), "");
  EXPECT_THAT(mask({3, 7}, 24), HasSubstr("and fewer keys"));
  EXPECT_THAT(mask({2, 3, 6}, 24), HasSubstr("what broadcasts to the scores"));
  EXPECT_THAT(mask({}, 24), HasSubstr("rank 1 to 4"));
  EXPECT_THAT(mask({1, 1, 1, 1, 6}, 24), HasSubstr("rank 1 to 4"));
  const auto past = [](const Dims& key, const Dims& value) {
    return refusal(with(with(kApart, 4, zeros(key)), 5, zeros(value)), {attr("is_causal", 1)});
  };
  EXPECT_EQ(past({2, 2, 0, 5}, {2, 2, 0, 7}), "");
  EXPECT_THAT(past({2, 4, 1, 5}, {2, 2, 1, 7}), HasSubstr("past_key has shape [2, 4, 1, 5]"));
  EXPECT_THAT(past({2, 2, 1, 5}, {2, 2, 2, 7}), HasSubstr("past_value has shape"));
  EXPECT_THAT(refusal(with(kApart, 6, zeros({3}, iotadnn_s64))),
              HasSubstr("nonpad_kv_seqlen has shape [3], allowed: [2]"));
}

TEST(AttentionErrors, DamagedFiles) {
  const auto inputs =
      with(with(with(kFlat, 3, zeros({3, 8})), 4, zeros({2, 2, 2, 5})), 5, zeros({2, 2, 2, 7}));
  const std::string whole =
      one_node("Attention", inputs,
               {attr("is_causal", 1), attr("q_num_heads", 4), attr("kv_num_heads", 2),
                attr_real("softcap", 2), attr("softmax_precision", 11)},
               24)
          .proto.SerializeAsString();
  ASSERT_EQ(models::read_onnx(whole, "").inputs.size(), 6u);
  test::Random random(20261205);
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = test::mutated(whole, {std::string(3, '\xff'), "\x01"}, random);
    try {
      const Model read = models::read_onnx(bytes, "");
      if (read.inputs.size() == inputs.size()) models::Session(read).run(inputs);
    } catch (const models::ModelError&) {
    } catch (const iotadnn::error&) {
    }
  }
}

}  // namespace
}  // namespace iotadnn::models_test
