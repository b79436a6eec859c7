// SPDX-License-Identifier: Apache-2.0
// Elements of the types that C++ does not have, NumPy's files, and tensors of ONNX.
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/files/npy.h"
#include "frontends/model/elements.h"
#include "frontends/model/error.h"
#include "frontends/model_fixture.h"
#include "frontends/onnx/tensor_proto.h"

namespace iotadnn::models_test {
namespace {

uint16_t bits_of(iotadnn_data_type_t type, double value) {
  const Tensor one = tensor(type, {1}, {value});
  uint16_t bits = 0;
  std::memcpy(&bits, one.data(), sizeof bits);
  return bits;
}

// Bit patterns of IEEE 754 binary16 and of bfloat16.
TEST(ModelFiles, SixteenBitsAreRoundedOnce) {
  EXPECT_EQ(bits_of(iotadnn_f16, 1), 0x3c00);
  EXPECT_EQ(bits_of(iotadnn_f16, -2), 0xc000);
  EXPECT_EQ(bits_of(iotadnn_f16, 65504), 0x7bff);
  EXPECT_EQ(bits_of(iotadnn_f16, 65519.99), 0x7bff);
  EXPECT_EQ(bits_of(iotadnn_f16, 65520), 0x7c00);
  EXPECT_EQ(bits_of(iotadnn_f16, 0x1p-14), 0x0400);
  EXPECT_EQ(bits_of(iotadnn_f16, 0x1p-24), 0x0001);
  EXPECT_EQ(bits_of(iotadnn_f16, 0x1p-25), 0x0000);
  EXPECT_EQ(bits_of(iotadnn_f16, 0x1.8p-25), 0x0001);
  EXPECT_EQ(bits_of(iotadnn_f16, -0.), 0x8000);
  EXPECT_EQ(bits_of(iotadnn_f16, 0x1.ffep0 + 0x1p-11), 0x4000);    // a tie, to even: carries
  EXPECT_EQ(bits_of(iotadnn_f16, 1 + 0x1p-11), 0x3c00);            // a tie, to even
  EXPECT_EQ(bits_of(iotadnn_f16, 1 + 0x1p-11 + 0x1p-40), 0x3c01);  // not by way of f32
  EXPECT_EQ(bits_of(iotadnn_bf16, 1), 0x3f80);
  EXPECT_EQ(bits_of(iotadnn_bf16, 1 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(bits_of(iotadnn_bf16, -HUGE_VAL), 0xff80);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    if (!std::isnan(models::from_half(half))) {
      ASSERT_EQ(bits_of(iotadnn_f16, models::from_half(half)), half);
    }
    if (!std::isnan(models::from_bfloat(half))) {
      ASSERT_EQ(bits_of(iotadnn_bf16, models::from_bfloat(half)), half);
    }
  }
}

TEST(ModelFiles, NumpyFilesComeBack) {
  for (const auto type :
       {iotadnn_f32, iotadnn_f64, iotadnn_f16, iotadnn_s8, iotadnn_s16, iotadnn_s32, iotadnn_s64,
        iotadnn_u8, iotadnn_u16, iotadnn_u32, iotadnn_u64, iotadnn_boolean}) {
    const Tensor written = tensor(type, {2, 3}, {1, 0, 1, 1, 0, 1});
    expect_equal(models::read_npy(models::write_npy(written), "file"), written);
  }
  for (const Tensor& one : {f32({}, {5}), f32({4}, {1, 2, 3, 4}), f32({2, 0}, {})})
    expect_equal(models::read_npy(models::write_npy(one), "file"), one);
  expect_equal(models::read_npy(models::write_npy(tensor(iotadnn_bf16, {1}, {1.5})), "file"),
               f32({1}, {1.5}));
  EXPECT_EQ(models::write_npy(f32({1}, {1})).size() % 64, 4u);
}

// What numpy.save writes for numpy.asfortranarray([[1, 2], [3, 4]], '<i2'), spelled out.
TEST(ModelFiles, NumpyFilesInColumnMajorOrder) {
  std::string header = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }";
  header.append(117 - header.size(), ' ');
  std::string bytes =
      std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header + "\n";
  bytes += std::string("\1\0\3\0\2\0\4\0", 8);
  expect_equal(models::read_npy(bytes, "file"), tensor(iotadnn_s16, {2, 2}, {1, 2, 3, 4}));
}

TEST(ModelFiles, DamagedNumpyFilesAreRefused) {
  const std::string whole = models::write_npy(f32({2}, {1, 2}));
  const auto refused = [](const std::string& bytes) {
    EXPECT_THROW(models::read_npy(bytes, "file"), models::ModelError) << bytes;
  };
  for (size_t size = 0; size < whole.size(); ++size)
    refused(whole.substr(0, size));
  refused(whole + "x");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string bytes = whole;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  refused(changed("<f4", ">f4"));
  refused(changed("<f4", "<c8"));
  refused(changed("(2, )", "(-2,)"));
  refused(changed("(2, )", "(3, )"));
  refused(changed("(2, )", "[2, ]"));
  refused(changed("shape", "shade"));
}

TEST(ModelFiles, TensorsOfOnnxInAllTheirFields) {
  const auto read = [](const pb::TensorProto& proto) {
    return models::OnnxData("", proto.ByteSizeLong()).read(proto, "tensor");
  };
  pb::TensorProto half;
  half.set_data_type(10);
  half.add_dims(2);
  half.add_int32_data(0x3c00);
  half.add_int32_data(0xc000);
  expect_equal(read(half), tensor(iotadnn_f16, {2}, {1, -2}));
  pb::TensorProto bytes;
  bytes.set_data_type(3);
  bytes.add_dims(1);
  bytes.add_int32_data(-5);
  expect_equal(read(bytes), tensor(iotadnn_s8, {1}, {-5}));
  pb::TensorProto words;
  words.set_data_type(12);
  words.add_uint64_data(4294967295);
  expect_equal(read(words), tensor(iotadnn_u32, {}, {4294967295}));
  pb::TensorProto reals;
  reals.set_data_type(11);
  reals.add_dims(1);
  reals.add_double_data(0.1);
  expect_equal(read(reals), tensor(iotadnn_f64, {1}, {0.1}));
  reals.add_double_data(0.2);
  EXPECT_THROW(read(reals), models::ModelError);
}

}  // namespace
}  // namespace iotadnn::models_test
