// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/eye_inputs.h"

namespace iotadnn::impl {
namespace {

using test::expect_cells;
using test::expect_eye;
using test::eye_scalar;
using test::EyeInputs;
using test::make_op;
using test::reference_gives;
using test::tensor;
using test::unknown_rank;

std::map<AttrId, AttrValue> eye_attrs(std::vector<int64_t> shape, int64_t k) {
  return {{attr_id::kShape, std::move(shape)}, {attr_id::kK, k}};
}

Op eye_with_shape(DataType type, const std::vector<int64_t>& dims, int64_t k) {
  return make_op("Eye", 0, {}, {unknown_rank(9, type)}, eye_attrs(dims, k));
}

template <class Vector>
std::string name_of_vector(const testing::TestParamInfo<Vector>& info) {
  return info.param.name;
}

class EyeVectors : public testing::TestWithParam<test::EyeVector> {};

TEST_P(EyeVectors, TensorFormInEveryIndexType) {
  const test::EyeVector& v = GetParam();
  for (const DataType index : {DataType::s32, DataType::s64}) {
    EyeInputs inputs(ports_of(v, static_cast<int>(index)));
    Op op = make_op("Eye", 0, inputs.tensors, {unknown_rank(9, DataType(v.data_type))});
    ASSERT_TRUE(check_schema(op).ok()) << check_schema(op).message();
    EXPECT_TRUE(reference_gives(op, inputs.views(), v.dims(), expect_cells(v.data_type, v.ones)));
  }
}

TEST_P(EyeVectors, AttributeForm) {
  const test::EyeVector& v = GetParam();
  Op op = eye_with_shape(DataType(v.data_type), v.dims(), v.k);
  ASSERT_TRUE(check_schema(op).ok()) << check_schema(op).message();
  EXPECT_TRUE(reference_gives(op, {}, v.dims(), expect_cells(v.data_type, v.ones)));
}

INSTANTIATE_TEST_SUITE_P(OpenVino, EyeVectors, testing::ValuesIn(test::openvino_eye_vectors()),
                         name_of_vector<test::EyeVector>);

class EyeLikeVectors : public testing::TestWithParam<test::EyeLikeVector> {};

TEST_P(EyeLikeVectors, Reference) {
  const test::EyeLikeVector& v = GetParam();
  const std::vector<int64_t> dims = {v.rows, v.columns};
  Op op = make_op("EyeLike", 0, {tensor(0, DataType(v.source_type), dims)},
                  {unknown_rank(1, DataType(v.data_type))}, {{attr_id::kK, v.k}});
  ASSERT_TRUE(check_schema(op).ok()) << check_schema(op).message();
  EXPECT_TRUE(
      reference_gives(op, {{&op.inputs[0], nullptr}}, dims, expect_cells(v.data_type, v.ones)));
}

INSTANTIATE_TEST_SUITE_P(Published, EyeLikeVectors, testing::ValuesIn(test::eye_like_vectors()),
                         name_of_vector<test::EyeLikeVector>);

TEST(EyeLike, TraceOfTheLargeBf16Identity) {  // kohya-ss/sd-scripts#2078
  Op op = make_op("EyeLike", 0, {tensor(0, DataType::bf16, {768, 768})},
                  {unknown_rank(1, DataType::bf16)});
  ASSERT_TRUE(check_schema(op).ok());
  EXPECT_TRUE(reference_gives(op, {{&op.inputs[0], nullptr}}, {768, 768},
                              expect_eye(static_cast<int>(DataType::bf16), 0)));
}

TEST(Eye, EveryTypeByEveryAlignmentOfTheDiagonal) {
  for (const DataType type : kComputedTypes)
    for (const int64_t k : {-2, 0, 3})
      EXPECT_TRUE(reference_gives(eye_with_shape(type, {2, 5, 7}, k), {}, {2, 5, 7},
                                  expect_eye(static_cast<int>(type), k)))
          << name_of(type) << " k=" << k;
}

TEST(Eye, ExtremeDiagonals) {
  for (const int64_t rows : {0, 1, 4})
    for (const int64_t columns : {0, 1, 6})
      for (const int64_t k : test::extreme_diagonals(rows, columns)) {
        const std::vector<int64_t> dims = {rows, columns};
        const auto expected = expect_eye(static_cast<int>(DataType::s16), k);
        EXPECT_TRUE(reference_gives(eye_with_shape(DataType::s16, dims, k), {}, dims, expected))
            << rows << "x" << columns << " k=" << k;
        EyeInputs inputs({eye_scalar(rows), eye_scalar(columns), eye_scalar(k)});
        const Op op = make_op("Eye", 0, inputs.tensors, {unknown_rank(9, DataType::s16)});
        EXPECT_TRUE(reference_gives(op, inputs.views(), dims, expected))
            << rows << "x" << columns << " k=" << k << ", as input";
      }
}

TEST(Eye, StridesPermutedAndPadded) {
  const std::vector<int64_t> dims = {2, 4, 5};
  const std::vector<std::vector<int64_t>> strides = {
      {20, 5, 1},    // dense
      {64, 8, 1},    // padded rows and matrices
      {1, 2, 8},     // batch innermost
      {20, 1, 4},    // columns before rows
      {90, 3, 17},   // permuted and padded
      {200, 40, 3},  // gaps between columns
  };
  for (const auto& s : strides)
    for (const DataType type : {DataType::u8, DataType::f16, DataType::f32, DataType::f64}) {
      Op op = eye_with_shape(type, dims, 1);
      op.outputs = {tensor(9, type, dims, s)};
      EXPECT_TRUE(reference_gives(op, {}, dims, expect_eye(static_cast<int>(type), 1)))
          << name_of(type) << " strides " << test::dims_text(s);
    }
}

TEST(Eye, RankTwelve) {
  const std::vector<int64_t> dims = {1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 3, 4};
  EXPECT_TRUE(reference_gives(eye_with_shape(DataType::u32, dims, -1), {}, dims,
                              expect_eye(static_cast<int>(DataType::u32), -1)));
}

TEST(Eye, EmptyHoweverLargeTheOtherExtents) {
  constexpr int64_t kBig = int64_t{1} << 62;
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{0, kBig, 4}, {kBig, kBig, 0}, {kBig, 0, kBig}})
    EXPECT_TRUE(reference_gives(eye_with_shape(DataType::f64, dims, 0), {}, dims,
                                expect_eye(static_cast<int>(DataType::f64), 0)))
        << test::dims_text(dims);
}

