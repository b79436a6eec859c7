// SPDX-License-Identifier: Apache-2.0
#include "base/shape.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/strided.h"

namespace iotadnn::impl {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kBig = int64_t{1} << 62;

Dims dims_of(const std::vector<int64_t>& values) {
  Dims dims{};
  std::copy(values.begin(), values.end(), dims.begin());
  return dims;
}

Result<int64_t> count(const std::vector<int64_t>& dims) {
  return num_elements(dims_of(dims), static_cast<int>(dims.size()));
}

Result<int64_t> span(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  return span_elements(dims_of(dims), dims_of(strides), static_cast<int>(dims.size()));
}

bool apart(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  return non_overlapping(dims_of(dims), dims_of(strides), static_cast<int>(dims.size()));
}

void expect_invalid(const Result<int64_t>& result) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::invalid_shape);
  EXPECT_FALSE(result.status().message().empty());
}

TEST(CheckedArithmetic, SeesEveryOverflow) {
  EXPECT_EQ(checked_mul(3, -4), -12);
  EXPECT_EQ(checked_mul(kMax, 1), kMax);
  EXPECT_EQ(checked_mul(kMax, 2), std::nullopt);
  EXPECT_EQ(checked_mul(kMin, -1), std::nullopt);
  EXPECT_EQ(checked_mul(kBig, 0), 0);
  EXPECT_EQ(checked_add(kMax, kMin), -1);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_add(kMin, -1), std::nullopt);
}

TEST(SaturatingAdd, StopsAtTheLimits) {
  EXPECT_EQ(saturating_add(2, 3), 5);
  EXPECT_EQ(saturating_add(kMax, 1), kMax);
  EXPECT_EQ(saturating_add(kMax, kMax), kMax);
  EXPECT_EQ(saturating_add(kMin, -1), kMin);
  EXPECT_EQ(saturating_add(kMin, kMin), kMin);
  EXPECT_EQ(saturating_add(kMin, kMax), -1);
}

TEST(NumElements, Counts) {
  EXPECT_EQ(*count({}), 1);
  EXPECT_EQ(*count({2, 3, 4}), 24);
  EXPECT_EQ(*count({kMax}), kMax);
  EXPECT_EQ(*count({kBig, 0, kBig}), 0);
  EXPECT_EQ(*count({0, kBig, kBig}), 0);
}

TEST(NumElements, RefusesWhatCannotBeCounted) {
  expect_invalid(count({kBig, 2}));
  expect_invalid(count({2, -1}));
  expect_invalid(count({0, -1}));
  expect_invalid(count({2, kUnknownDim}));
  expect_invalid(num_elements(Dims{}, kUnknownRank));
}

TEST(SpanElements, ReachesTheLastElement) {
  EXPECT_EQ(*span({}, {}), 1);
  EXPECT_EQ(*span({2, 3}, {3, 1}), 6);
  EXPECT_EQ(*span({2, 3}, {10, 2}), 15);
  EXPECT_EQ(*span({2, 3}, {0, 0}), 1);
  EXPECT_EQ(*span({0, 3}, {-5, 1}), 0);
  EXPECT_EQ(*span({1, 3}, {-5, 1}), 3);  // the stride of an extent of 1 does not matter
}

TEST(SpanElements, RefusesOverflowAndNegativeStrides) {
  expect_invalid(span({2, 3}, {-3, 1}));
  expect_invalid(span({2, 3}, {kUnknownDim, 1}));
  expect_invalid(span({3, 1}, {kBig, 1}));
  expect_invalid(span({2, 2, 2}, {kBig, kBig - 1, 1}));
  expect_invalid(span({kBig, 4}, {1, 1}));
  expect_invalid(span_elements(Dims{}, Dims{}, kUnknownRank));
}

TEST(DenseStrides, AreRowMajorAndZeroCountsAsOne) {
  const auto strides = [](const std::vector<int64_t>& dims) {
    const auto result = dense_strides(dims_of(dims), static_cast<int>(dims.size()));
    EXPECT_TRUE(result.ok()) << result.status().message();
    return result.ok() ? std::vector<int64_t>(result->begin(),
                                              result->begin() + static_cast<int>(dims.size()))
                       : std::vector<int64_t>();
  };
  EXPECT_EQ(strides({}), std::vector<int64_t>());
  EXPECT_EQ(strides({2, 3, 4}), (std::vector<int64_t>{12, 4, 1}));
  EXPECT_EQ(strides({2, 0, 4}), (std::vector<int64_t>{4, 4, 1}));
  EXPECT_EQ(strides({kBig, 4}), (std::vector<int64_t>{4, 1}));
  // An empty tensor is legal however large its other extents are; nobody uses its strides.
  EXPECT_EQ(strides({0, kBig, 4}).size(), 3u);
  EXPECT_EQ(strides({kBig, kBig, 0}).size(), 3u);
}

