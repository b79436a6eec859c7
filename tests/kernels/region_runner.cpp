// SPDX-License-Identifier: Apache-2.0
#include "kernels/region_runner.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using graph::logical_tensor;
using graph::op;
using graph::partition;
using graph::tensor;

// Ids of ops of the host follow those of the graph's.
constexpr size_t kHostOps = 1000;

logical_tensor::data_type type_of(int number) {
  return static_cast<logical_tensor::data_type>(number);
}

void set_attr(op& node, op::attr name, const RegionAttr& value) {
  std::visit([&](const auto& v) { node.set_attr(name, v); }, value);
}

// Distance in numbers of the type between two that are not NaN; zeros are one number.
uint64_t steps_between(int type, uint64_t a, uint64_t b) {
  const uint64_t sign = uint64_t{1} << (8 * type_bytes(type) - 1);
  const auto place = [sign](uint64_t bits) {
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
  };
  const auto distance = static_cast<uint64_t>(place(a)) - static_cast<uint64_t>(place(b));
  return std::min(distance, uint64_t{0} - distance);
}

bool agree(const RegionValue& v, bool strict, uint64_t want, uint64_t got) {
  if (want == got) return true;
  if (!is_floating(v.type)) return false;
  const bool nan = is_nan({v.type, want});
  if (nan || is_nan({v.type, got})) return nan == is_nan({v.type, got});
  // doc/ops.md: both are within 0.51 of the exact result, or, in f64, in 1 or 2.
  if (strict && !v.is_math) return false;
  const uint64_t allowed = !v.is_math ? 0 : v.type == iotadnn_f64 ? 4 : 1;
  return steps_between(v.type, want, got) <= allowed;
}

// A guarded buffer in pages that small buffers take in turn: mapping new ones for each takes longer
// than all that is done with them.
std::shared_ptr<GuardedBuffer> pooled_buffer(size_t bytes, Placement placement) {
  constexpr size_t kRoom = 16384;
  static std::vector<std::unique_ptr<GuardedBuffer>> unused;
  if (bytes > kRoom) return std::make_shared<GuardedBuffer>(bytes, placement);
  if (unused.empty()) unused.push_back(std::make_unique<GuardedBuffer>(kRoom, placement));
  std::unique_ptr<GuardedBuffer> taken = std::move(unused.back());
  unused.pop_back();
  taken->place(bytes, placement);
  return {taken.release(), [](GuardedBuffer* buffer) { unused.emplace_back(buffer); }};
}

// Forces the strategy for its lifetime.
class ScopedStrategy {
 public:
  explicit ScopedStrategy(const std::string& text) {
    if (iotadnn_set_strategy(text.c_str()) != iotadnn_success)
      throw std::runtime_error("strategy " + text + " is refused");
  }

  ~ScopedStrategy() { iotadnn_set_strategy(""); }

  ScopedStrategy(const ScopedStrategy&) = delete;
  ScopedStrategy& operator=(const ScopedStrategy&) = delete;
};

}  // namespace

RegionRunner::RegionRunner(const RandomRegion& region, Placement placement)
    : region_(region), placement_(placement) {
  for (size_t id = 0; id < region_.values.size(); ++id)
    if (region_.values[id].is_input) inputs_[id] = memory_of(id, &region_.values[id].bits);
  partitions_ =
      build().get_partitions(region.fusion ? partition::policy::fusion : partition::policy::debug);
}

logical_tensor RegionRunner::tensor_of(size_t id, bool known) const {
  const RegionValue& v = region_.values[id];
  if (v.host_scalar)
    return {id, type_of(v.type), 0, logical_tensor::layout_type::strided,
            logical_tensor::property_type::host_scalar};
  if (known) return {id, type_of(v.type), v.dims, v.strides};
  if (v.known_extents != 0) {
    Extents dims(v.dims.size(), IOTADNN_GRAPH_UNKNOWN_DIM);
    for (size_t d = 0; d < dims.size(); ++d)
      if ((v.known_extents >> d & 1u) != 0) dims[d] = v.dims[d];
    return {id, type_of(v.type), dims, Extents(dims.size(), IOTADNN_GRAPH_UNKNOWN_DIM)};
  }
  return {id, type_of(v.type), static_cast<int32_t>(v.dims.size()),
          logical_tensor::layout_type::strided};
}

