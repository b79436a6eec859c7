// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_reference.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "base/shape.h"
#include "interp/interpreter.h"

namespace iotadnn::impl {
namespace {

struct Extent {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool overlaps(const Extent& o) const { return begin < o.end && o.begin < end; }
};

// From the first to behind the last element: a buffer need not hold the padding of its last row.
Extent extent_of(const TensorView& view) {
  const LogicalTensor& t = *view.lt;
  const auto elements = t.property == Property::host_scalar
                            ? Result<int64_t>(int64_t{1})
                            : span_elements(t.dims, t.strides, t.rank);
  if (view.data == nullptr || !elements.ok()) return {};
  const auto begin = reinterpret_cast<uintptr_t>(view.data);
  return {begin, begin + static_cast<uintptr_t>(*elements * bytes_of(t.type))};
}

}  // namespace

Status interpret_region(const std::vector<Op>& ops, std::vector<TensorView> inputs,
                        const std::vector<TensorView>& outputs) {
  std::vector<std::unique_ptr<unsigned char[]>> copies;
  for (TensorView& in : inputs) {
    const Extent extent = extent_of(in);
    for (const TensorView& out : outputs) {
      if (!extent.overlaps(extent_of(out))) continue;
      const size_t bytes = extent.end - extent.begin;
      copies.emplace_back(new (std::nothrow) unsigned char[bytes]);
      if (copies.back() == nullptr)
        return out_of_memory("a copy of an input that shares memory with an output needs " +
                             std::to_string(bytes) + " bytes, which cannot be allocated");
      std::memcpy(copies.back().get(), in.data, bytes);
      in.data = copies.back().get();
      break;
    }
  }
  return interpret(Span<const Op>(ops.data(), ops.size()),
                   Span<const TensorView>(inputs.data(), inputs.size()),
                   Span<const TensorView>(outputs.data(), outputs.size()));
}

}  // namespace iotadnn::impl
