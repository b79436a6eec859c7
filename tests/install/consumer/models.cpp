// SPDX-License-Identifier: Apache-2.0
// Writes a graph file, and runs it as a model with two sizes.
#include "iotadnn/models.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

constexpr char kGraph[] = R"({"graph": [{"id": 0, "name": "eye", "kind": "EyeLike",
  "attrs": {"k": {"type": "s64", "value": 1}},
  "inputs": [{"id": 0, "dtype": "f32", "shape": [-9223372036854775808, -9223372036854775808]}],
  "outputs": [{"id": 1, "dtype": "s32"}]}]})";

bool is_right(iotadnn::models::model& model, int64_t rows, int64_t columns) {
  iotadnn::models::array like{iotadnn_f32, {rows, columns}, {}};
  like.bytes.resize(static_cast<size_t>(rows * columns) * sizeof(float));
  const auto result = model.run({like}).at(0);
  if (result.bytes != model.run_reference({like}).at(0).bytes) return false;
  for (int64_t i = 0; i < rows * columns; ++i) {
    int32_t value = 0;
    std::memcpy(&value, result.bytes.data() + static_cast<size_t>(i) * sizeof value, sizeof value);
    if (value != (i % columns - i / columns == 1 ? 1 : 0)) return false;
  }
  return model.plan({like}).at(0).nodes.at(0) == "eye" &&
         model.make_graph({like}).add_op(
             iotadnn::graph::op(9, iotadnn::graph::op::kind::Wildcard)) == iotadnn::status::success;
}

}  // namespace

int main() {
  try {
    iotadnn::models::model gone("there_is_no_such_file.onnx");
    return 1;
  } catch (const iotadnn::error& error) {
    if (error.status != iotadnn_invalid_graph) return 1;
  }
  const char* path = "consumer_models.json";
  std::ofstream(path) << kGraph;
  iotadnn::models::model model(path);
  std::remove(path);
  if (model.inputs().at(0).dims->at(0) != -1 || model.outputs().at(0).type != iotadnn_s32) return 1;
  return is_right(model, 3, 4) && is_right(model, 2, 2) ? 0 : 1;
}
