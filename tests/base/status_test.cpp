// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/span.h"

namespace iotadnn::impl {
namespace {

// Numbers of dnnl_status_t.
TEST(Status, HasOneDnnsNumbers) {
  EXPECT_EQ(static_cast<int>(Status().code()), 0);
  EXPECT_EQ(static_cast<int>(out_of_memory("").code()), 1);
  EXPECT_EQ(static_cast<int>(invalid_arguments("").code()), 2);
  EXPECT_EQ(static_cast<int>(unimplemented("").code()), 3);
  EXPECT_EQ(static_cast<int>(runtime_error("").code()), 5);
  EXPECT_EQ(static_cast<int>(invalid_graph("").code()), 7);
  EXPECT_EQ(static_cast<int>(invalid_graph_op("").code()), 8);
  EXPECT_EQ(static_cast<int>(invalid_shape("").code()), 9);
  EXPECT_EQ(static_cast<int>(invalid_data_type("").code()), 10);
}

TEST(Status, CarriesItsSentence) {
  const Status status = invalid_shape("no");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "no");
  EXPECT_TRUE(Status().ok());
  EXPECT_EQ(Status().message(), "");
}

Status tried(const Status& inner, bool& went_on) {
  went_on = false;
  IOTADNN_TRY(inner);
  went_on = true;
  return {};
}

TEST(Status, TryReturnsFailuresAndPassesSuccess) {
  bool went_on = false;
  EXPECT_EQ(tried(invalid_graph("x"), went_on).message(), "x");
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(tried({}, went_on).ok());
  EXPECT_TRUE(went_on);
}

TEST(Result, HoldsAValueOrAStatus) {
  Result<std::unique_ptr<int>> value(std::make_unique<int>(5));
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value.status().ok());
  EXPECT_EQ(**value, 5);
  const Result<std::vector<int>> failed(runtime_error("why"));
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.status().code(), StatusCode::runtime_error);
}

TEST(Span, ViewsArraysAndContainers) {
  int array[] = {1, 2, 3};
  std::vector<int> vector = {4, 5};
  const std::vector<int> constant = {6};
  const Span<int> of_array = array;
  const Span<const int> of_vector = vector;
  const Span<const int> of_constant = constant;
  EXPECT_EQ(of_array.size(), 3u);
  of_array[1] = 9;
  EXPECT_EQ(array[1], 9);
  EXPECT_EQ(of_vector.end() - of_vector.begin(), 2);
  EXPECT_EQ(of_constant[0], 6);
  EXPECT_TRUE(Span<int>().empty());
  EXPECT_EQ(of_vector.data(), vector.data());
}

}  // namespace
}  // namespace iotadnn::impl
