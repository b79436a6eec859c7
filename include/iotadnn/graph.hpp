// SPDX-License-Identifier: Apache-2.0
// The graph API in C++17, header only, over graph.h: names, argument orders and semantics of
// namespace dnnl::graph. Objects are shared handles (a copy is the same object); every failing call
// throws iotadnn::error. graph.h says what each call does, which errors it has, and what is thread
// safe.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "iotadnn/graph_op.hpp"
#include "iotadnn/graph_tensor.hpp"

namespace iotadnn::graph {

template <>
struct graph_handle_traits<iotadnn_graph_graph_t> {
  static iotadnn_status_t destructor(iotadnn_graph_graph_t p) {
    return iotadnn_graph_graph_destroy(p);
  }
};

template <>
struct graph_handle_traits<iotadnn_graph_partition_t> {
  static iotadnn_status_t destructor(iotadnn_graph_partition_t p) {
    return iotadnn_graph_partition_destroy(p);
  }
};

template <>
struct graph_handle_traits<iotadnn_graph_compiled_partition_t> {
  static iotadnn_status_t destructor(iotadnn_graph_compiled_partition_t p) {
    return iotadnn_graph_compiled_partition_destroy(p);
  }
};

using graph_handle = handle<iotadnn_graph_graph_t, graph_handle_traits<iotadnn_graph_graph_t>>;
using partition_handle =
    handle<iotadnn_graph_partition_t, graph_handle_traits<iotadnn_graph_partition_t>>;
using compiled_partition_handle = handle<iotadnn_graph_compiled_partition_t,
                                         graph_handle_traits<iotadnn_graph_compiled_partition_t>>;

namespace detail {

// The C handles of tensors; a few of them need no heap.
class tensor_list {
 public:
  explicit tensor_list(const std::vector<tensor>& tensors) : size_(tensors.size()) {
    if (size_ > kInline) heap_.resize(size_);
    auto* out = size_ > kInline ? heap_.data() : inline_;
    for (const tensor& t : tensors)
      *out++ = t.get();
  }

  const_iotadnn_graph_tensor_t* data() { return size_ > kInline ? heap_.data() : inline_; }

  [[nodiscard]] size_t size() const { return size_; }

 private:
  static constexpr size_t kInline = 8;
  size_t size_;
  const_iotadnn_graph_tensor_t inline_[kInline] = {};
  std::vector<const_iotadnn_graph_tensor_t> heap_;
};

}  // namespace detail

// A partition bound to logical tensors, ready to run any number of times, from any threads at once.
class compiled_partition : public compiled_partition_handle {
 public:
  compiled_partition() = default;

  // Takes over the handle.
  compiled_partition(iotadnn_graph_compiled_partition_t c_compiled) {  // NOLINT: as in oneDNN
    reset(c_compiled, false);
  }

  [[nodiscard]] logical_tensor query_logical_tensor(size_t tid) const {
    iotadnn_graph_logical_tensor_t lt;
    error::wrap_c_api(iotadnn_graph_compiled_partition_query_logical_tensor(get(), tid, &lt),
                      "query logical tensor from compiled_partition failed");
    return logical_tensor(lt);
  }

  // (input id, output id)
  [[nodiscard]] std::vector<std::pair<size_t, size_t>> get_inplace_ports() const {
    size_t num = 0;
    const iotadnn_graph_inplace_pair_t* pairs = nullptr;
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_inplace_ports(get(), &num, &pairs),
                      "could not get the in-place pairs from a compiled partition");
    std::vector<std::pair<size_t, size_t>> result;
    result.reserve(num);
    for (size_t i = 0; i < num; ++i)
      result.emplace_back(pairs[i].input_id, pairs[i].output_id);
    return result;
  }

