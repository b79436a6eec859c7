// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

size_t mem_size(const Lt& lt) {
  return lt.get_mem_size();
}

TEST(LogicalTensor, UnknownRankAndUnknownDims) {
  const Lt unknown(7, DataType::f32);
  EXPECT_EQ(unknown.get_id(), 7u);
  EXPECT_EQ(unknown.get_layout_type(), Layout::undef);
  EXPECT_EQ(unknown.get_property_type(), Property::undef);
  expect_error(iotadnn_invalid_arguments, [&] { (void)unknown.get_dims(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)unknown.get_strides(); });

  const Lt rank3(8, DataType::s64, 3, Layout::strided, Property::variable);
  EXPECT_EQ(rank3.get_dims(), (Lt::dims{kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(rank3.get_strides(), (Lt::dims{kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(rank3.get_property_type(), Property::variable);
}

TEST(LogicalTensor, DenseStridesWhenStridedAndKnown) {
  EXPECT_EQ(strided(0, DataType::f32, {2, 3, 4, 5}).get_strides(), (Lt::dims{60, 20, 5, 1}));
  // A zero extent counts as one.
  EXPECT_EQ(strided(0, DataType::f32, {2, 0, 4}).get_strides(), (Lt::dims{4, 4, 1}));
  EXPECT_EQ(strided(0, DataType::f32, {2, kUnknown}).get_strides(), (Lt::dims{kUnknown, kUnknown}));
  const Lt any(0, DataType::f32, Lt::dims{2, 3}, Layout::any);
  expect_error(iotadnn_invalid_arguments, [&] { (void)any.get_strides(); });
}

TEST(LogicalTensor, ScalarsHaveRankZero) {
  const Lt scalar(3, DataType::f32, Lt::dims{}, Layout::strided);
  EXPECT_TRUE(scalar.get_dims().empty());
  EXPECT_EQ(scalar.get().ndims, 0);
  EXPECT_EQ(scalar.get().dims[0], 0);
  EXPECT_EQ(scalar.get().layout.strides[0], 0);
  EXPECT_EQ(mem_size(scalar), 4u);
}

TEST(LogicalTensor, GivenStridesAreKept) {
  const Lt lt(1, DataType::f32, {2, 3}, Lt::dims{1, 4});
  EXPECT_EQ(lt.get_layout_type(), Layout::strided);
  EXPECT_EQ(lt.get_strides(), (Lt::dims{1, 4}));
  expect_error(iotadnn_invalid_arguments, [] { Lt(1, DataType::f32, {2, 3}, Lt::dims{1}); });
}

TEST(LogicalTensor, OpaqueKeepsItsId) {
  const Lt lt(1, DataType::f32, Lt::dims{2, 3}, size_t{42});
  EXPECT_EQ(lt.get_layout_type(), Layout::opaque);
  EXPECT_EQ(lt.get_layout_id(), 42u);
  expect_error(iotadnn_invalid_arguments,
               [] { (void)strided(0, DataType::f32, {1}).get_layout_id(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)lt.get_mem_size(); });
}

// oneDNN's APILogicalTensor.LogicalTensorSize, and our own types.
TEST(LogicalTensor, MemSize) {
  EXPECT_EQ(mem_size(strided(0, DataType::boolean, {3, 4})), 12u);
  EXPECT_EQ(mem_size(strided(0, DataType::s4, {3, 4})), 6u);
  EXPECT_EQ(mem_size(strided(0, DataType::u4, {3, 5})), 8u);
  EXPECT_EQ(mem_size(strided(0, DataType::f64, {3, 4})), 96u);
  EXPECT_EQ(mem_size(strided(0, DataType::u16, {3, 4})), 24u);
  EXPECT_EQ(mem_size(strided(0, DataType::u64, {3, 0, 4})), 0u);
  // The largest extent times its stride; a stride of an extent of 1 does not count.
  EXPECT_EQ(mem_size(Lt(0, DataType::f32, {2, 3}, Lt::dims{100, 1})), 800u);
  EXPECT_EQ(mem_size(Lt(0, DataType::f32, {1, 3}, Lt::dims{100, 1})), 12u);
  EXPECT_EQ(mem_size(Lt(0, DataType::f32, Lt::dims{2, 3}, Layout::any)),
            std::numeric_limits<size_t>::max());
  EXPECT_EQ(mem_size(Lt(0, DataType::f32, Lt::dims{2, 3}, Layout::undef)),
            std::numeric_limits<size_t>::max());
}

TEST(LogicalTensor, MemSizeOfUnknownOrTooLargeIsAnError) {
  expect_error(iotadnn_invalid_shape, [] {
    (void)strided(0, DataType::f32, {2, kUnknown}).get_mem_size();
  });
  const int64_t big = int64_t{1} << 40;
  expect_error(iotadnn_invalid_shape, [&] { strided(0, DataType::f32, {big, big, big}); });
  expect_error(iotadnn_invalid_shape, [&] {
    (void)Lt(0, DataType::f32, {big, 2}, Lt::dims{1, int64_t{1} << 62}).get_mem_size();
  });
}

TEST(LogicalTensor, Equality) {
  const Lt a = strided(1, DataType::f32, {2, 3});
  EXPECT_TRUE(a.is_equal(strided(1, DataType::f32, {2, 3})));
  EXPECT_TRUE(a.is_equal(Lt(1, DataType::f32, {2, 3}, Lt::dims{3, 1})));
  EXPECT_FALSE(a.is_equal(strided(2, DataType::f32, {2, 3})));
  EXPECT_FALSE(a.is_equal(strided(1, DataType::s32, {2, 3})));
  EXPECT_FALSE(a.is_equal(strided(1, DataType::f32, {2, 4})));
  EXPECT_FALSE(a.is_equal(strided(1, DataType::f32, {2, 3, 1})));
  EXPECT_FALSE(a.is_equal(Lt(1, DataType::f32, {2, 3}, Lt::dims{1, 2})));
  EXPECT_FALSE(a.is_equal(Lt(1, DataType::f32, Lt::dims{2, 3}, Layout::any)));
  EXPECT_FALSE(
      a.is_equal(Lt(1, DataType::f32, Lt::dims{2, 3}, Layout::strided, Property::constant)));
}

// oneDNN's rules: rank 0 and s32, s64 or f32.
TEST(LogicalTensor, HostScalars) {
  for (const DataType type : {DataType::s32, DataType::s64, DataType::f32}) {
    const Lt lt = host_scalar_lt(0, type);
    EXPECT_EQ(lt.get_property_type(), Property::host_scalar);
    EXPECT_TRUE(lt.get_dims().empty());
  }
  for (const DataType type : {DataType::f16, DataType::s8, DataType::f64, DataType::u64})
    expect_error(iotadnn_invalid_arguments, [&] { host_scalar_lt(0, type); });
  for (const int32_t rank : {-1, 1, 2})
    expect_error(iotadnn_invalid_arguments,
                 [&] { Lt(0, DataType::s32, rank, Layout::strided, Property::host_scalar); });
  expect_error(iotadnn_invalid_arguments,
               [&] { Lt(0, DataType::s32, Lt::dims{1}, Layout::strided, Property::host_scalar); });
}

TEST(LogicalTensor, OutOfRangeArguments) {
  expect_error(iotadnn_invalid_arguments, [] { Lt(0, DataType::f32, 13, Layout::strided); });
  expect_error(iotadnn_invalid_arguments, [] { Lt(0, DataType::f32, -2, Layout::strided); });
  expect_error(iotadnn_invalid_arguments, [] { strided(0, DataType::f32, Lt::dims(13, 1)); });
  try {
    strided(7, DataType::f32, Lt::dims(13, 1));
    FAIL() << "accepted";
  } catch (const error& refused) {
    EXPECT_NE(std::string(refused.what()).find("logical_tensor 7: rank 13, allowed: 0 to 12"),
              std::string::npos)
        << refused.what();
  }
  expect_error(iotadnn_invalid_arguments, [] { strided(0, DataType::f32, {2, -3}); });
  expect_error(iotadnn_invalid_arguments, [] { Lt(0, DataType::f32, {2, 3}, Lt::dims{-3, 1}); });
  expect_error(iotadnn_invalid_arguments,
               [] { strided(0, static_cast<DataType>(17), Lt::dims{2}); });
  EXPECT_EQ(strided(0, DataType::f32, Lt::dims(12, 1)).get_dims().size(), 12u);
}

TEST(LogicalTensor, LargestId) {
  EXPECT_EQ(strided(SIZE_MAX, DataType::f32, {1}).get_id(), SIZE_MAX);
}

}  // namespace
}  // namespace iotadnn::test
