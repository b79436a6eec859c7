// SPDX-License-Identifier: Apache-2.0
// ONNX's Attention against plain loops in double, by the library, op by op, and by the interpreter.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/attention_loops.h"
#include "frontends/model/compare.h"
#include "frontends/model_fixture.h"
#include "frontends/names.h"

namespace iotadnn::models_test {
namespace {

using test::AttentionCase;
using test::AttentionResult;
using test::kHidden;
using testing::ElementsAre;
using Attrs = std::vector<pb::AttributeProto>;

const Tensor kAbsent;

OnnxModel attention(const std::vector<Tensor>& inputs, const Attrs& attrs, int64_t opset) {
  OnnxModel model(opset);
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs.size(); ++i) {
    names.push_back(inputs[i].is_empty_handle() ? "" : "x" + std::to_string(i));
    if (!names.back().empty()) model.input(names.back(), inputs[i]);
  }
  model.node("Attention", names, {"y", "present_key", "present_value", "qk"}, attrs);
  return model.output("y").output("present_key").output("present_value").output("qk");
}

std::vector<Tensor> without_gaps(std::vector<Tensor> inputs) {
  inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                              [](const Tensor& one) { return one.is_empty_handle(); }),
               inputs.end());
  return inputs;
}

// The four outputs; all ways to run must give `want` where there is one.
void expect_attention(const std::vector<Tensor>& inputs, const Attrs& attrs,
                      const std::vector<Tensor>& want, int64_t opset = 24,
                      double tolerance = 1e-5) {
  const Model model = attention(inputs, attrs, opset).read();
  for (const models::PlanOptions options :
       {models::PlanOptions{false, false}, models::PlanOptions{false, true},
        models::PlanOptions{true, false}}) {
    SCOPED_TRACE(options.reference ? "reference" : options.unfused ? "unfused" : "fused");
    const std::vector<Tensor> got = models::Session(model, options).run(without_gaps(inputs));
    for (size_t i = 0; i < want.size(); ++i)
      if (!want[i].is_empty_handle()) {
        EXPECT_EQ(models::difference(got.at(i), want[i], {tolerance, tolerance}), "") << i;
      }
  }
}

Dims q_dims(const AttentionCase& c) {
  return {c.batch, c.heads, c.queries, c.size};
}

Dims k_dims(const AttentionCase& c) {
  return {c.batch, c.kv_heads, c.keys, c.size};
}

Dims v_dims(const AttentionCase& c) {
  return {c.batch, c.kv_heads, c.keys, c.value_size};
}

Dims y_dims(const AttentionCase& c) {
  return {c.batch, c.heads, c.queries, c.value_size};
}

Dims score_dims(const AttentionCase& c) {
  return {c.batch, c.heads, c.queries, c.keys};
}

