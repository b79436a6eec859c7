// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/reader.h"

#include <climits>
#include <filesystem>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <set>

#include "frontends/files/file.h"
#include "frontends/model/error.h"
#include "frontends/onnx/graph_reader.h"
#include "frontends/onnx/tensor_proto.h"

namespace iotadnn::models {
namespace {

struct Shape {
  std::optional<Dims> dims;
  std::vector<std::string> symbols;
};

Shape shape_from_onnx(const pb::TypeProto::Tensor& type, const std::string& where) {
  if (!type.has_shape()) return {};
  Shape shape{Dims(), {}};
  for (const auto& dim : type.shape().dim()) {
    shape.dims->push_back(dim.has_dim_value() ? dim.dim_value() : kUnknownDim);
    shape.symbols.push_back(dim.has_dim_value() ? "" : dim.dim_param());
    if (dim.has_dim_value() && dim.dim_value() < 0)
      throw ModelError(where + ": extent " + std::to_string(dim.dim_value()) +
                       ", allowed: 0 and more");
  }
  return shape;
}

void read_input(const pb::ValueInfoProto& info, OnnxScope& scope) {
  const std::string where = "input '" + info.name() + "'";
  if (!info.type().has_tensor_type())
    throw ModelError(where +
                     ": it is no tensor; sequences, maps and optional values are not "
                     "supported");
  const pb::TypeProto::Tensor& type = info.type().tensor_type();
  Shape shape = shape_from_onnx(type, where);
  const size_t value =
      scope.builder().add_input(info.name(), data_type_from_onnx(type.elem_type(), where),
                                std::move(shape.dims), std::move(shape.symbols));
  scope.define(info.name(), value, where);
}

// What the file says of an output's type must be so; its shape is what the model says where the
// extents are known.
void read_output(const pb::ValueInfoProto& info, OnnxScope& scope) {
  const std::string where = "output '" + info.name() + "'";
  const size_t value = scope.find(info.name(), where);
  if (info.type().has_tensor_type() && info.type().tensor_type().elem_type() != 0) {
    const DataType stated = data_type_from_onnx(info.type().tensor_type().elem_type(), where);
    const DataType computed = scope.builder().type_of(value);
    if (stated != computed)
      throw ModelError(where + ": the file states type " + type_text(stated) + ", computed is " +
                       type_text(computed));
    scope.builder().state_dims(value, shape_from_onnx(info.type().tensor_type(), where).dims);
  }
  scope.builder().add_output(info.name(), value);
}

void check_model(const pb::ModelProto& proto) {
  if (!proto.has_graph()) throw ModelError("the model has no graph");
  if (proto.opset_import_size() == 0 && proto.ir_version() >= 3)
    throw ModelError("the model names no operator set");
}

}  // namespace

Model read_onnx(const pb::ModelProto& proto, const std::string& folder) {
  check_model(proto);
  const pb::GraphProto& graph = proto.graph();
  ModelBuilder builder;
  const OnnxFunctions functions(proto);
  OnnxData data(folder, proto.ByteSizeLong());
  OnnxScope scope(builder, functions, data, opsets_of(proto.opset_import(), "the model"));
  builder.model().name = graph.name();
  builder.model().format = "ONNX, opset " + std::to_string(scope.opset(""));
  std::set<std::string> initializers;
  for (const pb::TensorProto& tensor : graph.initializer()) {
    initializers.insert(tensor.name());
    const std::string where = "initializer '" + tensor.name() + "'";
    scope.define(tensor.name(), builder.add_constant(data.read(tensor, where), tensor.name()),
                 where);
  }
  if (graph.sparse_initializer_size() > 0)
    throw ModelError("initializer '" + graph.sparse_initializer(0).values().name() +
                     "': sparse tensors are not supported");
  // Up to IR version 3 initializers are inputs, too: their values stand.
  for (const pb::ValueInfoProto& info : graph.input())
    if (initializers.count(info.name()) == 0) read_input(info, scope);
  scope.read_nodes(graph.node());
  std::set<std::string> outputs;
  for (const pb::ValueInfoProto& info : graph.output()) {
    if (!outputs.insert(info.name()).second)
      throw ModelError("output '" + info.name() + "' is listed twice");
    read_output(info, scope);
  }
  if (graph.output_size() == 0) throw ModelError("the graph has no outputs");
  return builder.finish();
}

Model read_onnx(std::string_view bytes, const std::string& folder) {
  if (bytes.size() > INT_MAX)
    throw ModelError("the file has " + std::to_string(bytes.size()) +
                     " bytes, a message of protobuf has less than 2^31");
  google::protobuf::io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream stream(&array);
  pb::ModelProto proto;
  if (!proto.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    throw ModelError("this is no ONNX model: its bytes are no message of protobuf, or end early");
  return read_onnx(proto, folder);
}

Model read_onnx_file(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return read_onnx(read_file(path, INT_MAX), folder.empty() ? "." : folder);
}

}  // namespace iotadnn::models