  [[nodiscard]] logical_tensor get_scratchpad_logical_tensor() const {
    iotadnn_graph_logical_tensor_t lt;
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_scratchpad_logical_tensor(get(), &lt),
                      "could not get the scratchpad logical tensor from a compiled partition");
    return logical_tensor(lt);
  }

  // What will run: "jit:avx512_core", "jit:avx2", "portable", "reference".
  [[nodiscard]] std::string get_impl() const {
    const char* impl = nullptr;
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_impl(get(), &impl),
                      "could not get the implementation of a compiled partition");
    return impl;
  }

  // The row programs as text, for people (iotadnn_graph_compiled_partition_get_program_text).
  [[nodiscard]] std::string get_program_text() const {
    size_t size = 0;
    const char* const failure = "could not get the program text of a compiled partition";
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_program_text(get(), &size, nullptr),
                      failure);
    std::string text(size, '\0');
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_program_text(get(), &size, text.data()),
                      failure);
    text.pop_back();  // the zero
    return text;
  }

  // The machine code that runs; it is the compiled partition's.
  [[nodiscard]] std::vector<iotadnn_graph_kernel_t> get_kernels() const {
    size_t num = 0;
    const char* const failure = "could not get the kernels of a compiled partition";
    error::wrap_c_api(iotadnn_graph_compiled_partition_get_kernels(get(), &num, nullptr), failure);
    std::vector<iotadnn_graph_kernel_t> kernels(num);
    if (num > 0)
      error::wrap_c_api(iotadnn_graph_compiled_partition_get_kernels(get(), &num, kernels.data()),
                        failure);
    return kernels;
  }

  // The outputs' logical tensors (compile order) that these inputs lead to.
  [[nodiscard]] std::vector<logical_tensor> infer_shapes(const std::vector<tensor>& inputs,
                                                         size_t num_outputs = 1) const {
    detail::tensor_list c_inputs(inputs);
    std::vector<iotadnn_graph_logical_tensor_t> c_outputs(num_outputs);
    error::wrap_c_api(iotadnn_graph_compiled_partition_infer_shapes(
                          get(), c_inputs.size(), c_inputs.data(), num_outputs, c_outputs.data()),
                      "could not infer the output shapes of a compiled partition");
    std::vector<logical_tensor> outputs;
    outputs.reserve(num_outputs);
    for (const auto& lt : c_outputs)
      outputs.emplace_back(lt);
    return outputs;
  }

  // Tensors in the order of the logical tensors at compile; synchronous.
  void execute(stream& astream, const std::vector<tensor>& inputs,
               const std::vector<tensor>& outputs, const tensor& scratchpad = tensor()) const {
    detail::tensor_list c_inputs(inputs);
    detail::tensor_list c_outputs(outputs);
    error::wrap_c_api(iotadnn_graph_compiled_partition_execute_v2(
                          get(), astream.get(), c_inputs.size(), c_inputs.data(), c_outputs.size(),
                          c_outputs.data(), scratchpad.get(true)),
                      "could not execute the compiled_partition");
  }
};

// Ops that are compiled and executed together, or one op that is not ours.
class partition : public partition_handle {
 public:
  enum class policy {
    fusion = iotadnn_graph_partition_policy_fusion,
    debug = iotadnn_graph_partition_policy_debug,
  };

  partition() = default;

  // Takes over the handle.
  partition(iotadnn_graph_partition_t p) { reset(p, false); }  // NOLINT: as in oneDNN

  // The partition of one op, without a graph.
  partition(const op& aop, engine::kind ekind) {
    iotadnn_graph_partition_t p = nullptr;
    error::wrap_c_api(
        iotadnn_graph_partition_create_with_op(&p, aop.get(), engine::convert_to_c(ekind)),
        "could not create a partition with the op and engine kind");
    reset(p);
  }

  [[nodiscard]] size_t get_ops_num() const {
    return number(iotadnn_graph_partition_get_op_num,
                  "could not get number of ops from the partition");
  }

  // Op ids in topological order.
  [[nodiscard]] std::vector<size_t> get_ops() const {
    std::vector<size_t> ops(get_ops_num());
    error::wrap_c_api(iotadnn_graph_partition_get_ops(get(), ops.size(), ops.data()),
                      "could not get op ids from the partition");
    return ops;
  }

  [[nodiscard]] size_t get_id() const {
    return number(iotadnn_graph_partition_get_id, "could not get id of the partition");
  }

  [[nodiscard]] bool is_supported() const {
    uint8_t supported = 0;
    error::wrap_c_api(iotadnn_graph_partition_is_supported(get(), &supported),
                      "could not get supporting status of the partition");
    return supported != 0;
  }

  // Why not, in one sentence; empty when supported.
  [[nodiscard]] std::string get_reason() const {
    const char* reason = nullptr;
    error::wrap_c_api(iotadnn_graph_partition_get_reason(get(), &reason),
                      "could not get the reason from the partition");
    return reason;
  }

  [[nodiscard]] std::vector<logical_tensor> get_input_ports() const {
    return ports(iotadnn_graph_partition_get_input_ports_num,
                 iotadnn_graph_partition_get_input_ports,
                 "could not get input logical tensors of the partition");
  }

  [[nodiscard]] std::vector<logical_tensor> get_output_ports() const {
    return ports(iotadnn_graph_partition_get_output_ports_num,
                 iotadnn_graph_partition_get_output_ports,
                 "could not get output logical tensors of the partition");
  }

  [[nodiscard]] engine::kind get_engine_kind() const {
    iotadnn_engine_kind_t kind = iotadnn_any_engine;
    error::wrap_c_api(iotadnn_graph_partition_get_engine_kind(get(), &kind),
                      "cannot get the engine kind from the partition");
    return static_cast<engine::kind>(kind);
  }

