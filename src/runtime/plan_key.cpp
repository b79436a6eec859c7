// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan_key.h"

#include "program/evaluate.h"
#include "runtime/parallel.h"

namespace iotadnn::impl {

bool add_metadata(const LogicalTensor& t, PlanKey& key) {
  const int64_t kinds = static_cast<int64_t>(t.property) << 40 |
                        static_cast<int64_t>(t.type) << 16 | static_cast<int64_t>(t.layout) << 8;
  return key.add(kinds + t.rank) && key.add(t.dims.data(), t.rank) &&
         key.add(t.strides.data(), t.rank);
}

bool add_data(const Tensor& tensor, PlanKey& key) {
  const LogicalTensor& t = tensor.lt;
  if (t.rank != 0 && t.rank != 1) return false;
  const int64_t count = t.rank == 0 ? 1 : t.dims[0];
  if (count > static_cast<int64_t>(PlanKey::kMaxNumbers)) return false;
  const int64_t stride = t.rank == 1 && t.layout == LayoutType::strided ? t.strides[0] : 1;
  if (count > 1 && stride == kUnknownDim) return false;
  const auto* const first = static_cast<const uint8_t*>(tensor.address());
  for (int64_t i = 0; i < count; ++i) {
    const int64_t offset = i == 0 ? 0 : i * stride * bytes_of(t.type);
    if (!key.add(static_cast<int64_t>(extended_bits(t.type, first + offset)))) return false;
  }
  return true;
}

uint64_t PlanKey::hash() const {
  // Two cycles a number: the comparison that follows is exact.
  uint64_t hash = size_;
  for (size_t i = 0; i < size_; ++i)
    hash = (hash << 9 | hash >> 55) + static_cast<uint64_t>(numbers_[i]);
  return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
}

bool make_key(const Op& op, const OpDef& def, Span<const int> input_of_port,
              Span<const Tensor* const> inputs, const Tensor& output, PlanKey& key) {
  if (!key.add(available_threads()) || !add_metadata(output.lt, key)) return false;
  for (size_t p = 0; p < input_of_port.size(); ++p) {
    const Tensor& input = *inputs[static_cast<size_t>(input_of_port[p])];
    if (!add_metadata(input.lt, key)) return false;
    if ((def.data_inputs >> p & 1u) == 0) continue;
    if (input.address() == nullptr || input.lt.type != op.inputs[p].type) return false;
    if ((def.shape_inputs >> p & 1u) != 0 && !add_data(input, key)) return false;
  }
  return true;
}

}  // namespace iotadnn::impl
