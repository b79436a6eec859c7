// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace iotadnn::impl {

// A view of `size` consecutive objects (C++17 has no std::span).
template <class T>
class Span {
 public:
  constexpr Span() = default;

  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}

  template <class U, size_t N>
  constexpr Span(U (&array)[N]) : data_(array), size_(N) {}  // NOLINT(google-explicit-constructor)

  template <class Container>
  constexpr Span(Container& c) : data_(c.data()), size_(c.size()) {}  // NOLINT

  constexpr T* begin() const { return data_; }

  constexpr T* end() const { return data_ + size_; }

  constexpr T& operator[](size_t i) const { return data_[i]; }

  constexpr T* data() const { return data_; }

  constexpr size_t size() const { return size_; }

  constexpr bool empty() const { return size_ == 0; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace iotadnn::impl
