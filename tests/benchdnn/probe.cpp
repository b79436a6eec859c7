// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/probe.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "benchdnn/expectation.h"
#include "frontends/names.h"
#include "support/numbers.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

using graph::logical_tensor;

uint64_t mixed(uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15u;
  return (number ^ number >> 29) * 0xbf58476d1ce4e5b9u >> 20;
}

// Bits of a type's numbers: where the mantissa and the exponent of a floating-point one are.
struct FloatFormat {
  unsigned mantissa;
  unsigned exponent;
};

FloatFormat format_of(int type) {
  switch (type) {
    case iotadnn_bf16:
      return {7, 8};
    case iotadnn_f16:
      return {10, 5};
    case iotadnn_f64:
      return {52, 11};
    default:
      return {23, 8};
  }
}

// Between 1 and 2.
uint64_t some_number(const FloatFormat& format, uint64_t random) {
  const uint64_t bias = (uint64_t{1} << (format.exponent - 1)) - 1;
  return bias << format.mantissa | (random & ((uint64_t{1} << format.mantissa) - 1));
}

// Between 2 and 4.
uint64_t some_other_number(const FloatFormat& format, uint64_t random) {
  return some_number(format, random) + (uint64_t{1} << format.mantissa);
}

// Quiet, of either sign.
uint64_t some_nan(const FloatFormat& format, uint64_t random) {
  const uint64_t payload = random & ((uint64_t{1} << (format.mantissa - 1)) - 1);
  const uint64_t quiet_infinity = ((uint64_t{2} << format.exponent) - 1) << (format.mantissa - 1);
  const unsigned sign_bit = format.mantissa + format.exponent;
  return (random >> 40 & 1) << sign_bit | quiet_infinity | payload;
}

enum class Filling { first, second, second_finite };

// Element `index` of an input.
uint64_t element(int type, uint64_t index, Filling filling) {
  const bool second = filling != Filling::first;
  const uint64_t random = mixed(index);
  if (test::is_boolean(type)) return (random & 1) ^ (second ? 1 : 0);
  if (!test::is_floating(type)) {
    const auto number = static_cast<int64_t>(random % 16);
    return test::from_integer(type, second ? number + 16 : number).bits;
  }
  const FloatFormat format = format_of(type);
  if (filling == Filling::second_finite) return some_other_number(format, random);
  return second ? some_nan(format, random) : some_number(format, random);
}

void fill(iotadnn_data_type_t type, char* data, size_t size, Filling filling) {
  fill_elements(data, size, static_cast<size_t>(frontends::bytes_of(type)),
                [&](size_t i) { return element(type, i, filling); });
}

std::vector<bool> owned_elements(const TensorView& view, size_t bytes) {
  const auto element = static_cast<size_t>(frontends::bytes_of(view.data_type));
  if (static_cast<size_t>(view.elements()) * element == bytes) return {};
  std::vector<bool> owned(bytes / element, false);
  test::for_each_element(view.dims, view.strides, [&](const std::vector<int64_t>&, int64_t offset) {
    owned[static_cast<size_t>(offset)] = true;
    return true;
  });
  return owned;
}

Relation relation_of(const TensorView& input, const TensorView& output) {
  if (input.elements() != output.elements()) return Relation::whole;
  const bool aligned = input.data_type == output.data_type && input.dims == output.dims &&
                       input.strides == output.strides;
  return aligned ? Relation::aligned : Relation::full;
}

bool has_content_of_its_own(const frontends::GraphDesc& graph, const logical_tensor& lt) {
  return lt.get_property_type() == logical_tensor::property_type::host_scalar ||
         graph.tensors.at(lt.get_id()).value.has_value();
}

class Prober {
 public:
  Prober(const frontends::GraphDesc& graph, const PartitionRun& run, const Memories& memories,
         const graph::engine& engine)
      : graph_(graph),
        run_(run),
        memories_(memories),
        engine_(engine),
        finite_(graph.math_mode == iotadnn_graph_math_mode_finite) {}

