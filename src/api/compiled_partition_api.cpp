// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"
#include "api/handles.h"

namespace iotadnn::impl {
namespace {

bool is_compiled(const_iotadnn_graph_compiled_partition_t compiled_partition) {
  return compiled_partition != nullptr && compiled_partition->compiled != nullptr;
}

Status require_compiled(const_iotadnn_graph_compiled_partition_t compiled_partition) {
  IOTADNN_REQUIRE(compiled_partition);
  if (is_compiled(compiled_partition)) return {};
  return invalid_arguments("the compiled partition is empty, nothing was compiled into it yet");
}

// Up to this many tensors are listed on the stack, so that execute needs no heap.
constexpr size_t kFewTensors = 16;

// Lists tensors as the runtime takes them. False when the list or a tensor is null: refusal() says
// which, since a status is only made where one is returned.
bool list_tensors(const const_iotadnn_graph_tensor_t* tensors, size_t num, const Tensor** list) {
  if (tensors == nullptr) return num == 0;
  for (size_t i = 0; i < num; ++i) {
    if (tensors[i] == nullptr) return false;
    list[i] = tensors[i];
  }
  return true;
}

[[gnu::noinline]] Status wrong_counts(const CompiledPartition& compiled, size_t num_inputs,
                                      size_t num_outputs) {
  const bool inputs = num_inputs != compiled.inputs().size();
  const size_t given = inputs ? num_inputs : num_outputs;
  const size_t expected = inputs ? compiled.inputs().size() : compiled.outputs().size();
  return invalid_arguments(std::to_string(given) + (inputs ? " inputs" : " outputs") +
                           " are given, the partition was compiled for " +
                           std::to_string(expected));
}

// Not inlined, like all that makes a sentence: execute would save registers for it.
[[gnu::noinline]] Status another_engine() {
  return invalid_arguments(
      "the stream belongs to another engine than the one that the partition was compiled for");
}

// Why list_tensors() said no.
Status refusal(const const_iotadnn_graph_tensor_t* tensors, size_t num, const char* what) {
  if (tensors == nullptr)
    return invalid_arguments(std::string(what) + " is null, but " + std::to_string(num) +
                             " are counted");
  size_t i = 0;
  while (i + 1 < num && tensors[i] != nullptr)
    ++i;
  return invalid_arguments(std::string(what) + "[" + std::to_string(i) + "] is null");
}

Status check_scratchpad(const CompiledPartition& compiled, const iotadnn_graph_tensor& scratchpad) {
  const size_t needed = compiled.scratchpad_bytes();
  if (needed == 0) return {};
  const auto bytes = buffer_bytes(scratchpad.lt);
  if (!bytes.ok()) return bytes.status();
  if (*bytes >= needed && scratchpad.data != nullptr) return {};
  return invalid_arguments("the scratchpad has " + std::to_string(*bytes) + " bytes, needed are " +
                           std::to_string(needed));
}

// `list` has room for all tensors.
Status execute_listed(const CompiledPartition& compiled, size_t num_inputs,
                      const const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
                      const const_iotadnn_graph_tensor_t* outputs, const Tensor** list) {
  if (!list_tensors(inputs, num_inputs, list)) return refusal(inputs, num_inputs, "inputs");
  if (!list_tensors(outputs, num_outputs, list + num_inputs))
    return refusal(outputs, num_outputs, "outputs");
  return compiled.execute({list, num_inputs}, {list + num_inputs, num_outputs});
}

Status execute(const_iotadnn_graph_compiled_partition_t compiled_partition, iotadnn_stream_t stream,
               size_t num_inputs, const const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
               const const_iotadnn_graph_tensor_t* outputs,
               const_iotadnn_graph_tensor_t scratchpad) {
  if (!is_compiled(compiled_partition)) return require_compiled(compiled_partition);
  IOTADNN_REQUIRE(stream);
  if (stream->engine.get() != compiled_partition->engine.get()) return another_engine();
  // Before the lists are read: a count that is wrong may be longer than its list.
  const CompiledPartition& compiled = *compiled_partition->compiled;
  if (!compiled.counts_agree(num_inputs, num_outputs))
    return wrong_counts(compiled, num_inputs, num_outputs);
  if (scratchpad != nullptr) IOTADNN_TRY(check_scratchpad(compiled, *scratchpad));
  if (num_inputs + num_outputs <= kFewTensors) {
    const Tensor* list[kFewTensors];
    return execute_listed(compiled, num_inputs, inputs, num_outputs, outputs, list);
  }
  std::vector<const Tensor*> list(num_inputs + num_outputs);
  return execute_listed(compiled, num_inputs, inputs, num_outputs, outputs, list.data());
}

Status infer(const_iotadnn_graph_compiled_partition_t compiled_partition, size_t num_inputs,
             const const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
             iotadnn_graph_logical_tensor_t* outputs) {
  IOTADNN_TRY(require_compiled(compiled_partition));
  IOTADNN_REQUIRE(outputs);
  const CompiledPartition& compiled = *compiled_partition->compiled;
  if (!compiled.counts_agree(num_inputs, num_outputs))
    return wrong_counts(compiled, num_inputs, num_outputs);
  std::vector<const Tensor*> list(num_inputs);
  if (!list_tensors(inputs, num_inputs, list.data())) return refusal(inputs, num_inputs, "inputs");
  std::vector<LogicalTensor> inferred(num_outputs);
  IOTADNN_TRY(compiled.infer_shapes({list.data(), num_inputs}, {inferred.data(), num_outputs}));
  for (size_t i = 0; i < num_outputs; ++i)
    outputs[i] = to_c(inferred[i]);
  return {};
}

Status query(const CompiledPartition& compiled, size_t tid, iotadnn_graph_logical_tensor_t& lt) {
  for (const auto& ports : {compiled.inputs(), compiled.outputs()})
    for (const LogicalTensor& port : ports)
      if (port.id == tid) {
        lt = to_c(port);
        return {};
      }
  return invalid_arguments("logical tensor " + std::to_string(tid) +
                           " is no input or output of the compiled partition");
}

// Of a query whose answer has `needed` parts: without an array the number is all that is asked for.
// Sets the caller's count in any case.
template <class T>
Status check_room(const T* array, size_t& count, size_t needed, const char* parts) {
  const size_t given = std::exchange(count, needed);
  if (array == nullptr || given >= needed) return {};
  return invalid_arguments("there is room for " + std::to_string(given) + ", needed are " +
                           std::to_string(needed) + " " + parts);
}

Status program_text(const CompiledPartition& compiled, size_t& size, char* text) {
  const std::string made = compiled.program_text();
  IOTADNN_TRY(check_room(text, size, made.size() + 1, "bytes"));
  if (text != nullptr) std::memcpy(text, made.c_str(), made.size() + 1);
  return {};
}

Status kernels_of(const CompiledPartition& compiled, size_t& num, iotadnn_graph_kernel_t* kernels) {
  const std::vector<KernelCode> codes = compiled.kernels();
  IOTADNN_TRY(check_room(kernels, num, codes.size(), "kernels"));
  if (kernels == nullptr) return {};
  for (const KernelCode& code : codes)
    *kernels++ = {code.name, code.bytes, code.size, code.instructions};
  return {};
}

LogicalTensor scratchpad_of(const CompiledPartition& compiled) {
  LogicalTensor lt;
  lt.id = SIZE_MAX;
  lt.rank = 1;
  lt.dims[0] = static_cast<int64_t>(compiled.scratchpad_bytes());
  lt.strides[0] = 1;
  lt.type = DataType::u8;
  lt.property = Property::variable;
  lt.layout = LayoutType::strided;
  return lt;
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

iotadnn_status_t iotadnn_graph_compiled_partition_create(
    iotadnn_graph_compiled_partition_t* compiled_partition, iotadnn_graph_partition_t partition) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(compiled_partition);
    IOTADNN_REQUIRE(partition);
    *compiled_partition = new iotadnn_graph_compiled_partition();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_execute(
    const_iotadnn_graph_compiled_partition_t compiled_partition, iotadnn_stream_t stream,
    size_t num_inputs, const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    const_iotadnn_graph_tensor_t* outputs) {
  return guarded([&] {
    return execute(compiled_partition, stream, num_inputs, inputs, num_outputs, outputs, nullptr);
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_execute_v2(
    const_iotadnn_graph_compiled_partition_t compiled_partition, iotadnn_stream_t stream,
    size_t num_inputs, const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    const_iotadnn_graph_tensor_t* outputs, const_iotadnn_graph_tensor_t scratchpad) {
  return guarded([&] {
    return execute(compiled_partition, stream, num_inputs, inputs, num_outputs, outputs,
                   scratchpad);
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_destroy(
    iotadnn_graph_compiled_partition_t compiled_partition) {
  delete compiled_partition;
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_compiled_partition_query_logical_tensor(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t tid,
    iotadnn_graph_logical_tensor_t* lt) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(lt);
    return query(*compiled_partition->compiled, tid, *lt);
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_get_inplace_ports(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* num_inplace_pairs,
    const iotadnn_graph_inplace_pair_t** inplace_pairs) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(num_inplace_pairs);
    IOTADNN_REQUIRE(inplace_pairs);
    *num_inplace_pairs = compiled_partition->inplace_pairs.size();
    *inplace_pairs = compiled_partition->inplace_pairs.data();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_get_scratchpad_logical_tensor(
    const_iotadnn_graph_compiled_partition_t compiled_partition,
    iotadnn_graph_logical_tensor_t* lt) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(lt);
    *lt = to_c(scratchpad_of(*compiled_partition->compiled));
    return {};
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_infer_shapes(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t num_inputs,
    const const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    iotadnn_graph_logical_tensor_t* outputs) {
  return guarded(
      [&] { return infer(compiled_partition, num_inputs, inputs, num_outputs, outputs); });
}

iotadnn_status_t iotadnn_graph_compiled_partition_get_impl(
    const_iotadnn_graph_compiled_partition_t compiled_partition, const char** impl) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(impl);
    *impl = compiled_partition->compiled->impl().c_str();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_get_program_text(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* size, char* text) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(size);
    return program_text(*compiled_partition->compiled, *size, text);
  });
}

iotadnn_status_t iotadnn_graph_compiled_partition_get_kernels(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* num,
    iotadnn_graph_kernel_t* kernels) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_compiled(compiled_partition));
    IOTADNN_REQUIRE(num);
    return kernels_of(*compiled_partition->compiled, *num, kernels);
  });
}
