// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/reference_run.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "frontends/names.h"
#include "support/numbers.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;

// Caps the ISA for its lifetime.
class ScopedReference {
 public:
  ScopedReference() : before_(iotadnn_get_effective_cpu_isa()) {
    iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_reference);
  }

  ~ScopedReference() { iotadnn_set_max_cpu_isa(before_); }

  ScopedReference(const ScopedReference&) = delete;
  ScopedReference& operator=(const ScopedReference&) = delete;

 private:
  iotadnn_cpu_isa_t before_;
};

bool is_generator(const OpDesc& op) {
  const auto kind = static_cast<int>(op.kind);
  return kind == iotadnn_graph_op_eye || kind == iotadnn_graph_op_eye_like ||
         kind == iotadnn_graph_op_gen_index;
}

bool is_math(const OpDesc& op) {
  switch (static_cast<int>(op.kind)) {
    case iotadnn_graph_op_exp:
    case iotadnn_graph_op_log:
    case iotadnn_graph_op_sigmoid:
    case iotadnn_graph_op_tanh:
    case iotadnn_graph_op_pow:
    case iotadnn_graph_op_power:
      return true;
    default:
      return false;
  }
}

// One in 64 is special, if any; the others are quarters between -4 and 4, or as many integers.
uint64_t random_element(int type, bool specials, std::mt19937& engine) {
  const auto choice = static_cast<int64_t>(engine() % 64);
  if (test::is_boolean(type)) return static_cast<uint64_t>(choice & 1);
  if (!test::is_floating(type)) {
    const int64_t value = test::is_signed(type) ? choice / 4 - 8 : choice / 4;
    return test::from_integer(type, value).bits;
  }
  if (specials && choice == 63) {
    const auto& special = test::special_values(type);
    return special[engine() % special.size()].bits;
  }
  return test::from_real(type, static_cast<long double>(choice % 33 - 16) / 4).bits;
}

}  // namespace

bool reads_data(const GraphDesc& graph) {
  return std::any_of(graph.ops.begin(), graph.ops.end(), [](const OpDesc& op) {
    return !is_generator(op) && static_cast<int>(op.kind) != iotadnn_graph_op_end;
  });
}

void fill_input(const frontends::TensorDesc& tensor, TensorMemory& memory, bool specials) {
  const auto bytes = static_cast<size_t>(frontends::bytes_of(tensor.data_type));
  if (bytes == 0) return;
  std::mt19937 engine(static_cast<uint32_t>(tensor.id) + 1);
  fill_elements(memory.data(), memory.bytes(), bytes,
                [&](size_t) { return random_element(tensor.data_type, specials, engine); });
}

Memories run_reference(const GraphDesc& graph, const PartitionRun& run, const Memories& memories,
                       const graph::engine& engine, graph::stream& stream,
                       const MemoryOptions& options) {
  const ScopedReference cap;
  PartitionRun reference = run;
  reference.compiled = run.partition.compile(run.inputs, run.outputs, engine);
  Memories own = memories;
  for (const graph::logical_tensor& lt : run.outputs)
    own.erase(lt.get_id());
  MemoryOptions apart = options;
  apart.inplace = false;
  make_tensors(graph, reference, own, engine, apart);
  reference.compiled.execute(stream, reference.input_tensors, reference.output_tensors);
  stream.wait();
  return own;
}

int64_t allowed_ulps(const GraphDesc& graph) {
  // A few for a chain of them, each of which doc/ops.md allows two at most.
  return std::any_of(graph.ops.begin(), graph.ops.end(), is_math) ? 8 : 0;
}

}  // namespace iotadnn::benchdnn
