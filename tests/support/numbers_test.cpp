// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/oracle.h"
#include "support/pointwise_oracle.h"

namespace iotadnn::test {
namespace {

constexpr int kF16 = 1, kBf16 = 2, kF32 = 3, kS8 = 5, kU8 = 6, kF64 = 7, kS64 = 16;

TEST(Numbers, EveryHalfReadsBack) {
  for (const int type : {kF16, kBf16})
    for (uint64_t bits = 0; bits < 0x10000; ++bits) {
      const Element e{type, bits};
      if (is_nan(e)) continue;
      ASSERT_EQ(from_real(type, real_of(e)).bits, bits) << type_name(type);
    }
}

TEST(Numbers, KnownPatterns) {
  EXPECT_EQ(from_real(kF32, 1.0L).bits, 0x3f800000u);
  EXPECT_EQ(from_real(kF64, -2.5L).bits, 0xc004000000000000u);
  EXPECT_EQ(from_real(kF16, 65519.0L).bits, 0x7bffu);
  EXPECT_EQ(from_real(kF16, 65520.0L).bits, 0x7c00u);
  EXPECT_EQ(from_real(kF16, 0x1p-24L).bits, 1u);
  EXPECT_EQ(from_real(kF16, 0x1p-25L).bits, 0u) << "ties go to even";
  EXPECT_EQ(from_real(kF16, 0x1.8p-24L).bits, 2u);
  EXPECT_EQ(from_real(kBf16, 257.0L).bits, 0x4380u);
  EXPECT_EQ(from_real(kF32, 16777217.0L).bits, 0x4b800000u);
  EXPECT_EQ(from_integer(kS8, 200).bits, 0xc8u);
  EXPECT_EQ(integer_of({kS8, 0xc8}), -56);
  EXPECT_EQ(integer_of({kU8, 0xc8}), 200);
  EXPECT_EQ(integer_of({kS64, uint64_t{1} << 63}), std::numeric_limits<int64_t>::min());
}

// Just above a tie of f16, which f32 does not see: rounding twice would give 0x3c00.
TEST(Numbers, RoundsOnce) {
  const long double above_tie = 1.0L + 0x1p-11L + 0x1p-40L;
  EXPECT_EQ(from_real(kF16, above_tie).bits, 0x3c01u);
}

TEST(PointwiseOracle, ByHand) {
  const auto one = [](std::string_view op, std::vector<Element> in, int out) {
    return pointwise_element(op, in, out, {}).element.bits;
  };
  EXPECT_EQ(one("Divide", {{kS8, 0x80}, {kS8, 0xff}}, kS8), 0x80u) << "-128 / -1";
  EXPECT_EQ(one("Divide", {{kS8, 7}, {kS8, 0}}, kS8), 0u);
  EXPECT_EQ(one("Divide", {{kS8, 0xf9}, {kS8, 2}}, kS8), 0xfdu) << "-7 / 2";
  EXPECT_EQ(one("TypeCast", {from_real(kF32, 300.0L)}, kU8), 255u);
  EXPECT_EQ(one("TypeCast", {from_real(kF32, -1.5L)}, kU8), 0u);
  EXPECT_EQ(one("TypeCast", {from_real(kF32, std::nanl(""))}, kS8), 0u);
  EXPECT_EQ(one("Power", {{kS8, 3}, {kS8, 5}}, kS8), 243u) << "243 wraps to -13";
}

}  // namespace
}  // namespace iotadnn::test