TEST(Eye, ReadsAStridedBatchShape) {
  const int64_t batch[] = {2, 77, 3};
  LogicalTensor batch_tensor = tensor(3, DataType::s64, {2}, {2});
  EyeInputs inputs({eye_scalar(2), eye_scalar(2), eye_scalar(0)});
  inputs.tensors.push_back(batch_tensor);
  const Op op = make_op("Eye", 0, inputs.tensors, {unknown_rank(9, DataType::f32)});
  inputs.tensors.pop_back();
  auto views = inputs.views();
  views.push_back({&batch_tensor, const_cast<int64_t*>(batch)});
  EXPECT_TRUE(
      reference_gives(op, views, {2, 3, 2, 2}, expect_eye(static_cast<int>(DataType::f32), 0)));
}

TEST(Eye, DiagonalWithoutDataIsRefused) {
  EyeInputs inputs({eye_scalar(2), eye_scalar(2), eye_scalar(0)});
  const Op op = make_op("Eye", 0, inputs.tensors, {tensor(9, DataType::f32, {2, 2})});
  auto views = inputs.views();
  views[2].data = nullptr;
  float out[4];
  const Status status = find_op(op.kind)->reference({&op, views, {{&op.outputs[0], out}}});
  EXPECT_EQ(status.code(), StatusCode::invalid_arguments);
  EXPECT_NE(status.message().find("diagonal_index"), std::string::npos) << status.message();
}

class EyeShapes : public testing::TestWithParam<test::EyeShapeVector> {};

