// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <dnnl.hpp>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "primitives/primitive.h"

namespace iotadnn::impl {
namespace {

using Memory = dnnl::memory;

// oneDNN asks OpenMP for the number of threads, both when a primitive is made and when it runs, and
// the two must agree, so that OpenMP may not give fewer either. It keeps both settings per calling
// thread, and nobody else sees the change.
class ThreadsHere {
 public:
  explicit ThreadsHere(int threads)
      : before_(omp_get_max_threads()), was_dynamic_(omp_get_dynamic()) {
    omp_set_num_threads(threads);
    omp_set_dynamic(0);
  }

  ThreadsHere(const ThreadsHere&) = delete;
  ThreadsHere& operator=(const ThreadsHere&) = delete;

  ~ThreadsHere() {
    omp_set_dynamic(was_dynamic_);
    omp_set_num_threads(before_);
  }

 private:
  int before_;
  int was_dynamic_;
};

// Aligned as oneDNN's own scratchpads are.
class Scratchpad {
 public:
  explicit Scratchpad(size_t bytes)
      : data_(bytes == 0 ? nullptr : ::operator new(bytes, kAlignment, std::nothrow)) {}

  Scratchpad(const Scratchpad&) = delete;
  Scratchpad& operator=(const Scratchpad&) = delete;

  ~Scratchpad() { ::operator delete(data_, kAlignment); }

  void* data() const { return data_; }

 private:
  static constexpr std::align_val_t kAlignment{64};

  void* data_;
};

// What `work` returns, or a status for what it throws: `code` for all but a lack of memory.
template <class T>
T guarded(StatusCode code, const std::function<T()>& work) {
  const auto no_memory = [] { return out_of_memory("a oneDNN primitive found no memory"); };
  try {
    return work();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) return no_memory();
    return Status(code, "oneDNN: " + std::string(error.what()));
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& error) {
    return Status(code, "oneDNN: " + std::string(error.what()));
  }
}

Memory::data_type type_of(DataType type) {
  return type == DataType::bf16 ? Memory::data_type::bf16 : Memory::data_type::f32;
}

Memory::desc desc_of(const PrimitiveTensor& tensor) {
  return {Memory::dims(tensor.dims.begin(), tensor.dims.begin() + tensor.rank),
          type_of(tensor.type),
          Memory::dims(tensor.strides.begin(), tensor.strides.begin() + tensor.rank)};
}

dnnl::primitive_attr with_scratchpad_of_caller() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

struct Argument {
  int index = 0;
  Memory::desc desc;
};

class OneDnnPrimitive final : public Primitive {
 public:
  OneDnnPrimitive(dnnl::engine engine, dnnl::primitive primitive, std::vector<Argument> inputs,
                  Argument output, Memory::desc scratchpad, int threads)
      : engine_(std::move(engine)),
        primitive_(std::move(primitive)),
        inputs_(std::move(inputs)),
        output_(std::move(output)),
        scratchpad_(std::move(scratchpad)),
        threads_(threads) {}

  Status run(const void* const* inputs, void* output) const override {
    return guarded<Status>(StatusCode::runtime_error, [&] { return execute(inputs, output); });
  }

 private:
  Memory memory_of(const Memory::desc& desc, const void* data) const {
    return {desc, engine_, const_cast<void*>(data)};
  }

  Status execute(const void* const* inputs, void* output) const {
    const Scratchpad scratchpad(scratchpad_.get_size());
    if (scratchpad.data() == nullptr && scratchpad_.get_size() > 0)
      return out_of_memory("a oneDNN primitive needs a scratchpad of " +
                           std::to_string(scratchpad_.get_size()) +
                           " bytes, which cannot be allocated");
    std::unordered_map<int, Memory> arguments;
    for (size_t i = 0; i < inputs_.size(); ++i)
      arguments.emplace(inputs_[i].index, memory_of(inputs_[i].desc, inputs[i]));
    arguments.emplace(output_.index, memory_of(output_.desc, output));
    arguments.emplace(DNNL_ARG_SCRATCHPAD, memory_of(scratchpad_, scratchpad.data()));
    const ThreadsHere threads(threads_);
    dnnl::stream stream(engine_);
    primitive_.execute(stream, arguments);
    stream.wait();
    return {};
  }

  dnnl::engine engine_;
  dnnl::primitive primitive_;
  std::vector<Argument> inputs_;
  Argument output_;
  Memory::desc scratchpad_;
  int threads_;
};

Result<PrimitivePtr> product(const ProductTensors& tensors, int threads) {
  const ThreadsHere number(threads);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  std::vector<Argument> inputs{{DNNL_ARG_SRC, desc_of(tensors.a)},
                               {DNNL_ARG_WEIGHTS, desc_of(tensors.b)}};
  const Argument out{DNNL_ARG_DST, desc_of(tensors.out)};
  if (tensors.bias) inputs.push_back({DNNL_ARG_BIAS, desc_of(*tensors.bias)});
  const dnnl::matmul::desc desc =
      tensors.bias ? dnnl::matmul::desc(inputs[0].desc, inputs[1].desc, inputs[2].desc, out.desc)
                   : dnnl::matmul::desc(inputs[0].desc, inputs[1].desc, out.desc);
  const dnnl::matmul::primitive_desc made(desc, with_scratchpad_of_caller(), engine);
  return PrimitivePtr(std::make_shared<OneDnnPrimitive>(
      engine, dnnl::matmul(made), std::move(inputs), out, made.scratchpad_desc(), threads));
}

Result<PrimitivePtr> softmax(const SoftMaxTensors& tensors, int threads) {
  const ThreadsHere number(threads);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const Argument in{DNNL_ARG_SRC, desc_of(tensors.in)};
  const Argument out{DNNL_ARG_DST, desc_of(tensors.out)};
  const dnnl::softmax_v2_forward::desc desc(dnnl::prop_kind::forward_inference,
                                            dnnl::algorithm::softmax_accurate, in.desc, out.desc,
                                            tensors.axis);
  const dnnl::softmax_v2_forward::primitive_desc made(desc, with_scratchpad_of_caller(), engine);
  return PrimitivePtr(std::make_shared<OneDnnPrimitive>(engine, dnnl::softmax_v2_forward(made),
                                                        std::vector<Argument>{in}, out,
                                                        made.scratchpad_desc(), threads));
}

// Whether this processor's oneDNN multiplies bf16 at all.
bool has_bf16() {
  PrimitiveTensor tensor{DataType::bf16, 2, {16, 16}, {16, 1}};
  return make_product({tensor, tensor, std::nullopt, tensor}, 1).ok();
}

}  // namespace

std::string primitive_refusal(DataType type) {
  if (type == DataType::f32) return "";
  if (type != DataType::bf16) return "oneDNN's primitives are used for f32 and bf16 only";
  static const bool has = has_bf16();
  return has ? "" : "oneDNN's primitives have no bf16 on this processor";
}

Result<PrimitivePtr> make_product(const ProductTensors& tensors, int threads) {
  return guarded<Result<PrimitivePtr>>(StatusCode::unimplemented,
                                       [&] { return product(tensors, threads); });
}

Result<PrimitivePtr> make_softmax(const SoftMaxTensors& tensors, int threads) {
  return guarded<Result<PrimitivePtr>>(StatusCode::unimplemented,
                                       [&] { return softmax(tensors, threads); });
}

}  // namespace iotadnn::impl