graph::graph RegionRunner::build() const {
  graph::graph g(engine::kind::cpu);
  if (region_.strict) g.set_math_mode(graph::graph::math_mode::strict_bits);
  const auto in_graph = [this](size_t id) {
    return tensor_of(id, region_.values[id].known_in_graph);
  };
  for (size_t i = 0; i < region_.ops.size(); ++i) {
    const RegionOp& made = region_.ops[i];
    op node(i, made.kind, name_of_kind(made.kind) + std::to_string(i));
    for (const size_t v : made.inputs)
      node.add_input(in_graph(v));
    node.add_output(in_graph(made.output));
    for (const auto& [name, value] : made.attrs)
      set_attr(node, name, value);
    g.add_op(node);
  }
  for (const size_t v : region_.extra_outputs)
    g.add_op(op(kHostOps + v, op::kind::Wildcard, {in_graph(v)}, {}, "host"));
  g.finalize();
  return g;
}

// The partition, or what stands for an op of the host: the same op on its own.
partition RegionRunner::compilable(const partition& p) const {
  if (p.is_supported()) return p;
  const std::vector<size_t> ops = p.get_ops();
  const bool alone = p.get_reason().find("so it stays with the host") != std::string::npos ||
                     p.get_reason().find("cannot join") != std::string::npos ||
                     p.get_reason().find("a reshape is fused when") != std::string::npos;
  if (ops.size() != 1 || !alone) throw std::runtime_error("unsupported: " + p.get_reason());
  if (singles_.empty()) singles_ = build().get_partitions(partition::policy::debug);
  for (const partition& single : singles_)
    if (single.get_ops() == ops && single.is_supported()) return single;
  throw std::runtime_error("unsupported under debug: " + p.get_reason());
}

RegionRunner::Memory RegionRunner::memory_of(size_t id, const std::vector<uint64_t>* bits) const {
  const RegionValue& v = region_.values[id];
  const TensorSpec spec{v.type, v.dims, v.strides};
  Memory memory;
  memory.buffer = pooled_buffer(static_cast<size_t>(spec.span_bytes()), placement_);
  memory.data = memory.buffer->data();
  if (bits == nullptr) return memory;
  const auto bytes = static_cast<size_t>(type_bytes(v.type));
  size_t next = 0;
  for_each_element(v.dims, v.strides, [&](const Extents&, int64_t offset) {
    std::memcpy(static_cast<char*>(memory.data) + static_cast<size_t>(offset) * bytes,
                &(*bits)[next++], bytes);
    return true;
  });
  return memory;
}

std::vector<uint64_t> RegionRunner::elements(size_t id, const void* data) const {
  const RegionValue& v = region_.values[id];
  const auto bytes = static_cast<size_t>(type_bytes(v.type));
  std::vector<uint64_t> bits;
  for_each_element(v.dims, v.strides, [&](const Extents&, int64_t offset) {
    uint64_t element = 0;
    std::memcpy(&element, static_cast<const char*>(data) + static_cast<size_t>(offset) * bytes,
                bytes);
    bits.push_back(element);
    return true;
  });
  return bits;
}

namespace {

bool sums_or_gathers(graph::op::kind kind) {
  return kind == graph::op::kind::MatMul || kind == graph::op::kind::ReduceSum ||
         kind == graph::op::kind::Gather;
}

// Whether it is a MatMul of operands without elements.
bool sums_nothing(const RandomRegion& region, size_t i) {
  const RegionOp& op = region.ops[i];
  return op.kind == graph::op::kind::MatMul &&
         std::any_of(op.inputs.begin(), op.inputs.end(), [&](size_t v) {
           const auto& dims = region.values[v].dims;
           return std::find(dims.begin(), dims.end(), 0) != dims.end();
         });
}

}  // namespace

