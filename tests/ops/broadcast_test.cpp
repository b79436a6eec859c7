// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/op_builder.h"

// The shape rule of pointwise ops.
namespace iotadnn::impl {
namespace {

using test::kUnknown;
using test::make_op;
using test::tensor;
using test::unknown_rank;

using Dims64 = std::vector<int64_t>;

constexpr auto f32 = DataType::f32;

Result<LogicalTensor> inferred(const std::vector<LogicalTensor>& inputs, const char* mode = "numpy",
                               const LogicalTensor& out = unknown_rank(9, f32)) {
  const Op op = make_op("Add", 1, inputs, {out}, {{attr_id::kAutoBroadcast, std::string(mode)}});
  ShapeContext ctx{&op, {}, op.outputs};
  for (const LogicalTensor& in : op.inputs)
    ctx.inputs.push_back({&in, nullptr});
  if (Status status = infer_shapes(ctx); !status.ok()) return status;
  return ctx.outputs[0];
}

struct Case {
  Dims64 a;
  Dims64 b;
  Dims64 joined;
};

TEST(Broadcast, NumpyRule) {
  const Case cases[] = {
      {{2, 3}, {2, 3}, {2, 3}},
      {{2, 3}, {3}, {2, 3}},
      {{2, 1}, {1, 3}, {2, 3}},
      {{}, {4}, {4}},
      {{}, {}, {}},
      {{5, 1, 3}, {4, 1}, {5, 4, 3}},
      {{0}, {1}, {0}},
      {{2, 0}, {1, 1}, {2, 0}},
      {{kUnknown}, {1}, {kUnknown}},
      {{kUnknown}, {kUnknown}, {kUnknown}},
      {{kUnknown}, {7}, {7}},
      {{kUnknown}, {0}, {0}},
      {{kUnknown, 1}, {3}, {kUnknown, 3}},
      {{2, kUnknown}, {kUnknown, 1}, {2, kUnknown}},
  };
  for (const Case& c : cases)
    for (const bool swapped : {false, true}) {
      const LogicalTensor a = tensor(0, f32, swapped ? c.b : c.a);
      const LogicalTensor b = tensor(1, f32, swapped ? c.a : c.b);
      const auto out = inferred({a, b});
      ASSERT_TRUE(out.ok()) << out.status().message();
      EXPECT_EQ(Dims64(out->dims.begin(), out->dims.begin() + out->rank), c.joined)
          << test::dims_text(c.a) << " and " << test::dims_text(c.b);
    }
}

TEST(Broadcast, RefusesOtherExtents) {
  const auto refused = [](const Dims64& a, const Dims64& b, const char* mode, const char* problem) {
    const auto out = inferred({tensor(0, f32, a), tensor(1, f32, b)}, mode);
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.status().code(), StatusCode::invalid_shape);
    EXPECT_NE(out.status().message().find(problem), std::string::npos) << out.status().message();
  };
  refused({2, 3}, {2}, "numpy",
          "Add 'Add_1': input 0 (src_0) is 2x3, input 1 is 2; each extent must be the same or 1");
  refused({2}, {0}, "numpy", "must be the same or 1");
  refused({2, 3}, {1, 3}, "none", "auto_broadcast is none, so they must be the same");
  refused({2, 3}, {3}, "none", "must be the same");
}

TEST(Broadcast, NoneTakesEqualShapesOnly) {
  const auto out = inferred({tensor(0, f32, {2, kUnknown}), tensor(1, f32, {kUnknown, 1})}, "none");
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->dims[0], 2);
  EXPECT_EQ(out->dims[1], 1) << "an unknown extent is the other's";
}

TEST(Broadcast, UnknownRanks) {
  const LogicalTensor known = tensor(0, f32, {2, 3});
  const auto out = inferred({known, unknown_rank(1, f32)});
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->rank, kUnknownRank);
  const auto given = inferred({unknown_rank(0, f32), known}, "numpy", tensor(9, f32, {4, 2, 3}));
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->rank, 3);
}

TEST(Broadcast, OutputGivenOtherwise) {
  const auto out =
      inferred({tensor(0, f32, {2, 3}), tensor(1, f32, {3})}, "numpy", tensor(9, f32, {3, 2}));
  ASSERT_FALSE(out.ok());
  EXPECT_NE(out.status().message().find("output 0 (dst) is given as 3x2 but must be 2x3"),
            std::string::npos)
      << out.status().message();
}

}  // namespace
}  // namespace iotadnn::impl
