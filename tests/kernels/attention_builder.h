// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

#include "support/guarded_buffer.h"
#include "support/numbers.h"

namespace iotadnn::test {

using data_type = graph::logical_tensor::data_type;
using dims = graph::logical_tensor::dims;

inline int number_of(data_type t) {
  return static_cast<int>(t);
}

// The elements of f32, which most are, are converted by the compiler: from_real() is slow.
inline double rounded(data_type t, double value) {
  if (t == data_type::f32) return static_cast<double>(static_cast<float>(value));
  return static_cast<double>(real_of(from_real(number_of(t), static_cast<long double>(value))));
}

inline uint64_t bits_of(data_type t, double value) {
  if (t == data_type::s32) return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (t != data_type::f32) return from_real(number_of(t), static_cast<long double>(value)).bits;
  const auto number = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

inline size_t bytes_of(data_type t) {
  return t == data_type::bf16 || t == data_type::f16 ? 2 : 4;
}

inline int64_t size_of(const dims& d) {
  int64_t size = 1;
  for (const int64_t extent : d)
    size *= extent;
  return size;
}

// Row-major, or with the dimension before the last two inside the rows.
inline dims strides_of(const dims& d, bool heads_inside) {
  dims strides(d.size(), 1);
  for (size_t i = d.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * d[i + 1];
  if (!heads_inside) return strides;
  const size_t rows = d.size() - 2;
  strides[rows - 1] = d[rows + 1];
  strides[rows] = d[rows + 1] * d[rows - 1];
  return strides;
}

// Offset of the element at a row-major position.
inline int64_t offset_at(int64_t position, const dims& d, const dims& strides) {
  int64_t offset = 0;
  for (size_t i = d.size(); i-- > 0;) {
    offset += position % d[i] * strides[i];
    position /= d[i];
  }
  return offset;
}

// Ops, tensors and their data as they are put together.
class AttentionBuilder {
 public:
  explicit AttentionBuilder(bool heads_inside) : heads_inside_(heads_inside) {}

  graph::logical_tensor input(const dims& d, data_type t, const std::vector<double>& values,
                              bool is_operand = false) {
    return input(d, t, values, strides_of(d, heads_inside_ && is_operand));
  }

  graph::logical_tensor input(const dims& d, data_type t, const std::vector<double>& values,
                              const dims& strides) {
    const graph::logical_tensor lt(ids_++, t, d, strides);
    const int64_t size = size_of(d);
    GuardedBuffer& buffer = make_buffer(lt, size == 0 ? 0 : offset_at(size - 1, d, strides) + 1);
    for (int64_t i = 0; i < size; ++i) {
      const auto place = static_cast<size_t>(offset_at(i, d, lt.get_strides()));
      const uint64_t bits = bits_of(t, values[static_cast<size_t>(i)]);
      std::memcpy(buffer.as<unsigned char>() + place * bytes_of(t), &bits, bytes_of(t));
    }
    ins.push_back(lt);
    in_tensors.emplace_back(lt, eng, buffer.data());
    return lt;
  }

  template <class T>
  graph::logical_tensor host_scalar(data_type t, T value) {
    const graph::logical_tensor lt(ids_++, t, 0, graph::logical_tensor::layout_type::strided,
                                   graph::logical_tensor::property_type::host_scalar);
    scalars_.emplace_back();
    std::memcpy(&scalars_.back(), &value, sizeof value);
    ins.push_back(lt);
    in_tensors.push_back(graph::tensor::make_scalar_tensor(lt, &scalars_.back()));
    return lt;
  }

  graph::logical_tensor value(const dims& d, data_type t) {
    return {ids_++, t, d, graph::logical_tensor::layout_type::strided};
  }

  graph::logical_tensor output(const dims& d, data_type t, bool is_operand) {
    const graph::logical_tensor lt(ids_++, t, d, strides_of(d, heads_inside_ && is_operand));
    GuardedBuffer& buffer = make_buffer(lt, size_of(d));
    outs.push_back(lt);
    out_tensors.emplace_back(lt, eng, buffer.data());
    out_buffers.push_back(&buffer);
    return lt;
  }

  // Makes an output of what ops read as well.
  void hand_out(const graph::logical_tensor& value) {
    const dims d = value.get_dims();
    const graph::logical_tensor lt(value.get_id(), value.get_data_type(), d, strides_of(d, false));
    GuardedBuffer& buffer = make_buffer(lt, size_of(d));
    outs.push_back(lt);
    out_tensors.emplace_back(lt, eng, buffer.data());
    out_buffers.push_back(&buffer);
    add(graph::op::kind::End, {value}, {});
  }

  graph::op& add(graph::op::kind kind, const std::vector<graph::logical_tensor>& from,
                 const std::vector<graph::logical_tensor>& to) {
    ops.emplace_back(ops.size(), kind, from, to, "op" + std::to_string(ops.size()));
    return ops.back();
  }

  graph::logical_tensor apply(graph::op::kind kind, const std::vector<graph::logical_tensor>& from,
                              const dims& d, data_type t) {
    const graph::logical_tensor to = value(d, t);
    add(kind, from, {to});
    return to;
  }

  graph::logical_tensor index(const graph::logical_tensor& like, int64_t axis) {
    const graph::logical_tensor to = value(like.get_dims(), data_type::s32);
    add(graph::op::kind::GenIndex, {like}, {to}).set_attr<int64_t>(graph::op::attr::axis, axis);
    return to;
  }

  std::vector<double> elements(size_t output) const {
    const graph::logical_tensor& lt = outs[output];
    const dims d = lt.get_dims();
    std::vector<double> values;
    for (int64_t i = 0; i < size_of(d); ++i) {
      const auto place = static_cast<size_t>(offset_at(i, d, lt.get_strides()));
      Element e{number_of(lt.get_data_type()), 0};
      std::memcpy(&e.bits,
                  out_buffers[output]->as<unsigned char>() + place * bytes_of(lt.get_data_type()),
                  bytes_of(lt.get_data_type()));
      values.push_back(static_cast<double>(real_of(e)));
    }
    return values;
  }

  graph::engine eng{graph::engine::kind::cpu, 0};
  std::deque<graph::op> ops;
  std::vector<graph::logical_tensor> ins, outs;
  std::vector<graph::tensor> in_tensors, out_tensors;
  std::vector<GuardedBuffer*> out_buffers;

 private:
  GuardedBuffer& make_buffer(const graph::logical_tensor& lt, int64_t size) {
    buffers_.push_back(std::make_unique<GuardedBuffer>(
        static_cast<size_t>(size) * bytes_of(lt.get_data_type()), Placement::end_flush));
    return *buffers_.back();
  }

  bool heads_inside_;
  size_t ids_ = 0;
  std::vector<std::unique_ptr<GuardedBuffer>> buffers_;
  std::deque<int64_t> scalars_;
};

}  // namespace iotadnn::test
