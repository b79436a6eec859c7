// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Elements of every computed type as numbers, written from IEEE 754 and the definition of bfloat16
// and two's complement; shares no code with src/. Types are the numbers of iotadnn_data_type_t.
namespace iotadnn::test {

__extension__ typedef __int128 Integer;

struct Element {
  int type = 0;
  uint64_t bits = 0;  // in the low type_bytes(type) bytes
};

bool is_floating(int type);
bool is_signed(int type);  // of integers
bool is_boolean(int type);

// The value of a floating-point element; exact, since x86's long double has 64 bits of precision.
long double real_of(const Element& e);

// The value of an integer or boolean element.
Integer integer_of(const Element& e);

bool is_nan(const Element& e);

// Rounded once, to nearest even; overflow gives infinity.
Element from_real(int type, long double value);

// The low bits of two's complement.
Element from_integer(int type, Integer value);

// The distance between neighbouring numbers of the type around the value.
long double ulp_of(int type, long double value);

// Zeros, ones, small and odd numbers and the limits of the type; infinities, NaN and subnormals.
const std::vector<Element>& special_values(int type);

std::string text_of(const Element& e);

}  // namespace iotadnn::test
