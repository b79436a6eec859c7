// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "frontends/model/tensor.h"

// Elements of the thirteen types as one of three types of C++ that hold all of their values, so
// that each op of the interpreter is written three times at most.
namespace iotadnn::models {

enum class Domain { real, integer, natural };  // double, int64_t, uint64_t; boolean is natural

Domain domain_of(DataType type);
bool is_computed(DataType type);  // one of the thirteen
bool is_floating(DataType type);
bool is_numeric(DataType type);  // all but boolean

// Calls f with a zero of the type of C++ that holds all values of `type`.
template <class F>
auto with_domain(DataType type, F&& f) {
  switch (domain_of(type)) {
    case Domain::integer:
      return f(int64_t{});
    case Domain::natural:
      return f(uint64_t{});
    case Domain::real:
      break;
  }
  return f(double{});
}

// Element `index` of an array; C is double, int64_t or uint64_t. An integer wider than C wraps, a
// floating value is truncated as by storer().
template <class C>
using Load = C (*)(const std::byte* data, int64_t index);
template <class C>
Load<C> loader(DataType type);

// Floating types: one rounding to nearest, ties to even. Integers: what is not representable wraps
// from an integer C, and is truncated and saturated from double, NaN to 0. Boolean: whether it
// differs from 0.
template <class C>
using Store = void (*)(std::byte* data, int64_t index, C value);
template <class C>
Store<C> storer(DataType type);

// Other bytes than 0 become 1: kernels rely on these two.
void make_boolean(Tensor& tensor);

double from_half(uint16_t bits);
double from_bfloat(uint16_t bits);

}  // namespace iotadnn::models
