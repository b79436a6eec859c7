// SPDX-License-Identifier: Apache-2.0
#include "support/oracle.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

#include "support/strided.h"

namespace iotadnn::test {
namespace {

struct TypeRow {
  int number;
  const char* name;
  int bytes;
  uint64_t one;  // IEEE 754 binary16, binary32, binary64 and bfloat16; integers; boolean true is 1
};

constexpr TypeRow kTypes[] = {
    {3, "f32", 4, 0x3f800000}, {2, "bf16", 2, 0x3f80},
    {1, "f16", 2, 0x3c00},     {7, "f64", 8, 0x3ff0000000000000},
    {5, "s8", 1, 1},           {0x100, "s16", 2, 1},
    {4, "s32", 4, 1},          {16, "s64", 8, 1},
    {6, "u8", 1, 1},           {0x101, "u16", 2, 1},
    {0x102, "u32", 4, 1},      {0x103, "u64", 8, 1},
    {8, "boolean", 1, 1},
};

const TypeRow* find_type(int data_type) {
  for (const TypeRow& row : kTypes)
    if (row.number == data_type) return &row;
  return nullptr;
}

// x86 is little-endian: the low bytes of the pattern come first.
uint64_t bits_at(const void* data, int64_t offset, int bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(data) + offset * bytes, static_cast<size_t>(bytes));
  return bits;
}

std::string hex(uint64_t bits) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, bits);
  return text;
}

std::string spec_text(const TensorSpec& spec) {
  return type_name(spec.data_type) + " " + dims_text(spec.dims) + " strides " +
         dims_text(spec.strides, ":");
}

}  // namespace

const std::vector<int>& oracle_types() {
  static const std::vector<int> types = [] {
    std::vector<int> numbers;
    for (const TypeRow& row : kTypes)
      numbers.push_back(row.number);
    return numbers;
  }();
  return types;
}

std::string type_name(int data_type) {
  const TypeRow* row = find_type(data_type);
  return row != nullptr ? row->name : "type " + std::to_string(data_type);
}

int type_bytes(int data_type) {
  const TypeRow* row = find_type(data_type);
  return row != nullptr ? row->bytes : 0;
}

uint64_t eye_element(int data_type, int64_t row, int64_t column, int64_t k) {
  // Neither coordinate is negative, so their difference fits int64 and any k may be compared.
  if (column - row != k) return 0;
  const TypeRow* type = find_type(data_type);
  return type != nullptr ? type->one : 0;
}

uint64_t index_element(int data_type, int64_t coordinate) {
  const auto bits = static_cast<uint64_t>(coordinate);
  return type_bytes(data_type) == 8 ? bits : bits & 0xffffffffu;
}

ExpectedElement expect_eye(int data_type, int64_t k) {
  return [=](const std::vector<int64_t>& index) {
    const size_t rank = index.size();
    return eye_element(data_type, index[rank - 2], index[rank - 1], k);
  };
}

ExpectedElement expect_gen_index(int data_type, int64_t axis) {
  return [=](const std::vector<int64_t>& index) {
    const auto rank = static_cast<int64_t>(index.size());
    return index_element(data_type, index[static_cast<size_t>(axis < 0 ? axis + rank : axis)]);
  };
}

int64_t TensorSpec::span_bytes() const {
  return span_of(dims, strides) * type_bytes(data_type);
}

TensorSpec dense_spec(int data_type, std::vector<int64_t> dims) {
  TensorSpec spec;
  spec.data_type = data_type;
  spec.strides = dense_strides(dims);
  spec.dims = std::move(dims);
  return spec;
}

testing::AssertionResult holds(const void* data, const TensorSpec& spec,
                               const ExpectedElement& expected) {
  const int bytes = type_bytes(spec.data_type);
  if (bytes == 0)
    return testing::AssertionFailure() << type_name(spec.data_type) << " is not a computed type";
  int64_t wrong = 0;
  std::string first;
  for_each_element(spec.dims, spec.strides, [&](const std::vector<int64_t>& index, int64_t offset) {
    const uint64_t want = expected(index);
    const uint64_t got = bits_at(data, offset, bytes);
    if (got != want && wrong++ == 0)
      first = "element (" + dims_text(index, ", ") + "): expected bits " + hex(want) + ", found " +
              hex(got);
    return true;
  });
  if (wrong == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << wrong << " wrong elements in " << spec_text(spec) << "; first: " << first;
}

testing::AssertionResult same_bits(const void* want, const TensorSpec& want_spec, const void* got,
                                   const TensorSpec& got_spec) {
  if (want_spec.dims != got_spec.dims || want_spec.data_type != got_spec.data_type)
    return testing::AssertionFailure()
           << "cannot compare " << spec_text(want_spec) << " with " << spec_text(got_spec);
  return holds(got, got_spec, [&](const std::vector<int64_t>& index) {
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i)
      offset += index[i] * want_spec.strides[i];
    return bits_at(want, offset, type_bytes(want_spec.data_type));
  });
}

}  // namespace iotadnn::test
