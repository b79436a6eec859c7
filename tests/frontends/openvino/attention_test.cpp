// SPDX-License-Identifier: Apache-2.0
// OpenVINO's ScaledDotProductAttention-13 against plain loops in double.
#include "frontends/attention_loops.h"
#include "frontends/model/compare.h"
#include "frontends/openvino/ir_run.h"

namespace iotadnn::models::test {
namespace {

using iotadnn::test::AttentionCase;
using iotadnn::test::kHidden;
using Out = IrWriter::Out;

AttentionCase sizes() {
  AttentionCase c;
  c.batch = 2;
  c.heads = c.kv_heads = 3;
  c.queries = 4;
  c.keys = 6;
  c.size = 5;
  c.value_size = 7;
  c.nothing_is_zero = false;
  c.fill();
  return c;
}

Out given(IrWriter& ir, const Dims& dims, const std::vector<double>& values) {
  return ir.constant("f32", dims, std::vector<float>(values.begin(), values.end()));
}

std::vector<Out> inputs_of(IrWriter& ir, const AttentionCase& c) {
  return {given(ir, {c.batch, c.heads, c.queries, c.size}, c.q),
          given(ir, {c.batch, c.heads, c.keys, c.size}, c.k),
          given(ir, {c.batch, c.heads, c.keys, c.value_size}, c.v)};
}

void expect_ir(IrWriter& ir, const std::vector<Out>& inputs, const char* causal,
               const AttentionCase& c) {
  ir.result(ir.layer("ScaledDotProductAttention", "opset13", inputs, {{"causal", causal}}, "FP32"));
  const std::vector<double> y = iotadnn::test::attend(c).y;
  const Tensor want = f32_tensor({c.batch, c.heads, c.queries, c.value_size},
                                 std::vector<float>(y.begin(), y.end()));
  const Model model = read_ir(ir);
  for (const PlanOptions options :
       {PlanOptions{false, false}, PlanOptions{false, true}, PlanOptions{true, false}})
    EXPECT_EQ(difference(Session(model, options).run({}).at(0), want, {1e-5, 1e-5}), "");
}

TEST(IrAttention, WithoutAMask) {
  IrWriter ir;
  expect_ir(ir, inputs_of(ir, sizes()), "false", sizes());
}

// The first query is at the first key, whichever are more.
TEST(IrAttention, CausalOfOtherLengths) {
  for (const int64_t keys : {2, 4, 6}) {
    AttentionCase c = sizes();
    c.keys = keys;
    c.fill();
    c.mask = [](int64_t, int64_t, int64_t i, int64_t j) { return j <= i ? 0 : kHidden; };
    IrWriter ir;
    expect_ir(ir, inputs_of(ir, c), "true", c);
    // A mask beside it is not looked at.
    IrWriter beside;
    std::vector<Out> inputs = inputs_of(beside, c);
    inputs.push_back(given(beside, {1}, {kHidden}));
    expect_ir(beside, inputs, "true", c);
  }
}

TEST(IrAttention, MasksAndScale) {
  AttentionCase c = sizes();
  c.scale = 0.125;
  const std::vector<double> bias = iotadnn::test::sixty_fourths(c.batch * c.keys, 4);
  c.mask = [&](int64_t b, int64_t, int64_t, int64_t j) {
    return bias[static_cast<size_t>(b * c.keys + j)];
  };
  IrWriter ir;
  std::vector<Out> inputs = inputs_of(ir, c);
  inputs.push_back(given(ir, {c.batch, 1, 1, c.keys}, bias));
  inputs.push_back(ir.f32(0.125f));
  expect_ir(ir, inputs, "false", c);

  c.mask = [](int64_t, int64_t, int64_t, int64_t) { return 0.0; };
  IrWriter zero;
  inputs = inputs_of(zero, c);
  inputs.push_back(zero.f32(0));
  inputs.push_back(zero.constant<float>("f32", {1}, {0.125f}));
  expect_ir(zero, inputs, "false", c);
}

// A row that sees nothing is NaN, as the specification's Softmax has it.
TEST(IrAttention, BooleanMask) {
  AttentionCase c = sizes();
  std::vector<unsigned char> seen;
  for (int64_t i = 0; i < c.queries * c.keys; ++i)
    seen.push_back(i / c.keys != 2 && i % 4 != 1 ? 1 : 0);
  c.mask = [&](int64_t, int64_t, int64_t i, int64_t j) {
    return seen[static_cast<size_t>(i * c.keys + j)] != 0 ? 0 : kHidden;
  };
  IrWriter ir;
  std::vector<Out> inputs = inputs_of(ir, c);
  inputs.push_back(ir.constant("boolean", {1, 1, c.queries, c.keys}, seen));
  expect_ir(ir, inputs, "false", c);
}

std::string refusal(const std::string& type, const Dims& key, const IrWriter::Attrs& attrs,
                    const std::vector<std::string>& more = {}) {
  IrWriter ir;
  const auto zeros = [&](const std::string& of, const Dims& dims) {
    return ir.constant(of, dims,
                       std::vector<unsigned char>(static_cast<size_t>(*element_count(dims)) *
                                                  (of == "f16"       ? 2
                                                   : of == "boolean" ? 1
                                                                     : 4)));
  };
  std::vector<Out> inputs = {zeros(type, {1, 2, 3}), zeros(type, key), zeros(type, {1, 4, 3})};
  for (const std::string& of : more)
    inputs.push_back(zeros(of, {1, 1, 4}));
  ir.result(ir.layer("ScaledDotProductAttention", "opset13", inputs, attrs, ""));
  return refusal_of(ir);
}

TEST(IrAttention, Refusals) {
  const IrWriter::Attrs plain = {{"causal", "false"}};
  const auto expect = [](const std::string& refused, const char* part) {
    EXPECT_NE(refused.find(part), std::string::npos) << refused;
  };
  EXPECT_EQ(refusal("f32", {1, 4, 3}, plain), "");
  EXPECT_EQ(refusal("f32", {1, 4, 3}, plain, {"boolean"}), "");
  expect(refusal("f32", {1, 4, 3}, {}), "attribute 'causal' is missing");
  expect(refusal("f32", {1, 4, 3}, {{"causal", "maybe"}}), "allowed: true, false");
  expect(refusal("i32", {1, 4, 3}, plain), "input 0 has type i32, allowed: f32, f16, bf16, f64");
  expect(refusal("f32", {1, 4, 3}, plain, {"f16"}), "input 3 has type f16, allowed: f32");
  expect(refusal("f32", {1, 4, 3}, plain, {"f32", "boolean"}), "input 4 has type boolean");
  expect(refusal("f32", {1, 4, 3}, plain, {"f32", "f32"}), "cannot be given the shape []");
  expect(refusal("f32", {1, 4, 3}, plain, {"f32", "f32", "f32"}), "incorrect input number 6");
  expect(refusal("f32", {1, 4, 2}, plain), "cannot be multiplied");
  expect(refusal("f32", {1, 3, 3}, plain), "cannot be multiplied");
}

}  // namespace
}  // namespace iotadnn::models::test
