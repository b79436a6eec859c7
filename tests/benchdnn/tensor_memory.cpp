// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/tensor_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "benchdnn/errors.h"
#include "frontends/names.h"
#include "support/numbers.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

unsigned char* allocate(size_t bytes) {
  constexpr size_t kPage = 4096;
  if (bytes > std::numeric_limits<size_t>::max() - kPage) throw std::bad_alloc();
  void* block = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (block == nullptr) throw std::bad_alloc();
  return static_cast<unsigned char*>(block);
}

unsigned char canary(size_t position) {
  return static_cast<unsigned char>(0x90 + position % 97);
}

template <class T>
bool store_integer(int64_t value, unsigned char* out) {
  const auto narrow = static_cast<T>(value);
  std::memcpy(out, &narrow, sizeof narrow);
  const bool negative_as_unsigned = value < 0 && std::is_unsigned_v<T>;
  return static_cast<int64_t>(narrow) == value && !negative_as_unsigned;
}

template <class T>
bool store_real(double value, unsigned char* out) {
  const auto narrow = static_cast<T>(value);
  std::memcpy(out, &narrow, sizeof narrow);
  return true;
}

bool is_whole(double value) {
  return value == std::floor(value) && std::fabs(value) <= 9007199254740992.0;
}

// False when the type cannot hold the value.
bool store_integer(iotadnn_data_type_t type, int64_t value, unsigned char* out) {
  switch (static_cast<int>(type)) {
    case iotadnn_s8:
      return store_integer<int8_t>(value, out);
    case iotadnn_s16:
      return store_integer<int16_t>(value, out);
    case iotadnn_s32:
      return store_integer<int32_t>(value, out);
    case iotadnn_s64:
      return store_integer<int64_t>(value, out);
    case iotadnn_u8:
      return store_integer<uint8_t>(value, out);
    case iotadnn_u16:
      return store_integer<uint16_t>(value, out);
    case iotadnn_u32:
      return store_integer<uint32_t>(value, out);
    case iotadnn_u64:
      return store_integer<uint64_t>(value, out);
    case iotadnn_boolean:
      return store_integer<uint8_t>(value, out) && value <= 1;
    case iotadnn_f32:
      return store_real<float>(static_cast<double>(value), out);
    case iotadnn_f64:
      return store_real<double>(static_cast<double>(value), out);
    default:
      return false;
  }
}

// Rounded to the type; what is finite must stay so.
bool store_half(iotadnn_data_type_t type, double value, unsigned char* out) {
  const test::Element element = test::from_real(type, static_cast<long double>(value));
  std::memcpy(out, &element.bits, 2);
  return !std::isfinite(value) || std::isfinite(test::real_of(element));
}

bool store(iotadnn_data_type_t type, double value, unsigned char* out) {
  if (type == iotadnn_f32) return store_real<float>(value, out);
  if (type == iotadnn_f64) return store_real<double>(value, out);
  if (type == iotadnn_bf16 || type == iotadnn_f16) return store_half(type, value, out);
  return is_whole(value) && store_integer(type, static_cast<int64_t>(value), out);
}

bool store(iotadnn_data_type_t type, int64_t value, unsigned char* out) {
  if (type == iotadnn_bf16 || type == iotadnn_f16)
    return store_half(type, static_cast<double>(value), out);
  return store_integer(type, value, out);
}

}  // namespace

int64_t TensorView::elements() const {
  int64_t count = 1;
  for (const int64_t dim : dims)
    count *= dim;
  return count;
}

TensorView view_of(const graph::logical_tensor& lt, void* data) {
  TensorView view;
  view.data = data;
  view.data_type = lt.get().data_type;
  view.dims = lt.get_dims();
  view.strides = lt.get_strides();
  return view;
}

TensorMemory::TensorMemory(size_t bytes)
    : block_(allocate(bytes + 2 * kMargin), &std::free), bytes_(bytes) {}

void TensorMemory::touch() {
  constexpr size_t kSmallestPage = 4096;
  for (size_t i = 0; i < bytes_ + 2 * kMargin; i += kSmallestPage)
    static_cast<volatile unsigned char*>(block_.get())[i] = 0;
}

void TensorMemory::fill_canaries() {
  for (size_t i = 0; i < bytes_ + 2 * kMargin; ++i)
    block_.get()[i] = canary(i);
}

std::string TensorMemory::damage(const TensorView* view) const {
  const unsigned char* const bytes = block_.get();
  const auto changed = [bytes](size_t i) { return bytes[i] != canary(i); };
  for (size_t i = 0; i < kMargin; ++i)
    if (changed(kMargin - 1 - i))
      return "byte " + std::to_string(i + 1) + " before the buffer was overwritten";
  for (size_t i = 0; i < kMargin; ++i)
    if (changed(kMargin + bytes_ + i))
      return "byte " + std::to_string(i + 1) + " after the buffer was overwritten";
  std::vector<bool> owned;
  if (view != nullptr) {
    const auto element = static_cast<size_t>(frontends::bytes_of(view->data_type));
    if (static_cast<size_t>(view->elements()) * element == bytes_) return "";
    owned.resize(bytes_, false);
    test::for_each_element(view->dims, view->strides,
                           [&](const std::vector<int64_t>&, int64_t offset) {
                             const size_t begin = static_cast<size_t>(offset) * element;
                             for (size_t i = 0; i < element && begin + i < bytes_; ++i)
                               owned[begin + i] = true;
                             return true;
                           });
  }
  for (size_t i = 0; i < bytes_; ++i)
    if ((owned.empty() || !owned[i]) && changed(kMargin + i))
      return "byte " + std::to_string(i) + (owned.empty() ? " of the buffer" : " in a stride gap") +
             " was overwritten";
  return "";
}

void write_value(const frontends::TensorDesc& tensor, void* data) {
  const int element = frontends::bytes_of(tensor.data_type);
  const std::string what = "tensor " + std::to_string(tensor.id);
  int64_t count = 1;
  for (const int64_t dim : tensor.dims.value_or(std::vector<int64_t>{}))
    count *= dim;
  std::visit(
      [&](const auto& list) {
        if (static_cast<int64_t>(list.size()) != count)
          throw RewriteError(what + ": " + std::to_string(list.size()) + " values for " +
                             std::to_string(count) + " elements");
        auto* out = static_cast<unsigned char*>(data);
        for (const auto value : list) {
          if (!store(tensor.data_type, value, out))
            throw RewriteError(what + ": value " + std::to_string(value) + " does not fit " +
                               std::string(frontends::name_of(tensor.data_type)));
          out += element;
        }
      },
      *tensor.value);
}

int64_t read_integer(iotadnn_data_type_t type, const void* data) {
  if (type == iotadnn_s64) {
    int64_t value = 0;
    std::memcpy(&value, data, sizeof value);
    return value;
  }
  int32_t value = 0;
  std::memcpy(&value, data, sizeof value);
  return value;
}

}  // namespace iotadnn::benchdnn