  // Logical tensors are matched to the ports by id; their order becomes the order at execute.
  [[nodiscard]] compiled_partition compile(const std::vector<logical_tensor>& inputs,
                                           const std::vector<logical_tensor>& outputs,
                                           const engine& e) const {
    if (!is_supported())
      throw error(iotadnn_invalid_arguments,
                  "could not compile an unsupported partition: " + get_reason());
    auto c_inputs = pointers(inputs);
    auto c_outputs = pointers(outputs);
    iotadnn_graph_compiled_partition_t c_compiled = nullptr;
    error::wrap_c_api(iotadnn_graph_compiled_partition_create(&c_compiled, get()),
                      "could not create compiled_partition");
    compiled_partition compiled(c_compiled);
    error::wrap_c_api(
        iotadnn_graph_partition_compile(get(), c_compiled, c_inputs.size(), c_inputs.data(),
                                        c_outputs.size(), c_outputs.data(), e.get()),
        "partition compile failed");
    return compiled;
  }

 private:
  using c_lt = iotadnn_graph_logical_tensor_t;
  using get_number = iotadnn_status_t (*)(const_iotadnn_graph_partition_t, size_t*);
  using get_ports = iotadnn_status_t (*)(const_iotadnn_graph_partition_t, size_t, c_lt*);

  size_t number(get_number getter, const char* text) const {
    size_t num = 0;
    error::wrap_c_api(getter(get(), &num), text);
    return num;
  }

  std::vector<logical_tensor> ports(get_number getter, get_ports filler, const char* text) const {
    std::vector<c_lt> c_ports(number(getter, text));
    if (c_ports.empty()) return {};
    error::wrap_c_api(filler(get(), c_ports.size(), c_ports.data()), text);
    std::vector<logical_tensor> result;
    result.reserve(c_ports.size());
    for (const c_lt& port : c_ports)
      result.emplace_back(port);
    return result;
  }

  static std::vector<const c_lt*> pointers(const std::vector<logical_tensor>& lts) {
    std::vector<const c_lt*> result;
    result.reserve(lts.size());
    for (const logical_tensor& lt : lts)
      result.push_back(&lt.get());
    return result;
  }
};

// Ops over edges that are named by logical-tensor ids.
class graph : public graph_handle {
 public:
  using graph_handle::handle;

  graph(engine::kind engine_kind) {  // NOLINT: as in oneDNN
    iotadnn_graph_graph_t g = nullptr;
    error::wrap_c_api(iotadnn_graph_graph_create(&g, engine::convert_to_c(engine_kind)),
                      "could not create graph with engine kind");
    reset(g);
  }

  graph(engine::kind engine_kind, fpmath_mode mode) {
    iotadnn_graph_graph_t g = nullptr;
    error::wrap_c_api(iotadnn_graph_graph_create_with_fpmath_mode(
                          &g, engine::convert_to_c(engine_kind), convert_to_c(mode)),
                      "could not create graph with engine kind and math mode");
    reset(g);
  }

  void set_fpmath_mode(fpmath_mode mode, bool apply_to_int = false) {
    error::wrap_c_api(
        iotadnn_graph_graph_set_fpmath_mode(get(), convert_to_c(mode), apply_to_int ? 1 : 0),
        "could not set fpmath mode graph attribute");
  }

  // What fused ops may do to results (iotadnn_graph_math_mode_t).
  enum class math_mode {
    standard = iotadnn_graph_math_mode_default,
    strict_bits = iotadnn_graph_math_mode_strict_bits,
    finite = iotadnn_graph_math_mode_finite,
  };

  void set_math_mode(math_mode mode) {
    error::wrap_c_api(
        iotadnn_graph_graph_set_math_mode(get(), static_cast<iotadnn_graph_math_mode_t>(mode)),
        "could not set the math mode of the graph");
  }

  math_mode get_math_mode() const {
    iotadnn_graph_math_mode_t mode = iotadnn_graph_math_mode_default;
    error::wrap_c_api(iotadnn_graph_graph_get_math_mode(get(), &mode),
                      "could not get the math mode of the graph");
    return static_cast<math_mode>(mode);
  }

  void get_fpmath_mode(fpmath_mode& mode, bool& apply_to_int) const {
    iotadnn_fpmath_mode_t c_mode = iotadnn_fpmath_mode_strict;
    int c_apply_to_int = 0;
    error::wrap_c_api(iotadnn_graph_graph_get_fpmath_mode(get(), &c_mode, &c_apply_to_int),
                      "could not get fpmath mode graph attribute");
    mode = static_cast<fpmath_mode>(c_mode);
    apply_to_int = c_apply_to_int != 0;
  }

