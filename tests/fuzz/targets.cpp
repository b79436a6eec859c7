// SPDX-License-Identifier: Apache-2.0
#include "fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"
#include "frontends/json/model_from_json.h"
#include "frontends/model/elements.h"
#include "frontends/model/session.h"
#include "frontends/onnx/reader.h"
#include "frontends/openvino/reader.h"
#include "fuzz/seeds.h"

namespace iotadnn::fuzz {
namespace {

using models::Dims;
using models::Model;
using models::Tensor;

// So that no input can ask for much memory or time.
constexpr size_t kLargestTensor = size_t{1} << 16;

void check_sentence(const char* sentence) {
  if (*sentence != '\0') return;
  std::fprintf(stderr, "a refusal without words\n");
  std::abort();
}

// Unknown extents become 3, elements small numbers, which are extents and axes as well as data.
Tensor small_input(const models::Value& value) {
  Dims dims = value.dims.value_or(Dims{3});
  for (int64_t& extent : dims)
    if (extent == models::kUnknownDim) extent = 3;
  Tensor made(value.type, dims);
  const auto store = models::storer<int64_t>(value.type);
  for (int64_t i = 0; i < made.count(); ++i)
    store(made.data(), i, 3 - i % 4);
  return made;
}

Outcome run_model(const Model& model) {
  try {
    std::vector<Tensor> inputs;
    for (const size_t value : model.inputs)
      inputs.push_back(small_input(model.values[value]));
    models::Session(model).run(inputs);
    return Outcome::ran;
  } catch (const frontends::GraphError& refused) {
    check_sentence(refused.what());
  } catch (const iotadnn::error& refused) {
    check_sentence(refused.what());
  }
  return Outcome::read;
}

Outcome run_reader(Model (*read)(std::string_view), std::string_view input) {
  models::set_largest_tensor(kLargestTensor);
  try {
    return run_model(read(input));
  } catch (const frontends::GraphError& refused) {
    check_sentence(refused.what());
  }
  return Outcome::refused;
}

Outcome run_onnx(std::string_view input) {
  return run_reader([](std::string_view bytes) { return models::read_onnx(bytes); }, input);
}

Outcome run_openvino(std::string_view input) {
  return run_reader(
      [](std::string_view both) {
        const size_t end = both.find('\0');
        const std::string xml(both.substr(0, end));
        return models::read_openvino(
            xml, end == std::string_view::npos ? std::string_view() : both.substr(end + 1));
      },
      input);
}

// As a graph of the API, and as a model that runs.
Outcome run_benchdnn_json(std::string_view input) {
  models::set_largest_tensor(kLargestTensor);
  try {
    const frontends::GraphDesc graph = frontends::read_benchdnn_json(input);
    try {
      (void)frontends::build_graph(graph, engine::kind::cpu);
      try {
        run_model(models::model_from_graph(graph));
      } catch (const frontends::GraphError& refused) {
        check_sentence(refused.what());
      }
      return Outcome::ran;
    } catch (const frontends::GraphError& refused) {
      check_sentence(refused.what());
    } catch (const iotadnn::error& refused) {
      check_sentence(refused.what());
    }
    return Outcome::read;
  } catch (const frontends::GraphError& refused) {
    check_sentence(refused.what());
  }
  return Outcome::refused;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"onnx", run_onnx, onnx_seeds, onnx_tokens},
      {"openvino", run_openvino, openvino_seeds, openvino_tokens},
      {"benchdnn_json", run_benchdnn_json, benchdnn_json_seeds, benchdnn_json_tokens},
  };
  return all;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets())
    if (name == target.name) return &target;
  return nullptr;
}

}  // namespace iotadnn::fuzz