  // nullopt where the executions would not tell what of an input is read.
  std::optional<ProbedRun> run() {
    for (size_t i = 0; i < run_.inputs.size(); ++i)
      add_input(i);
    for (const logical_tensor& lt : run_.outputs)
      add_output(lt);
    if (finite_ && sums_an_input()) return std::nullopt;
    execute(inputs_, [](ProbedOutput& output, const char* data) { output.base = data; });
    for (size_t i = 0; i < read_.size(); ++i) {
      std::vector<graph::tensor> varied = inputs_;
      varied[ports_[i]] = second_[i];
      execute(varied,
              [](ProbedOutput& output, const char* data) { output.varied.push_back(data); });
    }
    return std::move(probed_);
  }

 private:
  char* new_buffer(size_t bytes) {
    probed_.buffers.push_back(std::make_shared<TensorMemory>(bytes));
    return static_cast<char*>(probed_.buffers.back()->data());
  }

  char* filled_buffer(const logical_tensor& lt, Filling filling) {
    char* const data = new_buffer(lt.get_mem_size());
    fill(lt.get().data_type, data, lt.get_mem_size(), filling);
    return data;
  }

  void add_input(size_t port) {
    const logical_tensor& lt = run_.inputs[port];
    if (has_content_of_its_own(graph_, lt)) {
      inputs_.push_back(run_.input_tensors[port]);
      return;
    }
    char* const first = filled_buffer(lt, Filling::first);
    inputs_.emplace_back(lt, engine_, first);
    if (!is_read(graph_, lt.get_id())) return;
    char* const second = filled_buffer(lt, finite_ ? Filling::second_finite : Filling::second);
    ProbedInput input;
    input.first = first;
    input.second = second;
    input.bytes = lt.get_mem_size();
    input.element_bytes = static_cast<size_t>(frontends::bytes_of(lt.get().data_type));
    input.data = static_cast<const char*>(memories_.at(lt.get_id())->data());
    probed_.inputs.push_back(input);
    read_.push_back(lt);
    ports_.push_back(port);
    second_.emplace_back(lt, engine_, second);
  }

  void add_output(const logical_tensor& lt) {
    const TensorView view = view_of(lt, nullptr);
    ProbedOutput output;
    output.bytes = lt.get_mem_size();
    output.element_bytes = static_cast<size_t>(frontends::bytes_of(view.data_type));
    output.data = static_cast<char*>(memories_.at(lt.get_id())->data());
    output.owned = owned_elements(view, output.bytes);
    for (const logical_tensor& input : read_)
      output.relation.push_back(relation_of(view_of(input, nullptr), view));
    probed_.outputs.push_back(std::move(output));
  }

  // A sum that an identity picks a term of reads that term alone, when all are promised finite.
  bool sums_an_input() const {
    const int64_t most = elements_of(run_.outputs.front());
    return std::any_of(read_.begin(), read_.end(),
                       [most](const logical_tensor& lt) { return elements_of(lt) > most; });
  }

  static int64_t elements_of(const logical_tensor& lt) { return view_of(lt, nullptr).elements(); }

  template <class Keep>
  void execute(const std::vector<graph::tensor>& inputs, Keep keep) {
    std::vector<graph::tensor> outputs;
    for (size_t i = 0; i < run_.outputs.size(); ++i) {
      char* const data = new_buffer(run_.outputs[i].get_mem_size());
      outputs.emplace_back(run_.outputs[i], engine_, data);
      keep(probed_.outputs[i], data);
    }
    graph::stream stream(engine_);
    run_.compiled.execute(stream, inputs, outputs);
    stream.wait();
  }

  const frontends::GraphDesc& graph_;
  const PartitionRun& run_;
  const Memories& memories_;
  const graph::engine& engine_;
  const bool finite_;  // promised by the graph's math mode
  ProbedRun probed_;
  std::vector<graph::tensor> inputs_;  // of all ports, with the first contents
  // Beside probed_.inputs:
  std::vector<logical_tensor> read_;
  std::vector<size_t> ports_;
  std::vector<graph::tensor> second_;
};

}  // namespace

std::optional<ProbedRun> probe(const frontends::GraphDesc& graph, const PartitionRun& run,
                               const Memories& memories, const graph::engine& engine) {
  try {
    return Prober(graph, run, memories, engine).run();
  } catch (const error&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace iotadnn::benchdnn
