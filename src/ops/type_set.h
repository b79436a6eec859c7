// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/data_type.h"

namespace iotadnn::impl {

// A set of element types, undef included where the specification lists it.
class TypeSet {
 public:
  constexpr TypeSet() = default;

  template <class... Types>
  explicit constexpr TypeSet(DataType first, Types... rest)
      : bits_((bit(first) | ... | bit(rest))) {}

  constexpr bool has(DataType type) const { return (bits_ & bit(type)) != 0; }

  constexpr TypeSet operator|(TypeSet o) const {
    TypeSet both;
    both.bits_ = bits_ | o.bits_;
    return both;
  }

 private:
  // oneDNN's numbers end at 16, ours start at 0x100 (base/data_type.h); others are in no set.
  static constexpr uint64_t bit(DataType type) {
    const auto number = static_cast<uint32_t>(type);
    if (number < 32) return uint64_t{1} << number;
    return number >= 0x100 && number < 0x120 ? uint64_t{1} << (number - 0x100 + 32) : 0;
  }

  uint64_t bits_ = 0;
};

namespace types {

// What our ops compute (kComputedTypes).
inline constexpr TypeSet kComputed{DataType::f32,    DataType::bf16, DataType::f16, DataType::f64,
                                   DataType::s8,     DataType::s16,  DataType::s32, DataType::s64,
                                   DataType::u8,     DataType::u16,  DataType::u32, DataType::u64,
                                   DataType::boolean};

// Every type that has a name: for inputs whose data are never read.
inline constexpr TypeSet kAny =
    kComputed | TypeSet{DataType::f8_e5m2, DataType::f8_e4m3, DataType::s4,     DataType::u4,
                        DataType::e8m0,    DataType::f4_e2m1, DataType::f4_e3m0};

inline constexpr TypeSet kIndex{DataType::s32, DataType::s64};
inline constexpr TypeSet kBoolean{DataType::boolean};
inline constexpr TypeSet kFloating{DataType::f32, DataType::bf16, DataType::f16, DataType::f64};

// What arithmetic and comparisons of order are defined for.
inline constexpr TypeSet kNumeric =
    kFloating | TypeSet{DataType::s8, DataType::s16, DataType::s32, DataType::s64,
                        DataType::u8, DataType::u16, DataType::u32, DataType::u64};

}  // namespace types

// "s32, s64", in the order of DataType's numbers.
std::string type_set_text(TypeSet set);

}  // namespace iotadnn::impl