TEST_P(EyeShapes, Inferred) {
  const test::EyeShapeVector& v = GetParam();
  EyeInputs inputs(v.inputs);
  Op op = make_op("Eye", 0, inputs.tensors, {unknown_rank(9, DataType(v.data_type))});
  ASSERT_TRUE(check_schema(op).ok()) << check_schema(op).message();
  ShapeContext ctx{&op, inputs.views(), op.outputs};
  const Status status = infer_shapes(ctx);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(ctx.outputs[0].rank, v.rank);
  for (int d = 0; d < v.rank; ++d) {
    const int64_t want = v.dims[static_cast<size_t>(d)];
    EXPECT_EQ(ctx.outputs[0].dims[d], want < 0 ? kUnknownDim : want) << "dimension " << d;
  }
}

INSTANTIATE_TEST_SUITE_P(OpenVino, EyeShapes, testing::ValuesIn(test::eye_shape_vectors()),
                         name_of_vector<test::EyeShapeVector>);

class EyeErrors : public testing::TestWithParam<test::EyeErrorVector> {};

TEST_P(EyeErrors, RefusedWithASentence) {
  const test::EyeErrorVector& v = GetParam();
  EyeInputs inputs(v.inputs);
  Op op = make_op("Eye", 0, inputs.tensors, {unknown_rank(9, DataType(v.data_type))});
  Status status = check_schema(op);
  if (!v.at_add_op) {
    ASSERT_TRUE(status.ok()) << status.message();
    ShapeContext ctx{&op, inputs.views(), op.outputs};
    status = infer_shapes(ctx);
  }
  EXPECT_EQ(static_cast<int>(status.code()),
            v.at_add_op ? test::kInvalidGraphOp : test::kInvalidShape);
  EXPECT_NE(status.message().find("Eye 'Eye_0'"), std::string::npos) << status.message();
  for (const std::string& word : v.words)
    EXPECT_NE(status.message().find(word), std::string::npos)
        << "no '" << word << "' in: " << status.message();
}

INSTANTIATE_TEST_SUITE_P(Published, EyeErrors, testing::ValuesIn(test::eye_error_vectors()),
                         name_of_vector<test::EyeErrorVector>);

// Shapes that were not known when the op was added are checked when they are.
TEST(EyeErrorsUnknownBefore, RefusedByInference) {
  int refused_late = 0;
  for (const test::EyeErrorVector& v : test::eye_error_vectors()) {
    EyeInputs inputs(v.inputs);
    std::vector<LogicalTensor> unknown;
    for (const LogicalTensor& t : inputs.tensors)
      unknown.push_back(unknown_rank(t.id, t.type));
    Op op = make_op("Eye", 0, unknown, {unknown_rank(9, DataType(v.data_type))});
    if (!check_schema(op).ok()) continue;  // wrong in its types or counts, whatever the shapes
    ++refused_late;
    ShapeContext ctx{&op, inputs.views(), op.outputs};
    EXPECT_EQ(infer_shapes(ctx).code(), StatusCode::invalid_shape) << v.name;
  }
  EXPECT_EQ(refused_late, 15);
}

TEST(Eye, ComputedTypesComeOutOfAnyInput) {
  for (int number = 0; number < 0x110; ++number) {
    const auto type = static_cast<DataType>(number);
    Op eye = eye_with_shape(type, {2, 2}, 0);
    EXPECT_EQ(check_schema(eye).ok(), is_computed(type)) << number;
    Op into = make_op("EyeLike", 0, {tensor(0, DataType::f32, {2, 2})}, {unknown_rank(1, type)});
    EXPECT_EQ(check_schema(into).ok(), is_computed(type)) << number;
    Op from = make_op("EyeLike", 0, {tensor(0, type, {2, 2})}, {unknown_rank(1, DataType::f32)});
    EXPECT_EQ(check_schema(from).ok(), is_known(type)) << number;
  }
}

struct BadOp {
  const char* name;
  Op op;
  const char* word;
};

class EyeChecks : public testing::TestWithParam<BadOp> {};

