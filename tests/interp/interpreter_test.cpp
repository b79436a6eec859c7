// SPDX-License-Identifier: Apache-2.0
#include "interp/interpreter.h"

#include <gtest/gtest.h>

#include "ops/op_builder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IOTADNN_TEST_SANITIZED true
#elif defined(__has_feature)
#define IOTADNN_TEST_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IOTADNN_TEST_SANITIZED false
#endif

namespace iotadnn::impl {
namespace {

constexpr bool kIsSanitized = IOTADNN_TEST_SANITIZED;

using test::kUnknown;
using test::make_op;
using test::tensor;
using test::unknown_rank;

constexpr auto f32 = DataType::f32;
constexpr auto s64 = DataType::s64;

Op eye_like(size_t from, size_t to, std::vector<int64_t> dims, int64_t k) {
  return make_op("EyeLike", to, {tensor(from, f32, dims)}, {tensor(to, f32, dims)},
                 {{attr_id::kK, k}});
}

// Eye in tensor form, whose diagonal is value `diagonal`.
Op eye_of(size_t diagonal, size_t to) {
  return make_op("Eye", to,
                 {tensor(100, s64, {}), tensor(101, s64, {}), tensor(diagonal, s64, {1})},
                 {tensor(to, f32, {2, 2})});
}

// GenIndex of one element along axis 0: a computed zero.
Op zero_of(size_t from, size_t to) {
  return make_op("GenIndex", to, {tensor(from, f32, {1})}, {tensor(to, s64, {1})},
                 {{attr_id::kAxis, int64_t{0}}});
}

void expect_fails(const Status& status, StatusCode code, const std::string& word) {
  EXPECT_EQ(status.code(), code);
  EXPECT_NE(status.message().find(word), std::string::npos) << status.message();
}

TEST(Interpreter, RunsOneOp) {
  const std::vector<Op> ops = {eye_like(0, 1, {2, 3}, 1)};
  std::vector<float> out(6, 7.0f);
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr}};
  const std::vector<TensorView> outputs = {{&ops[0].outputs[0], out.data()}};
  const Status status = interpret(ops, inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(out, (std::vector<float>{0, 1, 0, 0, 0, 1}));
}

TEST(Interpreter, HandsValuesFromOpToOp) {
  // 0 -> GenIndex -> 1 (inside) -> the diagonal of an Eye -> 2
  const std::vector<Op> ops = {zero_of(0, 1), eye_of(1, 2)};
  const int64_t two = 2;
  std::vector<float> out(4, 7.0f);
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr},
                                          {&ops[1].inputs[0], const_cast<int64_t*>(&two)},
                                          {&ops[1].inputs[1], const_cast<int64_t*>(&two)}};
  const std::vector<TensorView> outputs = {{&ops[1].outputs[0], out.data()}};
  const Status status = interpret(ops, inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(out, (std::vector<float>{1, 0, 0, 1}));
}

TEST(Interpreter, AnOutputMayBeReadByALaterOp) {
  const std::vector<Op> ops = {eye_like(0, 1, {2, 2}, 0), eye_like(1, 2, {2, 2}, 1)};
  std::vector<float> first(4, 7.0f);
  std::vector<float> second(4, 7.0f);
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr}};
  const std::vector<TensorView> outputs = {{&ops[1].outputs[0], second.data()},
                                           {&ops[0].outputs[0], first.data()}};
  ASSERT_TRUE(interpret(ops, inputs, outputs).ok());
  EXPECT_EQ(first, (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(second, (std::vector<float>{0, 1, 0, 0}));
}

TEST(Interpreter, TakesTheViewsMetadata) {
  // The op knows no shape; the views do, and their strides differ from dense.
  Op op = eye_like(0, 1, {2, 2}, 0);
  op.inputs[0] = unknown_rank(0, f32);
  op.outputs[0] = unknown_rank(1, f32);
  const std::vector<Op> ops = {op};
  const LogicalTensor in = tensor(0, f32, {2, 2});
  const LogicalTensor out_lt = tensor(1, f32, {2, 2}, {3, 1});
  std::vector<float> out(5, 7.0f);
  const std::vector<TensorView> inputs = {{&in, nullptr}};
  const std::vector<TensorView> outputs = {{&out_lt, out.data()}};
  ASSERT_TRUE(interpret(ops, inputs, outputs).ok());
  EXPECT_EQ(out, (std::vector<float>{1, 0, 7, 0, 1}));
}

TEST(Interpreter, EmptyTensorsNeedNoData) {
  const std::vector<Op> ops = {eye_like(0, 1, {0, 3}, 0)};
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr}};
  const std::vector<TensorView> outputs = {{&ops[0].outputs[0], nullptr}};
  EXPECT_TRUE(interpret(ops, inputs, outputs).ok());
}

TEST(Interpreter, SaysWhatIsMissing) {
  const std::vector<Op> ops = {zero_of(0, 1), eye_of(1, 2)};
  const int64_t two = 2;
  std::vector<float> out(4);
  std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr},
                                    {&ops[1].inputs[0], const_cast<int64_t*>(&two)},
                                    {&ops[1].inputs[1], nullptr}};
  std::vector<TensorView> outputs = {{&ops[1].outputs[0], out.data()}};
  expect_fails(interpret(ops, inputs, outputs), StatusCode::invalid_arguments,
               "input 1 (num_columns) has no data");
  inputs.pop_back();
  expect_fails(interpret(ops, inputs, outputs), StatusCode::invalid_arguments,
               "input 1 (num_columns) is neither given nor computed before");
  inputs.push_back({&ops[1].inputs[1], const_cast<int64_t*>(&two)});
  outputs[0].data = nullptr;
  expect_fails(interpret(ops, inputs, outputs), StatusCode::invalid_arguments,
               "output 0 (output) has no data");
}

TEST(Interpreter, RefusesWhatIsNotFullyKnown) {
  Op op = eye_like(0, 1, {2, 2}, 0);
  op.outputs[0] = tensor(1, f32, {2, kUnknown});
  std::vector<float> out(4);
  std::vector<Op> ops = {op};
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr}};
  const std::vector<TensorView> outputs = {{&ops[0].outputs[0], out.data()}};
  expect_fails(interpret(ops, inputs, outputs), StatusCode::invalid_arguments, "2x?");
  ops[0].outputs[0] = tensor(1, f32, {2, 2});
  ops[0].outputs[0].layout = LayoutType::any;
  expect_fails(interpret(ops, inputs, outputs), StatusCode::invalid_arguments, "layout any");
}

TEST(Interpreter, AnInnerValueThatIsTooLargeIsAStatus) {
  const int64_t big = int64_t{1} << 28;
  const std::vector<Op> ops = {eye_like(0, 1, {big, big}, 0), eye_like(1, 2, {0, 0}, 0)};
  const std::vector<TensorView> inputs = {{&ops[0].inputs[0], nullptr}};
  const std::vector<TensorView> outputs = {{&ops[1].outputs[0], nullptr}};
  if (kIsSanitized) GTEST_SKIP() << "sanitizers stop the program at an allocation of this size";
  expect_fails(interpret(ops, inputs, outputs), StatusCode::out_of_memory,
               "288230376151711744 bytes");
}

TEST(Interpreter, RefusesOpsOfTheHost) {
  const std::vector<Op> ops = {make_op("Elu", 0, {tensor(0, f32, {2})}, {tensor(1, f32, {2})})};
  expect_fails(interpret(ops, {}, {}), StatusCode::unimplemented, "Elu 'Elu_0'");
}

}  // namespace
}  // namespace iotadnn::impl