TEST(DenseStrides, RefuseOverflow) {
  const auto refused = dense_strides(dims_of({2, kBig, 4}), 3);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::invalid_shape);
  EXPECT_FALSE(dense_strides(Dims{}, kUnknownRank).ok());
}

TEST(NonOverlapping, AcceptsAnyOrderAndAnyGaps) {
  EXPECT_TRUE(apart({}, {}));
  EXPECT_TRUE(apart({2, 3, 4}, {12, 4, 1}));
  EXPECT_TRUE(apart({2, 3, 4}, {1, 2, 6}));
  EXPECT_TRUE(apart({2, 3, 4}, {100, 7, 2}));
  EXPECT_TRUE(apart({1, 3}, {0, 1}));
  EXPECT_TRUE(apart({0, 3}, {0, 0}));
  EXPECT_TRUE(apart({3, 0}, {0, 0}));
}

TEST(NonOverlapping, RefusesSharedAddresses) {
  EXPECT_FALSE(apart({2, 3}, {2, 1}));
  EXPECT_FALSE(apart({2, 3}, {0, 1}));
  EXPECT_FALSE(apart({2, 3}, {1, 1}));
  EXPECT_FALSE(apart({2, 3}, {-3, 1}));
  EXPECT_FALSE(apart({2, 3, 4}, {11, 4, 1}));
}

TEST(NonOverlapping, NeverAcceptsTwoElementsAtOneAddress) {
  test::Random random;
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<int64_t> dims;
    std::vector<int64_t> strides;
    for (int64_t rank = random.between(1, 4); rank > 0; --rank) {
      dims.push_back(random.between(1, 4));
      strides.push_back(random.between(0, 30));
    }
    if (!apart(dims, strides)) continue;
    ++accepted;
    std::set<int64_t> offsets;
    test::for_each_element(dims, strides, [&](const std::vector<int64_t>&, int64_t offset) {
      EXPECT_TRUE(offsets.insert(offset).second)
          << test::dims_text(dims) << " strides " << test::dims_text(strides);
      return true;
    });
  }
  EXPECT_GT(accepted, 100);
}

TEST(NonOverlapping, AcceptsEveryPermutationOfAPaddedTensor) {
  test::Random random;
  for (int round = 0; round < 500; ++round) {
    std::vector<int64_t> dims;
    std::vector<int> order;
    for (int64_t rank = random.between(1, 6); rank > 0; --rank) {
      order.push_back(static_cast<int>(dims.size()));
      dims.push_back(random.between(1, 5));
    }
    std::shuffle(order.begin(), order.end(), random.engine());
    const auto strides = test::permuted_strides(dims, order, random.between(0, 3));
    EXPECT_TRUE(apart(dims, strides))
        << test::dims_text(dims) << " strides " << test::dims_text(strides);
  }
}

TEST(KnownShape, NeedsRankAndEveryDim) {
  EXPECT_TRUE(is_known_shape(dims_of({}), 0));
  EXPECT_TRUE(is_known_shape(dims_of({2, 0}), 2));
  EXPECT_FALSE(is_known_shape(dims_of({2, kUnknownDim}), 2));
  EXPECT_TRUE(is_known_shape(dims_of({2, kUnknownDim}), 1));
  EXPECT_FALSE(is_known_shape(dims_of({}), kUnknownRank));
}

TEST(ShapeText, MarksWhatIsUnknown) {
  EXPECT_EQ(shape_text(dims_of({2, 3}), 2), "2x3");
  EXPECT_EQ(shape_text(dims_of({2, kUnknownDim, 0}), 3), "2x?x0");
  EXPECT_EQ(shape_text(dims_of({}), 0), "");
  EXPECT_EQ(shape_text(dims_of({}), kUnknownRank), "unknown rank");
}

}  // namespace
}  // namespace iotadnn::impl