std::vector<Tensor> inputs_of(const AttentionCase& c, const std::vector<Tensor>& more = {}) {
  std::vector<Tensor> inputs = {f32(q_dims(c), c.q), f32(k_dims(c), c.k), f32(v_dims(c), c.v)};
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

void expect_loops(const AttentionCase& c, const std::vector<Tensor>& more, const Attrs& attrs,
                  int64_t opset = 24) {
  expect_attention(inputs_of(c, more), attrs, {f32(y_dims(c), test::attend(c).y)}, opset);
}

AttentionCase plain() {
  AttentionCase c;
  c.batch = 2;
  c.heads = c.kv_heads = 2;
  c.queries = 3;
  c.keys = 5;
  c.size = 4;
  c.value_size = 6;
  c.fill();
  return c;
}

AttentionCase grouped() {
  AttentionCase c = plain();
  c.heads = 6;
  c.fill();
  return c;
}

TEST(Attention, HeadsSideBySideThatShareKeysAndHaveAPast) {
  for (const int64_t heads : {2, 6}) {
    SCOPED_TRACE(heads);
    AttentionCase c = plain();
    c.heads = heads;
    c.fill();
    const int64_t past = 2;
    c.mask = [past](int64_t, int64_t, int64_t i, int64_t j) { return j <= i + past ? 0 : kHidden; };
    const AttentionResult wanted = test::attend(c);
    const int64_t fresh = c.keys - past;
    const auto flat = [&](const std::vector<double>& values, int64_t of, int64_t rows,
                          int64_t columns) {
      return f32({c.batch, rows, of * columns},
                 test::side_by_side(values, c.batch, of, rows, columns));
    };
    const auto part = [&](const std::vector<double>& values, int64_t columns, bool is_past) {
      return is_past ? test::rows_of(values, c.keys, columns, 0, past)
                     : test::rows_of(values, c.keys, columns, past, c.keys);
    };
    expect_attention(
        {flat(c.q, c.heads, c.queries, c.size),
         flat(part(c.k, c.size, false), c.kv_heads, fresh, c.size),
         flat(part(c.v, c.value_size, false), c.kv_heads, fresh, c.value_size), kAbsent,
         f32({c.batch, c.kv_heads, past, c.size}, part(c.k, c.size, true)),
         f32({c.batch, c.kv_heads, past, c.value_size}, part(c.v, c.value_size, true))},
        {attr("is_causal", 1), attr("q_num_heads", c.heads), attr("kv_num_heads", c.kv_heads)},
        {flat(wanted.y, c.heads, c.queries, c.value_size), f32(k_dims(c), c.k), f32(v_dims(c), c.v),
         f32(score_dims(c), wanted.scores[0])});
  }
}

// microsoft/onnxruntime#29020: without a past the first query is at the first key.
TEST(Attention, CausalMasksStartAtTheFirstKey) {
  AttentionCase c = grouped();
  c.mask = [](int64_t, int64_t, int64_t i, int64_t j) { return j <= i ? 0 : kHidden; };
  expect_loops(c, {}, {attr("is_causal", 1)}, 23);
  AttentionCase one;
  one.keys = 4;
  one.size = 8;
  one.fill();
  expect_attention(inputs_of(one), {attr("is_causal", 1)}, {f32({1, 1, 1, 1}, {one.v[0]})}, 23);
}

TEST(Attention, ASoftcapComesBeforeTheMaskAndScoresAreHandedOut) {
  for (AttentionCase c : {plain(), grouped()}) {
    c.softcap = 0.5;
    c.scale = 0.25;
    const std::vector<double> bias = test::sixty_fourths(c.queries * c.keys, 4);
    c.mask = [bias, keys = c.keys](int64_t, int64_t, int64_t i, int64_t j) {
      return j == 2 ? kHidden : bias[static_cast<size_t>(i * keys + j)];
    };
    std::vector<double> mask = bias;
    for (int64_t i = 0; i < c.queries; ++i)
      mask[static_cast<size_t>(i * c.keys + 2)] = kHidden;
    const AttentionResult wanted = test::attend(c);
    for (int64_t mode = 0; mode < 4; ++mode) {
      SCOPED_TRACE(mode);
      expect_attention(
          inputs_of(c, {f32({c.queries, c.keys}, mask)}),
          {attr_real("softcap", 0.5f), attr_real("scale", 0.25f),
           attr("qk_matmul_output_mode", mode)},
          {f32(y_dims(c), wanted.y), kAbsent, kAbsent, f32(score_dims(c), wanted.scores[mode])});
    }
  }
}

// Query 1 sees nothing; also in what mode 3 hands out.
TEST(Attention, RowsWithNothingToSeeGiveZeros) {
  AttentionCase c = plain();
  c.mask = [](int64_t, int64_t, int64_t i, int64_t j) { return i != 1 && j != 0 ? 0 : kHidden; };
  std::vector<double> seen;
  std::vector<double> bias;
  for (int64_t i = 0; i < c.queries; ++i)
    for (int64_t j = 0; j < c.keys; ++j) {
      bias.push_back(c.mask(0, 0, i, j));
      seen.push_back(bias.back() == 0 ? 1 : 0);
    }
  const AttentionResult wanted = test::attend(c);
  for (const int64_t opset : {23, 24})
    for (const Tensor& mask : {boolean({c.queries, c.keys}, seen), f32({c.queries, c.keys}, bias)})
      expect_attention(
          inputs_of(c, {mask}), {attr("qk_matmul_output_mode", 3)},
          {f32(y_dims(c), wanted.y), kAbsent, kAbsent, f32(score_dims(c), wanted.scores[3])},
          opset);
}

TEST(Attention, BooleanMasksMeetCausalOnes) {
  for (AttentionCase c : {plain(), grouped()}) {
    std::vector<double> seen;
    for (int64_t i = 0; i < c.batch * c.queries * c.keys; ++i)
      seen.push_back(i % 3 != 1 ? 1 : 0);
    c.mask = [seen, c](int64_t b, int64_t, int64_t i, int64_t j) {
      return j <= i && seen[static_cast<size_t>((b * c.queries + i) * c.keys + j)] != 0 ? 0
                                                                                        : kHidden;
    };
    expect_loops(c, {boolean({c.batch, 1, c.queries, c.keys}, seen)}, {attr("is_causal", 1)});
  }
}

// Masks broadcast as in numpy: dimension -3 is the queries' heads.
TEST(Attention, FloatMasksOfLowerRank) {
  for (AttentionCase c : {plain(), grouped()}) {
    const std::vector<double> bias = test::sixty_fourths(c.heads * c.queries * c.keys, 5);
    c.mask = [&](int64_t, int64_t, int64_t, int64_t j) { return bias[static_cast<size_t>(j)]; };
    const std::vector<double> row(bias.begin(), bias.begin() + c.keys);
    expect_loops(c, {f32({c.keys}, row)}, {});
    expect_loops(c, {f32({1, 1, c.keys}, row)}, {});
    c.mask = [&](int64_t, int64_t h, int64_t i, int64_t j) {
      return bias[static_cast<size_t>((h * c.queries + i) * c.keys + j)];
    };
    expect_loops(c, {f32({c.heads, c.queries, c.keys}, bias)}, {}, 23);
    expect_loops(c, {f32({1, c.heads, c.queries, c.keys}, bias)}, {});
  }
}

// Since opset 24 keys behind the mask's end are hidden.
TEST(Attention, ShorterMasksHideTheOtherKeys) {
  for (AttentionCase c : {plain(), grouped()}) {
    c.mask = [](int64_t, int64_t, int64_t, int64_t j) { return j < 3 ? 0.5 : kHidden; };
    const auto filled = [&](double value) {
      return std::vector<double>(static_cast<size_t>(c.heads * 3), value);
    };
    expect_loops(c, {f32({1, c.heads, 1, 3}, filled(0.5))}, {});
    c.mask = [](int64_t, int64_t, int64_t, int64_t j) { return j < 3 ? 0 : kHidden; };
    expect_loops(c, {boolean({c.heads, 1, 3}, filled(1))}, {});
    c.mask = [](int64_t, int64_t, int64_t, int64_t j) { return j < 1 ? 0 : kHidden; };
    expect_loops(c, {boolean({1}, {1})}, {});
  }
}

// Each batch has its own number of keys, at which its last query is. Batch 1 has fewer keys than
// queries, so that its first one sees nothing.
TEST(Attention, NumbersOfKeys) {
  for (AttentionCase c : {plain(), grouped()}) {
    const std::vector<int64_t> lengths = {4, 2};
    const Tensor given = s64({2}, {4, 2});
    c.mask = [&](int64_t b, int64_t, int64_t, int64_t j) {
      return j < lengths[static_cast<size_t>(b)] ? 0 : kHidden;
    };
    expect_loops(c, {kAbsent, kAbsent, kAbsent, given}, {});
    c.mask = [&](int64_t b, int64_t, int64_t i, int64_t j) {
      return j <= i + lengths[static_cast<size_t>(b)] - c.queries ? 0 : kHidden;
    };
    expect_loops(c, {kAbsent, kAbsent, kAbsent, given}, {attr("is_causal", 1)});
    c.mask = [](int64_t b, int64_t, int64_t, int64_t) { return b == 0 ? 0 : kHidden; };
    expect_loops(c, {kAbsent, kAbsent, kAbsent, s64({2}, {0x1p40, -0x1p40})}, {});
  }
}

TEST(Attention, TypesAreThoseOfTheQueryAndOfTheSoftmax) {
  AttentionCase c = plain();
  c.mask = [](int64_t, int64_t, int64_t i, int64_t j) { return j <= i ? 0 : kHidden; };
  const std::vector<double> y = test::attend(c).y;
  for (const auto type : {iotadnn_f16, iotadnn_bf16, iotadnn_f64})
    for (const auto softmax : {iotadnn_f32, iotadnn_f64, type}) {
      const double tolerance = type == iotadnn_bf16 ? 0.03 : type == iotadnn_f16 ? 4e-3 : 1e-6;
      expect_attention(
          {tensor(type, q_dims(c), c.q), tensor(type, k_dims(c), c.k), f32(v_dims(c), c.v)},
          {attr("is_causal", 1), attr_type("softmax_precision", softmax)},
          {tensor(type, y_dims(c), y), tensor(type, k_dims(c), c.k), f32(v_dims(c), c.v)}, 24,
          tolerance);
    }
}

TEST(Attention, OneModelServesAllSizesAndRanksOfItsInputs) {
  OnnxModel model(23);
  for (const char* name : {"q", "k", "v"})
    model.input(name, iotadnn_f32, {-1, -1, -1});
  model.initializer("axes", s64({1}, {0})).node("Unsqueeze", {"q", "axes"}, {"q4"});
  model.node("Unsqueeze", {"k", "axes"}, {"k4"}).node("Unsqueeze", {"v", "axes"}, {"v4"});
  model.node("Attention", {"q4", "k4", "v4"}, {"y"}, {attr("is_causal", 1)}).output("y");
  const Model read = model.read();
  models::Session session(read);
  for (const int64_t keys : {1, 4, 0}) {
    AttentionCase c;
    c.heads = c.kv_heads = 2;
    c.queries = c.size = 3;
    c.keys = keys;
    c.fill();
    c.mask = [](int64_t, int64_t, int64_t i, int64_t j) { return j <= i ? 0 : kHidden; };
    const auto got =
        session.run({f32({2, 3, 3}, c.q), f32({2, keys, 3}, c.k), f32({2, keys, 1}, c.v)})[0];
    EXPECT_EQ(models::difference(got, f32({1, 2, 3, 1}, test::attend(c).y), {1e-5, 1e-5}), "");
  }
}

std::vector<std::string> kinds_of(const std::vector<Tensor>& inputs, const Attrs& attrs) {
  OnnxModel model = attention(inputs, attrs, 24);
  auto* outputs = model.proto.mutable_graph()->mutable_output();
  outputs->DeleteSubrange(1, 3);
  const Model read = model.read();
  models::Session session(read);
  const models::Plan& plan = session.plan_for(without_gaps(inputs));
  std::vector<std::string> kinds;
  for (const auto& op : plan.graph.ops)
    kinds.emplace_back(frontends::name_of(op.kind));
  // One partition holds all of it, but what moves elements before and behind.
  size_t compiled = 0;
  for (const models::Step& step : plan.steps) {
    if (step.is_compiled)
      ++compiled;
    else
      EXPECT_THAT(step.reason, testing::HasSubstr("StaticReshape"));
  }
  EXPECT_EQ(compiled, 1u);
  return kinds;
}

// What the library looks for: nothing but the chain where heads are apart.
TEST(Attention, IsOneChainOfOps) {
  const AttentionCase c = plain();
  EXPECT_THAT(kinds_of(inputs_of(c), {}), ElementsAre("MatMul", "Multiply", "SoftMax", "MatMul"));
  EXPECT_THAT(kinds_of(inputs_of(c), {attr("is_causal", 1)}),
              ElementsAre("MatMul", "Multiply", "GenIndex", "GenIndex", "GreaterEqual", "Select",
                          "SoftMax", "MatMul"));
  const std::vector<double> ones(static_cast<size_t>(c.queries * c.keys), 1);
  EXPECT_THAT(kinds_of(inputs_of(c, {boolean({c.queries, c.keys}, ones)}), {}),
              ElementsAre("MatMul", "Multiply", "Select", "SoftMax", "MatMul"));
  EXPECT_THAT(
      kinds_of(inputs_of(c, {f32({c.queries, c.keys}, ones)}), {attr_real("softcap", 2)}),
      ElementsAre("MatMul", "Multiply", "Divide", "Tanh", "Multiply", "Add", "SoftMax", "MatMul"));
  EXPECT_THAT(kinds_of(inputs_of(grouped()), {}),
              ElementsAre("StaticReshape", "StaticReshape", "MatMul", "Multiply", "SoftMax",
                          "StaticReshape", "MatMul", "StaticReshape"));
}

}  // namespace
}  // namespace iotadnn::models_test
