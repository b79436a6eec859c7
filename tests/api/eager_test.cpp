// SPDX-License-Identifier: Apache-2.0
#include "iotadnn/eager.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

template <class T>
std::vector<T> values(const dense_tensor& t) {
  return std::vector<T>(t.data<T>(), t.data<T>() + t.size());
}

TEST(Eager, Eye) {
  const dense_tensor t = eye(2, 3, 1, data_type::f32);
  EXPECT_EQ(t.shape(), (dims{2, 3}));
  EXPECT_EQ(t.type(), data_type::f32);
  EXPECT_EQ(t.bytes(), 24u);
  EXPECT_EQ(values<float>(t), (std::vector<float>{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(values<uint8_t>(eye(2, 2, -1, data_type::u8)), (std::vector<uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(values<int64_t>(eye(2, 2, std::numeric_limits<int64_t>::min(), data_type::s64)),
            (std::vector<int64_t>{0, 0, 0, 0}));
}

TEST(Eager, EyeWithBatch) {
  const dense_tensor t = eye(1, 2, 0, data_type::s16, {3, 1});
  EXPECT_EQ(t.shape(), (dims{3, 1, 1, 2}));
  EXPECT_EQ(values<int16_t>(t), (std::vector<int16_t>{1, 0, 1, 0, 1, 0}));
  expect_error(iotadnn_invalid_arguments, [] { eye(1, 1, 0, data_type::f32, dims(11, 1)); });
}

TEST(Eager, EyeLike) {
  EXPECT_EQ(values<double>(eye_like({2, 2}, 0, data_type::f64)), (std::vector<double>{1, 0, 0, 1}));
  const Lt like = strided(0, DataType::u32, {2, 2});
  const dense_tensor t = eye_like(like, 1);
  EXPECT_EQ(t.type(), data_type::u32);
  EXPECT_EQ(values<uint32_t>(t), (std::vector<uint32_t>{0, 1, 0, 0}));
  EXPECT_EQ(eye_like(like, 1, data_type::s8).type(), data_type::s8);
}

TEST(Eager, GenIndex) {
  EXPECT_EQ(values<int32_t>(gen_index({2, 3}, 0)), (std::vector<int32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(values<int64_t>(gen_index({2, 3}, -1, data_type::s64)),
            (std::vector<int64_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(gen_index({2, 0, 3}, 0).size(), 0u);
}

TEST(Eager, ManySizesAndDiagonalsAtOnce) {
  for (int64_t n = 0; n < 40; ++n) {
    const auto result = values<int8_t>(eye(n, n, n % 5, data_type::s8));
    for (int64_t i = 0; i < n * n; ++i)
      ASSERT_EQ(result[i], i % n == i / n + n % 5) << n << " " << i;
  }
}

TEST(Eager, Errors) {
  expect_error(iotadnn_invalid_arguments, [] { eye(-1, 2, 0, data_type::f32); });
  expect_error(iotadnn_invalid_shape, [] { eye(INT64_MAX, INT64_MAX, 0, data_type::f32); });
  expect_error(iotadnn_invalid_graph_op, [] { eye(2, 2, 0, data_type::f8_e4m3); });
  expect_error(iotadnn_invalid_graph_op, [] { eye_like({2}, 0, data_type::f32); });
  expect_error(iotadnn_invalid_graph_op, [] { gen_index({2, 3}, 2); });
  expect_error(iotadnn_invalid_graph_op, [] { gen_index({2, 3}, 0, data_type::f32); });
  expect_error(iotadnn_invalid_graph_op, [] { gen_index({}, 0); });
  const dense_tensor t = eye(2, 2, 0, data_type::f32);
  expect_error(iotadnn_invalid_arguments, [&] { (void)t.data<double>(); });
}

}  // namespace
}  // namespace iotadnn::test