void RegionRunner::run_partition(const partition& given, const NamedIsa& isa, ImplCounts& impls,
                                 std::map<size_t, Memory>& memory, RegionResults& results,
                                 const RegionResults& given_results) const {
  const partition p = compilable(given);
  std::vector<logical_tensor> inputs;
  std::vector<logical_tensor> outputs;
  for (const logical_tensor& port : p.get_input_ports())
    inputs.push_back(tensor_of(port.get_id(), region_.values[port.get_id()].known_at_compile));
  for (const logical_tensor& port : p.get_output_ports())
    outputs.push_back(tensor_of(port.get_id(), region_.values[port.get_id()].known_at_compile));
  const graph::compiled_partition compiled = p.compile(inputs, outputs, engine_);
  const std::string impl = compiled.get_impl();
  // Without a program are only reshapes of unknown shapes and outputs that turn out to differ in
  // shape at compile.
  const bool all_known = std::all_of(region_.values.begin(), region_.values.end(),
                                     [](const RegionValue& v) { return v.known_in_graph; });
  // Sums and gathers alone, under the debug policy, and what no primitive of oneDNN computes.
  const std::vector<size_t> ops = p.get_ops();
  const bool is_summing =
      (ops.size() == 1 && sums_or_gathers(region_.ops[ops.front()].kind)) ||
      std::any_of(ops.begin(), ops.end(), [&](size_t i) { return sums_nothing(region_, i); });
  ++impls[std::string(isa.name) + (is_summing ? " summing ran " : " ran ") + impl];
  const bool is_primitive = impl.rfind("onednn", 0) == 0;
  if (impl != isa.impl && !(is_summing && impl == "reference") && !is_primitive &&
      (all_known || impl != "reference"))
    throw std::runtime_error(impl + " ran under the cap " + isa.name);

  std::map<size_t, void*> shared;  // buffers of outputs by the input that is read from there
  std::vector<tensor> sources;
  std::vector<tensor> results_of;
  for (const logical_tensor& out : outputs)
    memory[out.get_id()] = memory_of(out.get_id(), nullptr);
  if (region_.in_place)
    for (const auto& [in, out] : compiled.get_inplace_ports()) {
      const std::vector<uint64_t> bits = elements(in, memory.at(in).data);
      memory[out] = memory_of(out, &bits);
      shared[in] = memory[out].data;
    }
  for (const logical_tensor& in : inputs) {
    const size_t id = in.get_id();
    Memory& from = memory.at(id);
    if (region_.values[id].host_scalar)
      sources.push_back(tensor::make_scalar_tensor(tensor_of(id, true), from.data));
    else
      sources.emplace_back(tensor_of(id, true), engine_,
                           shared.count(id) != 0 ? shared[id] : from.data);
  }
  for (const logical_tensor& out : outputs)
    results_of.emplace_back(tensor_of(out.get_id(), true), engine_, memory[out.get_id()].data);
  stream s(engine_);
  compiled.execute(s, sources, results_of);
  s.wait();

  for (const logical_tensor& out : outputs) {
    const size_t id = out.get_id();
    const RegionValue& v = region_.values[id];
    const auto gaps = memory[id].buffer->gaps_intact(v.dims, v.strides, type_bytes(v.type));
    if (!gaps) throw std::runtime_error("output " + std::to_string(id) + ": " + gaps.message());
    const auto exact = given_results.find(id);
    results[id] = is_primitive && exact != given_results.end() ? exact->second
                                                               : elements(id, memory[id].data);
  }
}

RegionResults RegionRunner::run(const NamedIsa& isa, ImplCounts& impls,
                                const RegionResults& given) const {
  const ScopedMaxCpuIsa cap(isa.isa);
  const ScopedStrategy strategy(region_.strategy);
  std::map<size_t, Memory> memory = inputs_;
  RegionResults results;
  for (const partition& p : partitions_) {
    if (p.get_ops().front() >= kHostOps) continue;
    run_partition(p, isa, impls, memory, results, given);
    for (const logical_tensor& out : p.get_output_ports())
      if (const auto found = given.find(out.get_id()); found != given.end())
        memory[found->first] = memory_of(found->first, &found->second);
  }
  for (const auto& [id, input] : inputs_)
    if (elements(id, input.data) != region_.values[id].bits)
      throw std::runtime_error("input " + std::to_string(id) + " was written to");
  return results;
}

std::string differences(const RandomRegion& region, const RegionResults& want,
                        const RegionResults& got) {
  for (const auto& [id, wanted] : want) {
    const auto found = got.find(id);
    if (found == got.end()) return "value " + std::to_string(id) + " is missing";
    const RegionValue& v = region.values[id];
    int64_t wrong = 0;
    std::string first;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (agree(v, region.strict, wanted[i], found->second[i])) continue;
      if (wrong++ == 0)
        first = "element " + std::to_string(i) + " (row-major) is " +
                text_of({v.type, found->second[i]}) + " instead of " + text_of({v.type, wanted[i]});
    }
    if (wrong > 0)
      return "value " + std::to_string(id) + " of shape " + dims_text(v.dims) + ": " +
             std::to_string(wrong) + " of " + std::to_string(wanted.size()) +
             " elements are wrong; " + first;
  }
  return "";
}

}  // namespace iotadnn::test
