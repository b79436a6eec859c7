// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "ops/eye_inputs.h"
#include "ops/lower_context.h"

namespace iotadnn::impl {
namespace {

using test::expect_gen_index;
using test::make_op;
using test::reference_gives;
using test::tensor;
using test::unknown_rank;

Op gen_index(LogicalTensor in, LogicalTensor out, int64_t axis) {
  return make_op("GenIndex", 3, {in}, {out}, {{attr_id::kAxis, axis}});
}

Status inferred(const Op& op) {
  ShapeContext ctx{&op, {{&op.inputs[0], nullptr}}, op.outputs};
  return infer_shapes(ctx);
}

TEST(GenIndex, EveryAxisOfEveryRank) {
  for (int rank = 1; rank <= kMaxRank; ++rank) {
    std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
    for (int d = 0; d < rank; d += 3)
      dims[static_cast<size_t>(d)] = 3;
    dims.back() = 4;
    for (int64_t axis = -rank; axis < rank; ++axis)
      for (const DataType type : {DataType::s32, DataType::s64}) {
        Op op = gen_index(tensor(0, DataType::f32, dims), unknown_rank(1, type), axis);
        ASSERT_TRUE(check_schema(op).ok()) << check_schema(op).message();
        EXPECT_TRUE(reference_gives(op, {{&op.inputs[0], nullptr}}, dims,
                                    expect_gen_index(static_cast<int>(type), axis)))
            << "rank " << rank << " axis " << axis;
      }
  }
}

TEST(GenIndex, EverySourceType) {
  for (int number = 0; number < 0x110; ++number) {
    const auto type = static_cast<DataType>(number);
    Op op = gen_index(tensor(0, type, {2, 2}), unknown_rank(1, DataType::s32), 1);
    EXPECT_EQ(check_schema(op).ok(), is_known(type)) << number;
  }
}

TEST(GenIndex, OnlyIndexTypesComeOut) {
  for (const DataType type : kComputedTypes) {
    Op op = gen_index(tensor(0, DataType::f32, {2, 2}), unknown_rank(1, type), 1);
    EXPECT_EQ(check_schema(op).ok(), type == DataType::s32 || type == DataType::s64)
        << name_of(type);
  }
}

TEST(GenIndex, ExtentsOfZeroAndOne) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{0}, {1}, {3, 0}, {0, 3}, {1, 1, 1}, {2, 0, 2}})
    for (int64_t axis = 0; axis < static_cast<int64_t>(dims.size()); ++axis) {
      const Op op = gen_index(tensor(0, DataType::f32, dims), unknown_rank(1, DataType::s32), axis);
      EXPECT_TRUE(reference_gives(op, {{&op.inputs[0], nullptr}}, dims,
                                  expect_gen_index(static_cast<int>(DataType::s32), axis)));
    }
}

TEST(GenIndex, OutputStridesDifferFromTheInputs) {
  const std::vector<int64_t> dims = {2, 3, 4, 5};
  for (const std::vector<int64_t>& strides :
       {std::vector<int64_t>{60, 5, 15, 1}, {1, 2, 6, 24}, {200, 50, 10, 2}, {70, 23, 5, 1}})
    for (int64_t axis = 0; axis < 4; ++axis) {
      const Op op =
          gen_index(tensor(0, DataType::f32, dims), tensor(1, DataType::s64, dims, strides), axis);
      EXPECT_TRUE(reference_gives(op, {{&op.inputs[0], nullptr}}, dims,
                                  expect_gen_index(static_cast<int>(DataType::s64), axis)))
          << test::dims_text(strides);
    }
}

struct BadAxis {
  int rank;
  int64_t axis;
};

TEST(GenIndex, AxisOutsideTheRank) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const BadAxis& bad :
       {BadAxis{1, 1}, {1, -2}, {4, 4}, {4, -5}, {12, 12}, {2, kMin}, {2, kMax}}) {
    const std::vector<int64_t> dims(static_cast<size_t>(bad.rank), 2);
    // Known when added, on either side: the op is wrong.
    Op known = gen_index(tensor(0, DataType::f32, dims), unknown_rank(1, DataType::s32), bad.axis);
    EXPECT_EQ(check_schema(known).code(), StatusCode::invalid_graph_op);
    EXPECT_NE(check_schema(known).message().find("axis is " + std::to_string(bad.axis)),
              std::string::npos)
        << check_schema(known).message();
    Op by_output =
        gen_index(unknown_rank(0, DataType::f32), tensor(1, DataType::s32, dims), bad.axis);
    EXPECT_EQ(check_schema(by_output).code(), StatusCode::invalid_graph_op);
    // Known at compile only: the arguments are.
    Op unknown =
        gen_index(unknown_rank(0, DataType::f32), unknown_rank(1, DataType::s32), bad.axis);
    EXPECT_TRUE(check_schema(unknown).ok());
    unknown.inputs[0] = tensor(0, DataType::f32, dims);
    EXPECT_EQ(inferred(unknown).code(), StatusCode::invalid_arguments);
  }
}

TEST(GenIndex, AxisOfWrongTypeOrMissing) {
  Op op = gen_index(tensor(0, DataType::f32, {2, 2}), unknown_rank(1, DataType::s32), 0);
  op.attrs[attr_id::kAxis] = std::vector<int64_t>{0};
  EXPECT_NE(check_schema(op).message().find("attribute axis is s64[], allowed: s64"),
            std::string::npos);
  op.attrs.clear();
  EXPECT_NE(check_schema(op).message().find("attribute axis is missing"), std::string::npos);
}

TEST(GenIndex, ScalarsHaveNoAxis) {
  Op op = gen_index(tensor(0, DataType::f32, {}), unknown_rank(1, DataType::s32), 0);
  EXPECT_EQ(check_schema(op).code(), StatusCode::invalid_graph_op);
  EXPECT_NE(check_schema(op).message().find("rank 0"), std::string::npos);
}

TEST(GenIndex, ExtentsBeyondTheOutputType) {
  const int64_t past_s32 = (int64_t{1} << 31) + 1;
  const auto with = [](std::vector<int64_t> dims, DataType type, int64_t axis) {
    return gen_index(tensor(0, DataType::f32, dims), unknown_rank(1, type), axis);
  };
  EXPECT_TRUE(inferred(with({past_s32 - 1, 1}, DataType::s32, 0)).ok());
  const Status refused = inferred(with({past_s32, 1}, DataType::s32, 0));
  EXPECT_EQ(refused.code(), StatusCode::invalid_shape);
  EXPECT_NE(refused.message().find("extent 2147483649 along axis 0"), std::string::npos)
      << refused.message();
  EXPECT_TRUE(inferred(with({past_s32, 1}, DataType::s32, 1)).ok());
  EXPECT_TRUE(inferred(with({past_s32, 0}, DataType::s32, 0)).ok());
  EXPECT_TRUE(inferred(with({past_s32, 1}, DataType::s64, 0)).ok());
}

TEST(GenIndex, LowersToTheCoordinateOfItsAxis) {
  const Op op =
      gen_index(tensor(0, DataType::f32, {2, 3, 4}), tensor(1, DataType::s32, {2, 3, 4}), -2);
  LowerContext ctx;
  ctx.op = &op;
  ctx.program.rank = 3;
  ASSERT_TRUE(find_op(op.kind)->lower(ctx).ok());
  EXPECT_TRUE(ctx.program.predicates.empty());
  EXPECT_EQ(ctx.program.bodies, (std::vector<Body>{{{{Opcode::coord, 1}}}}));
}

}  // namespace
}  // namespace iotadnn::impl