TEST_P(EyeChecks, RefusedWhenAdded) {
  Op op = GetParam().op;
  const Status status = check_schema(op);
  EXPECT_EQ(status.code(), StatusCode::invalid_graph_op);
  EXPECT_NE(status.message().find(GetParam().word), std::string::npos) << status.message();
}

std::vector<BadOp> bad_ops() {
  const auto out = [](DataType t) { return std::vector<LogicalTensor>{unknown_rank(9, t)}; };
  const auto f32 = out(DataType::f32);
  const EyeInputs scalars({eye_scalar(2), eye_scalar(2), eye_scalar(0)});
  const auto like = [&](std::vector<int64_t> dims) {
    return make_op("EyeLike", 0, {tensor(0, DataType::f32, dims)}, f32);
  };
  return {
      {"NoShape", make_op("Eye", 0, {}, f32), "no attribute shape"},
      {"ShapeOfRank1", make_op("Eye", 0, {}, f32, eye_attrs({3}, 0)), "rank 1, allowed: 2 to 12"},
      {"ShapeOfRank13", make_op("Eye", 0, {}, f32, eye_attrs(std::vector<int64_t>(13, 1), 0)),
       "rank 13"},
      {"NegativeShape", make_op("Eye", 0, {}, f32, eye_attrs({3, -2}, 0)), "shape[1] is -2"},
      {"OutputOfRank1",
       make_op("Eye", 0, {}, {tensor(9, DataType::f32, {3})}, eye_attrs({3, 3}, 0)),
       "output 0 (output) has rank 1"},
      {"ShapeBesideInputs",
       make_op("Eye", 0, scalars.tensors, f32, {{attr_id::kShape, std::vector<int64_t>{2, 2}}}),
       "attribute shape is not allowed together with inputs"},
      {"KBesideInputs", make_op("Eye", 0, scalars.tensors, f32, {{attr_id::kK, int64_t{0}}}),
       "attribute k is not allowed together with inputs"},
      {"KOfWrongType",
       make_op("Eye", 0, {}, f32,
               {{attr_id::kShape, std::vector<int64_t>{2, 2}}, {attr_id::kK, 1.0f}}),
       "attribute k is f32, allowed: s64"},
      {"UnknownAttribute",
       make_op("Eye", 0, {}, f32,
               {{attr_id::kShape, std::vector<int64_t>{2, 2}}, {attr_id::kAxis, int64_t{0}}}),
       "attribute axis is not defined for this op, allowed: shape, k"},
      {"EyeOfUndef", make_op("Eye", 0, {}, out(DataType::undef), eye_attrs({2, 2}, 0)),
       "output 0 (output) is undef"},
      {"EyeOfF8", make_op("Eye", 0, {}, out(DataType::f8_e5m2), eye_attrs({2, 2}, 0)), "f8_e5m2"},
      {"EyeOfNoType", make_op("Eye", 0, {}, out(DataType(99)), eye_attrs({2, 2}, 0)),
       "of unknown type number 99"},
      {"LikeOfRank0", like({}), "input 0 (input) has rank 0, allowed: 2"},
      {"LikeOfRank1", like({4}), "rank 1, allowed: 2"},
      {"LikeOfRank3", like({3, 4, 2}), "rank 3, allowed: 2"},
      {"LikeIntoRank3",
       make_op("EyeLike", 0, {unknown_rank(0, DataType::f32)},
               {tensor(1, DataType::f32, {2, 2, 2})}),
       "output 0 (output) has rank 3"},
      {"LikeWithoutInput", make_op("EyeLike", 0, {}, f32), "has 0 inputs, allowed: 1"},
      {"LikeWithoutOutput", make_op("EyeLike", 0, {tensor(0, DataType::f32, {2, 2})}, {}),
       "has 0 outputs, allowed: 1"},
      {"LikeOfUndef", make_op("EyeLike", 0, {tensor(0, DataType::undef, {2, 2})}, f32),
       "input 0 (input) is undef"},
  };
}

INSTANTIATE_TEST_SUITE_P(Ops, EyeChecks, testing::ValuesIn(bad_ops()), name_of_vector<BadOp>);

}  // namespace
}  // namespace iotadnn::impl
