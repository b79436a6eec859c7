// SPDX-License-Identifier: Apache-2.0
// Every generator op x output type x ISA of the host, over extents around the vector widths,
// strides dense, padded, permuted and column-major, and diagonals inside, at and beyond the
// corners. Expected values come from the oracle.
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/sizes.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

using TypeAndIsa = std::tuple<int, NamedIsa>;

std::string test_name(const testing::TestParamInfo<TypeAndIsa>& info) {
  return type_name(std::get<0>(info.param)) + "_" + std::get<1>(info.param).name;
}

class KernelMatrix : public testing::TestWithParam<TypeAndIsa> {
 protected:
  int type() const { return std::get<0>(GetParam()); }

  const NamedIsa& isa() const { return std::get<1>(GetParam()); }

  OpCase eye(std::vector<int64_t> dims, int64_t k) const {
    OpCase c;
    c.kind = OpCase::Kind::eye;
    c.out = dense_spec(type(), std::move(dims));
    c.k = k;
    c.expected_impl = isa().impl;
    return c;
  }

  ScopedMaxCpuIsa cap_{std::get<1>(GetParam()).isa};
};

// The layouts of a matrix: dense, rows padded, column-major, both padded, no unit stride at all.
std::vector<std::vector<int64_t>> layouts(const std::vector<int64_t>& dims) {
  const int last = static_cast<int>(dims.size()) - 1;
  std::vector<int> order;
  for (int d = 0; d <= last; ++d)
    order.push_back(d);
  std::vector<int> swapped = order;
  std::swap(swapped[dims.size() - 1], swapped[dims.size() - 2]);
  std::vector<int64_t> spread = dense_strides(dims);
  for (int64_t& stride : spread)
    stride *= 3;
  return {dense_strides(dims), permuted_strides(dims, order, 5), permuted_strides(dims, swapped),
          permuted_strides(dims, swapped, 3), spread};
}

TEST_P(KernelMatrix, EyeAroundTheVectorWidth) {
  for (const int64_t columns : vector_edges_of_type(type_bytes(type())))
    for (const int64_t rows : {int64_t{1}, int64_t{5}, columns + 1})
      for (const int64_t k : {int64_t{0}, int64_t{2}, -rows + 1, columns - 1})
        ASSERT_TRUE(runs_right(eye({rows, columns}, k)));
}

TEST_P(KernelMatrix, EyeInEveryLayout) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{4, 4}, {3, 70}, {70, 3}, {3, 5, 9}, {2, 3, 4, 5}, {65, 1}, {1, 65}})
    for (const auto& strides : layouts(dims))
      for (const int64_t k : {-2, 0, 1}) {
        OpCase c = eye(dims, k);
        c.out.strides = strides;
        ASSERT_TRUE(runs_right(c));
      }
}

TEST_P(KernelMatrix, EyeAtExtremeDiagonals) {
  for (const int64_t k : {kLowest, kLowest + 1, int64_t{-6}, int64_t{-5}, int64_t{-4}, int64_t{6},
                          int64_t{7}, int64_t{8}, kHighest - 1, kHighest})
    for (const auto& strides : layouts({5, 7})) {
      OpCase c = eye({5, 7}, k);
      c.out.strides = strides;
      ASSERT_TRUE(runs_right(c));
    }
}

TEST_P(KernelMatrix, EyeOfZeroExtents) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{0, 7}, {7, 0}, {0, 0}, {0, 3, 3}, {2, 0, 3}, {2, 3, 0}})
    ASSERT_TRUE(runs_right(eye(dims, 0)));
}

TEST_P(KernelMatrix, EyeTakesItsValuesInEveryForm) {
  for (const EyeForm form : {EyeForm::attributes, EyeForm::host_scalars, EyeForm::tensors})
    for (const int scalar_type : {static_cast<int>(iotadnn_s32), static_cast<int>(iotadnn_s64)})
      for (const std::vector<int64_t>& dims : {std::vector<int64_t>{9, 33}, {2, 3, 17, 16}}) {
        OpCase c = eye(dims, 3);
        c.form = form;
        c.scalar_type = scalar_type;
        ASSERT_TRUE(runs_right(c));
      }
}

TEST_P(KernelMatrix, EyeLikeOfAnySource) {
  for (const int source : oracle_types()) {
    OpCase c = eye({6, 35}, -1);
    c.kind = OpCase::Kind::eye_like;
    c.source_type = source;
    ASSERT_TRUE(runs_right(c));
  }
}

TEST_P(KernelMatrix, EyeOfRankTwelve) {
  OpCase c = eye({1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3, 4}, 1);
  ASSERT_TRUE(runs_right(c));
  c.out.strides = permuted_strides(c.out.dims, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 1);
  ASSERT_TRUE(runs_right(c));
}

INSTANTIATE_TEST_SUITE_P(Types, KernelMatrix,
                         testing::Combine(testing::ValuesIn(oracle_types()),
                                          testing::ValuesIn(host_named_isas())),
                         test_name);

class GenIndexMatrix : public KernelMatrix {
 protected:
  OpCase gen_index(std::vector<int64_t> dims, int64_t axis) const {
    OpCase c = eye(std::move(dims), 0);
    c.kind = OpCase::Kind::gen_index;
    c.axis = axis;
    return c;
  }
};

TEST_P(GenIndexMatrix, LastAxisAroundTheVectorWidth) {
  for (const int64_t columns : vector_edges_of_type(type_bytes(type())))
    for (const int64_t rows : {1, 3, 50})
      ASSERT_TRUE(runs_right(gen_index({rows, columns}, -1)));
}

TEST_P(GenIndexMatrix, OuterAxisAroundTheVectorWidth) {
  for (const int64_t inner : vector_edges_of_type(type_bytes(type())))
    for (const int64_t outer : {1, 3})
      ASSERT_TRUE(runs_right(gen_index({outer, 7, inner}, 1)));
}

TEST_P(GenIndexMatrix, EveryAxisInEveryLayout) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{5, 40}, {40, 3}, {3, 5, 9}, {2, 3, 4, 5}, {2, 1, 33}, {1, 65}})
    for (const auto& strides : layouts(dims))
      for (int64_t axis = -static_cast<int64_t>(dims.size());
           axis < static_cast<int64_t>(dims.size()); ++axis) {
        OpCase c = gen_index(dims, axis);
        c.out.strides = strides;
        ASSERT_TRUE(runs_right(c));
      }
}

TEST_P(GenIndexMatrix, RankOneAndTwelve) {
  ASSERT_TRUE(runs_right(gen_index({1}, 0)));
  ASSERT_TRUE(runs_right(gen_index({1000}, 0)));
  for (int64_t axis = 0; axis < 12; ++axis)
    ASSERT_TRUE(runs_right(gen_index({2, 1, 2, 1, 3, 1, 2, 1, 2, 1, 2, 3}, axis)));
}

TEST_P(GenIndexMatrix, AnySourceAndZeroExtents) {
  for (const int source : oracle_types()) {
    OpCase c = gen_index({6, 35}, 0);
    c.source_type = source;
    ASSERT_TRUE(runs_right(c));
  }
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{0}, {0, 7}, {7, 0}, {2, 0, 3}})
    ASSERT_TRUE(runs_right(gen_index(dims, 0)));
}

INSTANTIATE_TEST_SUITE_P(Types, GenIndexMatrix,
                         testing::Combine(testing::Values(static_cast<int>(iotadnn_s32),
                                                          static_cast<int>(iotadnn_s64)),
                                          testing::ValuesIn(host_named_isas())),
                         test_name);

}  // namespace
}  // namespace iotadnn::test
