// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/check_results.h"

#include <algorithm>
#include <set>

#include "benchdnn/expectation.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using graph::logical_tensor;

void add(CompareResult& sum, const CompareResult& one) {
  sum.errors += one.errors;
  sum.total += one.total;
  sum.zeros += one.zeros;
}

std::string name_of_output(const PartitionRun& run, const logical_tensor& lt) {
  return run.outputs.size() == 1 ? "DST" : "DST_" + std::to_string(lt.get_id());
}

TensorView view_in(const Memories& memories, const logical_tensor& lt) {
  return view_of(lt, memories.at(lt.get_id())->data());
}

}  // namespace

std::optional<size_t> output_without_oracle(const GraphDesc& graph, const PartitionRun& run,
                                            const Memories& memories) {
  for (const logical_tensor& lt : run.outputs)
    if (!expectation_of(graph, lt.get_id(), memories)) return lt.get_id();
  return std::nullopt;
}

CompareResult compare_outputs(const GraphDesc& graph, const PartitionRun& run,
                              const Memories& memories, int64_t verbose) {
  CompareResult sum;
  for (const logical_tensor& lt : run.outputs)
    add(sum, compare(view_in(memories, lt), *expectation_of(graph, lt.get_id(), memories),
                     name_of_output(run, lt), verbose));
  return sum;
}

CompareResult compare_with_values(const GraphDesc& graph, const PartitionRun& run,
                                  const Memories& memories, int64_t verbose) {
  CompareResult sum;
  for (const logical_tensor& lt : run.outputs) {
    const frontends::TensorDesc& tensor = graph.tensors.at(lt.get_id());
    if (!tensor.value) continue;
    TensorView got = view_in(memories, lt);
    TensorView want = got;
    want.strides = frontends::dense_strides(got.dims).value_or(got.strides);
    std::vector<unsigned char> bytes(static_cast<size_t>(got.elements()) *
                                     static_cast<size_t>(frontends::bytes_of(got.data_type)));
    write_value(tensor, bytes.data());
    want.data = bytes.data();
    add(sum, compare_numbers(got, want, name_of_output(run, lt) + "_VALUE", {}, verbose));
  }
  return sum;
}

CompareResult compare_with_reference(const PartitionRun& run, const Memories& memories,
                                     const Memories& expected, const Tolerances& tolerances,
                                     int64_t verbose) {
  CompareResult sum;
  for (const logical_tensor& lt : run.outputs)
    add(sum, compare_numbers(view_in(memories, lt), view_in(expected, lt), name_of_output(run, lt),
                             tolerances.at(lt.get_id()), verbose));
  return sum;
}

CompareResult compare_executions(const PartitionRun& run, const Memories& first,
                                 const Memories& second, int64_t verbose) {
  CompareResult sum;
  for (const logical_tensor& lt : run.outputs)
    add(sum,
        compare_bits(view_in(second, lt), view_in(first, lt), name_of_output(run, lt), verbose));
  return sum;
}

std::string damage_of(const GraphDesc& graph, const PartitionRun& run, const Memories& memories,
                      bool inputs_filled) {
  std::set<size_t> written;
  for (const auto& [input, output] : run.inplace)
    written.insert(input);
  for (const logical_tensor& lt : run.outputs) {
    written.insert(lt.get_id());
    const TensorView view = view_of(lt, nullptr);
    const std::string damage = memories.at(lt.get_id())->damage(&view);
    if (!damage.empty()) return "output tensor " + std::to_string(lt.get_id()) + ": " + damage;
  }
  for (const logical_tensor& lt : run.inputs) {
    const auto memory = memories.find(lt.get_id());
    const bool has_content = inputs_filled || graph.tensors.at(lt.get_id()).value ||
                             graph.producer_of(lt.get_id()) != nullptr;
    if (memory == memories.end() || written.count(lt.get_id()) > 0 || has_content) continue;
    const std::string damage = memory->second->damage(nullptr);
    if (!damage.empty()) return "input tensor " + std::to_string(lt.get_id()) + ": " + damage;
  }
  return "";
}

}  // namespace iotadnn::benchdnn
