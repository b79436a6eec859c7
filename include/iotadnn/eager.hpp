// SPDX-License-Identifier: Apache-2.0
// One-call forms in C++17, header only: each derives the shape, allocates the result and returns
// it.
//
//   auto identity = iotadnn::eye(3, 4, 1, iotadnn::data_type::f32);
//   const float* first = identity.data<float>();
//
// Sizes are compiled as unknown, so that a call with new sizes costs no compilation. Thread safe.
// Every failure throws iotadnn::error: invalid_arguments or invalid_graph_op for a rank, axis or
// type that is not allowed, invalid_shape for sizes that overflow, out_of_memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "iotadnn/graph.hpp"

namespace iotadnn {

using data_type = graph::logical_tensor::data_type;
using dims = graph::logical_tensor::dims;

// A dense row-major tensor that owns its buffer (64-byte aligned); copies share it.
class dense_tensor {
 public:
  explicit dense_tensor(graph::tensor tensor)
      : tensor_(std::move(tensor)), lt_(tensor_.get_logical_tensor()) {}

  [[nodiscard]] const graph::tensor& get_tensor() const { return tensor_; }

  [[nodiscard]] const graph::logical_tensor& get_logical_tensor() const { return lt_; }

  [[nodiscard]] dims shape() const { return lt_.get_dims(); }

  [[nodiscard]] data_type type() const { return lt_.get_data_type(); }

  // Number of elements.
  [[nodiscard]] size_t size() const {
    const dims extents = shape();
    return static_cast<size_t>(
        std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>()));
  }

  [[nodiscard]] size_t bytes() const { return lt_.get_mem_size(); }

  [[nodiscard]] void* data() const { return tensor_.get_data_handle(); }

  // Element (0, ..., 0); T must be as wide as an element.
  template <typename T>
  [[nodiscard]] T* data() const {
    if (size() != 0 && sizeof(T) * size() != bytes())
      throw error(iotadnn_invalid_arguments, "the tensor's elements have " +
                                                 std::to_string(bytes() / size()) + " bytes, not " +
                                                 std::to_string(sizeof(T)));
    return static_cast<T*>(data());
  }

 private:
  graph::tensor tensor_;
  graph::logical_tensor lt_;
};

namespace detail {

using lt = graph::logical_tensor;

constexpr size_t kResultId = 100;

inline const engine& eager_engine() {
  static const engine cpu(engine::kind::cpu, 0);
  return cpu;
}

// `tensor` with its sizes forgotten.
inline lt with_unknown_sizes(const lt& tensor) {
  if (tensor.get_dims().empty()) return tensor;
  const dims unknown(tensor.get_dims().size(), IOTADNN_GRAPH_UNKNOWN_DIM);
  return lt(tensor.get_id(), tensor.get_data_type(), unknown, lt::layout_type::strided);
}

// Runs one op that has the given inputs into a new tensor of `shape`. `aop` has its attributes.
inline dense_tensor run(graph::op aop, const std::vector<graph::tensor>& inputs, data_type type,
                        const dims& shape) {
  std::vector<lt> input_lts;
  for (const graph::tensor& input : inputs) {
    // The extent of Eye's batch_shape is the number of batch dims: that one stays.
    const lt given = input.get_logical_tensor();
    const bool is_list = aop.get_kind() == graph::op::kind::Eye;
    input_lts.push_back(is_list ? given : with_unknown_sizes(given));
  }
  const lt result(kResultId, type, shape, lt::layout_type::strided);
  aop.add_inputs(input_lts);
  aop.add_output(with_unknown_sizes(result));
  const graph::partition part(aop, engine::kind::cpu);
  const auto compiled = part.compile(input_lts, {with_unknown_sizes(result)}, eager_engine());
  graph::tensor output(result, eager_engine());
  stream run_on(eager_engine());
  compiled.execute(run_on, inputs, {output});
  return dense_tensor(std::move(output));
}

inline graph::tensor host_scalar(size_t id, int64_t value) {
  const lt scalar(id, data_type::s64, 0, lt::layout_type::strided, lt::property_type::host_scalar);
  return graph::tensor::make_scalar_tensor(scalar, &value);
}

// A tensor without data: the source of an op that only looks at its shape.
inline graph::tensor shape_only(const dims& shape) {
  return graph::tensor(lt(0, data_type::f32, shape, lt::layout_type::strided), eager_engine(),
                       IOTADNN_MEMORY_NONE);
}

inline dims concatenated(dims head, const dims& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

}  // namespace detail

// Ones where column == row + k, else zeros; shape batch ++ [rows, cols], rank at most 12. Any of
// the thirteen computed types, any k (OpenVINO Eye-9).
inline dense_tensor eye(int64_t rows, int64_t cols, int64_t k, data_type type,
                        const dims& batch = {}) {
  using detail::host_scalar;
  std::vector<graph::tensor> inputs = {host_scalar(0, rows), host_scalar(1, cols),
                                       host_scalar(2, k)};
  dims batch_data = batch;
  if (!batch.empty()) {
    const detail::lt list(3, data_type::s64, dims{static_cast<int64_t>(batch.size())},
                          detail::lt::layout_type::strided);
    inputs.emplace_back(list, detail::eager_engine(), batch_data.data());
  }
  return detail::run(graph::op(0, graph::op::kind::Eye), inputs, type,
                     detail::concatenated(batch, {rows, cols}));
}

// The same for a shape of rank 2 (ONNX EyeLike).
inline dense_tensor eye_like(const dims& shape, int64_t k, data_type type) {
  graph::op aop(0, graph::op::kind::EyeLike);
  aop.set_attr<int64_t>(graph::op::attr::k, k);
  return detail::run(std::move(aop), {detail::shape_only(shape)}, type, shape);
}

// Shape of `like`, and its type unless another is given.
inline dense_tensor eye_like(const graph::logical_tensor& like, int64_t k,
                             data_type type = data_type::undef) {
  return eye_like(like.get_dims(), k, type == data_type::undef ? like.get_data_type() : type);
}

// Each element its own index along `axis`, which is in [-rank, rank - 1]; rank 1 to 12, s32 or s64
// (oneDNN GenIndex).
inline dense_tensor gen_index(const dims& shape, int64_t axis, data_type type = data_type::s32) {
  graph::op aop(0, graph::op::kind::GenIndex);
  aop.set_attr<int64_t>(graph::op::attr::axis, axis);
  return detail::run(std::move(aop), {detail::shape_only(shape)}, type, shape);
}

}  // namespace iotadnn
