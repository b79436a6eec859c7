// SPDX-License-Identifier: Apache-2.0
// Models from files, in C++17: ONNX (.onnx), OpenVINO (.xml and .bin) and graphs of benchdnn
// (.json). Link iotadnn::models, which is not part of libiotadnn: find_package(iotadnn COMPONENTS
// models). doc/models.md says what is supported and how a model is run. Every failing call throws
// iotadnn::error, whose sentence names the node or value: invalid_graph for files,
// invalid_arguments for inputs that do not fit, and what the library itself answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

namespace iotadnn::models {

// An input or output of a model.
struct port {
  std::string name;
  iotadnn_data_type_t type;
  std::optional<std::vector<int64_t>> dims;  // as the file states them; -1 is unknown
};

// A dense row-major array.
struct array {
  iotadnn_data_type_t type = iotadnn_data_type_undef;
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes;
};

// A part of a run: a compiled partition, or one node on the interpreter.
struct step {
  std::vector<std::string> nodes;  // as the file names them
  std::string runner;              // "jit:avx512_core" and the like, or "interpreter"
  std::string reason;              // why it is interpreted; "" when it is compiled
};

// A model that runs any number of times, with any sizes that its inputs allow. Copies are the same
// object. By one thread at a time.
class model {
 public:
  // Reads a file; external data are looked for in its folder.
  explicit model(const std::string& path);

  [[nodiscard]] const std::vector<port>& inputs() const;
  [[nodiscard]] const std::vector<port>& outputs() const;

  // Arrays in the order of inputs(); results in the order of outputs().
  std::vector<array> run(const std::vector<array>& inputs);

  // The same on the interpreter alone.
  std::vector<array> run_reference(const std::vector<array>& inputs);

  // What runs for inputs of these shapes, in order.
  std::vector<step> plan(const std::vector<array>& inputs);

  // For inputs of these shapes, the ops that are left once shape arithmetic is folded, as a graph
  // that is not finalized. What the API has no op for is a Wildcard.
  graph::graph make_graph(const std::vector<array>& inputs);

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace iotadnn::models
