// SPDX-License-Identifier: Apache-2.0
// One compiled partition for every shape of its rank.
#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

class DynamicShape : public testing::TestWithParam<NamedIsa> {
 protected:
  void expect_right(const CompiledCase& compiled, OpCase c, std::vector<int64_t> dims) const {
    c.out = dense_spec(c.out.data_type, std::move(dims));
    const GuardedBuffer buffer(static_cast<size_t>(c.out.span_bytes()), Placement::end_flush);
    compiled.execute(c.out, c.k, buffer.data());
    EXPECT_TRUE(holds(buffer.data(), c.out, c.expected())) << c.text();
    EXPECT_TRUE(buffer.margins_intact()) << c.text();
  }

  ScopedMaxCpuIsa cap_{GetParam().isa};
};

TEST_P(DynamicShape, EyeLikeRunsAtAnySize) {
  OpCase c;
  c.kind = OpCase::Kind::eye_like;
  c.out = dense_spec(iotadnn_f32, {1, 1});
  c.k = -1;
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  EXPECT_EQ(compiled.impl(), GetParam().impl);
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{3, 5}, {5, 3}, {3, 3}, {83, 83}, {0, 7}, {1000, 1}, {1, 1}})
    expect_right(compiled, c, dims);
}

TEST_P(DynamicShape, GenIndexRunsAtAnySize) {
  OpCase c;
  c.kind = OpCase::Kind::gen_index;
  c.out = dense_spec(iotadnn_s64, {1, 1, 1});
  c.axis = 1;
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{2, 3, 5}, {1, 1, 1}, {4, 1, 70}, {1, 80, 1}, {2, 0, 3}, {7, 7, 300}})
    expect_right(compiled, c, dims);
}

// The diagonal, the extents and the batch arrive as data.
TEST_P(DynamicShape, EyeTakesItsShapeFromScalars) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::host_scalars;
  c.out = dense_spec(iotadnn_bf16, {1, 1, 1});
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  for (const int64_t k : {-2, 0, 3})
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{2, 3, 4}, {5, 33, 32}, {1, 0, 4}, {3, 1, 1}}) {
      c.k = k;
      expect_right(compiled, c, dims);
    }
}

// The plans of some shapes are kept, of more than these none: all come again.
TEST_P(DynamicShape, ShapesComeAgain) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::tensors;
  c.out = dense_spec(iotadnn_f16, {1, 1});
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  for (const int64_t shapes : {1, 2, 8, 20})
    for (int64_t i = 0; i < 3 * shapes; ++i) {
      c.k = i % 5 - 2;
      expect_right(compiled, c, {2 + i % shapes, 33 - i % shapes});
    }
}

// oneDNN's usual form of an output: id, type and `strided`, while the source's extents are known or
// not. Eye in its tensor form knows no extent in either case.
TEST_P(DynamicShape, AnOutputOfUnknownRankTakesTheInferredOne) {
  using Kind = OpCase::Kind;
  for (const bool unknown_dims : {false, true}) {
    OpCase c;
    c.unknown_rank = true;
    c.unknown_dims = unknown_dims;
    c.out = dense_spec(iotadnn_s32, {5, 7});
    c.k = 1;
    c.axis = -1;
    for (const Kind kind : {Kind::eye_like, Kind::gen_index, Kind::eye})
      for (const EyeForm form : {EyeForm::attributes, EyeForm::host_scalars, EyeForm::tensors}) {
        c.kind = kind;
        c.form = form;
        const CompiledCase compiled(c);
        EXPECT_EQ(compiled.impl(), GetParam().impl) << c.text();
        expect_right(compiled, c, {5, 7});
        if (kind != Kind::eye) break;
      }
  }
}

// The rank of a batched Eye follows from its batch shape's length.
TEST_P(DynamicShape, ABatchedEyeOfUnknownRank) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::host_scalars;
  c.out = dense_spec(iotadnn_u8, {2, 3, 4, 5});
  c.unknown_dims = c.unknown_rank = true;
  const CompiledCase compiled(c);
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{2, 3, 4, 5}, {1, 1, 33, 32}, {0, 2, 3, 3}})
    expect_right(compiled, c, dims);
}

// Strides that were unknown at compile may be any at execute.
TEST_P(DynamicShape, StridesOfAnOutputOfUnknownShapeAreFree) {
  for (const bool unknown_rank : {false, true}) {
    OpCase c;
    c.out = dense_spec(iotadnn_f16, {6, 9});
    c.unknown_dims = true;
    c.unknown_rank = unknown_rank;
    for (const std::vector<int64_t>& strides :
         {std::vector<int64_t>{9, 1}, {1, 6}, {16, 1}, {2, 20}}) {
      c.out.strides = strides;
      EXPECT_TRUE(runs_right(c));
    }
  }
}

// With the shape known, the diagonal is still data.
TEST_P(DynamicShape, AnotherDiagonalNeedsNoOtherCompile) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::tensors;
  c.out = dense_spec(iotadnn_u8, {40, 30});
  const CompiledCase compiled(c);
  for (c.k = -41; c.k <= 31; ++c.k)
    expect_right(compiled, c, {40, 30});
}

TEST_P(DynamicShape, AnOutputThatContradictsTheScalarsIsRefused) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::host_scalars;
  c.out = dense_spec(iotadnn_f32, {2, 2});
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  const engine eng = compiled.get_engine();
  // Rows and columns say 2x2, the output 2x3.
  const int64_t two = 2;
  const int64_t zero = 0;
  using graph::logical_tensor;
  std::vector<graph::tensor> inputs;
  for (size_t id = 0; id < 3; ++id)
    inputs.push_back(graph::tensor::make_scalar_tensor(
        logical_tensor(id, logical_tensor::data_type::s64, 0, logical_tensor::layout_type::strided,
                       logical_tensor::property_type::host_scalar),
        id < 2 ? &two : &zero));
  float out[6] = {};
  const graph::tensor output(
      logical_tensor(100, logical_tensor::data_type::f32, logical_tensor::dims{2, 3},
                     logical_tensor::layout_type::strided),
      eng, out);
  stream s(eng);
  try {
    compiled.partition().execute(s, inputs, {output});
    FAIL() << "accepted";
  } catch (const error& refused) {
    EXPECT_EQ(refused.status, iotadnn_invalid_shape) << refused.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, DynamicShape, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
