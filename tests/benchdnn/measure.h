// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "benchdnn/limit.h"
#include "benchdnn/measure_setup.h"
#include "benchdnn/partition_run.h"
#include "benchdnn/result.h"
#include "benchdnn/settings.h"

namespace iotadnn::benchdnn {

// The compiled partitions of a case with one set of tensors, as the C API takes them, so that a
// measurement holds nothing but the library's execute().
class Launch {
 public:
  explicit Launch(const std::vector<PartitionRun>& runs);

  // What another library does in place of the partitions.
  explicit Launch(std::function<void()> other) : other_(std::move(other)) {}

  // All partitions, one after another. Throws iotadnn::error.
  void execute(iotadnn_stream_t stream);

 private:
  struct One {
    graph::compiled_partition compiled;
    std::vector<graph::tensor> input_tensors;  // owners of the handles below
    std::vector<graph::tensor> output_tensors;
    std::vector<const_iotadnn_graph_tensor_t> inputs;
    std::vector<const_iotadnn_graph_tensor_t> outputs;
  };

  std::vector<One> ones_;
  std::function<void()> other_;
};

// What is measured by turns with the executions of a case.
struct Rivals {
  Meters meters;
  std::vector<Launch> unfused;   // the same graph, an op at a time; as many sets of tensors
  std::vector<Launch> compared;  // oneDNN's primitives, or another graph

  bool any() const { return !meters.empty() || !unfused.empty() || !compared.empty(); }
};

// Executes launches[0], launches[1], ... in turn (more than one: cold caches, and then each of them
// once before anything is timed), several executions per time stamp so that one stamp spans 20 us,
// until the budget or the number of executions of the settings is used up, after a warm-up. Between
// stamps every meter takes a sample and the other executions a stamp of their own, what is compared
// last: its next neighbours in time are executions of the case. All that counts against the budget.
PerfNumbers measure(std::vector<Launch>& launches, const std::vector<graph::stream>& streams,
                    Rivals& rivals, const GlobalSettings& global);

}  // namespace iotadnn::benchdnn