  // With allow_exception false a refusal is only returned; iotadnn_get_last_error() has the reason.
  status add_op(const op& aop, bool allow_exception = true) {
    const iotadnn_status_t result = iotadnn_graph_add_op(get(), aop.get());
    if (allow_exception) error::wrap_c_api(result, "could not add op to the graph");
    return static_cast<status>(result);
  }

  void finalize() {
    error::wrap_c_api(iotadnn_graph_graph_finalize(get()), "could not finalize the graph");
  }

  [[nodiscard]] bool is_finalized() const {
    uint8_t finalized = 0;
    error::wrap_c_api(iotadnn_graph_graph_is_finalized(get(), &finalized),
                      "could not get the finalization status of the graph");
    return finalized != 0;
  }

  // All partitions in topological order; throws invalid_graph when the graph is not finalized.
  std::vector<partition> get_partitions(partition::policy policy = partition::policy::fusion) {
    if (!is_finalized()) throw error(iotadnn_invalid_graph, "the graph is not finalized yet");
    error::wrap_c_api(
        iotadnn_graph_graph_filter(get(), static_cast<iotadnn_graph_partition_policy_t>(policy)),
        "could not filter the graph");
    size_t num = 0;
    error::wrap_c_api(iotadnn_graph_graph_get_partition_num(get(), &num),
                      "could not get number of partitions from the graph");
    if (num == 0) return {};
    std::vector<iotadnn_graph_partition_t> c_partitions(num);
    error::wrap_c_api(iotadnn_graph_graph_get_partitions(get(), num, c_partitions.data()),
                      "could not get partitions from the graph");
    return {c_partitions.begin(), c_partitions.end()};
  }

 private:
  static iotadnn_fpmath_mode_t convert_to_c(fpmath_mode mode) {
    return iotadnn::convert_to_c(mode);
  }
};

inline int get_compiled_partition_cache_capacity() {
  int capacity = 0;
  error::wrap_c_api(iotadnn_graph_get_compiled_partition_cache_capacity(&capacity),
                    "could not get compiled partition cache capacity");
  return capacity;
}

inline void set_compiled_partition_cache_capacity(int capacity) {
  error::wrap_c_api(iotadnn_graph_set_compiled_partition_cache_capacity(capacity),
                    "could not set compiled partition cache capacity");
}

inline void set_constant_tensor_cache(int flag) {
  error::wrap_c_api(iotadnn_graph_set_constant_tensor_cache(flag),
                    "could not set constant tensor cache");
}

inline int get_constant_tensor_cache() {
  int flag = 0;
  error::wrap_c_api(iotadnn_graph_get_constant_tensor_cache(&flag),
                    "could not get constant tensor cache");
  return flag;
}

inline void set_constant_tensor_cache_capacity(engine::kind kind, size_t size) {
  error::wrap_c_api(
      iotadnn_graph_set_constant_tensor_cache_capacity(engine::convert_to_c(kind), size),
      "could not set constant tensor cache capacity");
}

inline size_t get_constant_tensor_cache_capacity(engine::kind kind) {
  size_t size = 0;
  error::wrap_c_api(
      iotadnn_graph_get_constant_tensor_cache_capacity(engine::convert_to_c(kind), &size),
      "could not get constant tensor cache capacity");
  return size;
}

enum class graph_dump_mode : unsigned {
  none = iotadnn_graph_dump_mode_none,
  subgraph = iotadnn_graph_dump_mode_subgraph,
  graph = iotadnn_graph_dump_mode_graph,
};

inline graph_dump_mode operator|(graph_dump_mode a, graph_dump_mode b) {
  return static_cast<graph_dump_mode>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

inline graph_dump_mode operator&(graph_dump_mode a, graph_dump_mode b) {
  return static_cast<graph_dump_mode>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

inline graph_dump_mode operator^(graph_dump_mode a, graph_dump_mode b) {
  return static_cast<graph_dump_mode>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b));
}

inline graph_dump_mode operator~(graph_dump_mode a) {
  return static_cast<graph_dump_mode>(~static_cast<unsigned>(a));
}

inline graph_dump_mode& operator|=(graph_dump_mode& a, graph_dump_mode b) {
  return a = a | b;
}

inline graph_dump_mode& operator&=(graph_dump_mode& a, graph_dump_mode b) {
  return a = a & b;
}

inline graph_dump_mode& operator^=(graph_dump_mode& a, graph_dump_mode b) {
  return a = a ^ b;
}

inline void set_dump_mode(graph_dump_mode mode) {
  error::wrap_c_api(iotadnn_graph_set_dump_mode(static_cast<iotadnn_graph_dump_mode_t>(mode)),
                    "could not set the dump mode of graphs");
}

}  // namespace iotadnn::graph
