// SPDX-License-Identifier: Apache-2.0
#include "frontends/model_fixture.h"
#include "fuzz/seeds.h"

namespace iotadnn::fuzz {
namespace {

using namespace models_test;  // NOLINT(google-build-using-namespace)

OnnxModel masked_scores() {
  OnnxModel model;
  model.input("x", iotadnn_f32, {-1, -1});
  model.initializer("zero", s64({}, {0}));
  model.initializer("one", s64({}, {1}));
  model.node("Shape", {"x"}, {"shape"}, {attr("start", 1)});
  model.node("Squeeze", {"shape"}, {"n"});
  model.node("Range", {"zero", "n", "one"}, {"columns"});
  model.node("Unsqueeze", {"columns", "axis"}, {"rows"});
  model.initializer("axis", s64({1}, {1}));
  model.node("LessOrEqual", {"columns", "rows"}, {"keep"});
  model.initializer("low", f32({}, {-1e30}));
  model.node("Where", {"keep", "x", "low"}, {"masked"});
  model.node("Softmax", {"masked"}, {"y"}, {attr("axis", -1)});
  model.output("y");
  return model;
}

OnnxModel with_function() {
  OnnxModel model;
  model.input("x", iotadnn_f32, {3, 3});
  model.node("Twice", {"x"}, {"y"});
  model.proto.mutable_graph()->mutable_node(0)->set_domain("here");
  auto* import = model.proto.add_opset_import();
  import->set_domain("here");
  import->set_version(1);
  auto* function = model.proto.add_functions();
  function->set_name("Twice");
  function->set_domain("here");
  function->add_input("a");
  function->add_output("b");
  *function->add_opset_import() = model.proto.opset_import(0);
  auto* node = function->add_node();
  node->set_op_type("Add");
  node->add_input("a");
  node->add_input("a");
  node->add_output("b");
  model.output("y");
  return model;
}

// All inputs but the first are constants of the file.
OnnxModel over(const std::string& kind, const std::vector<Tensor>& inputs,
               const std::vector<pb::AttributeProto>& attrs = {}, int64_t opset = 22) {
  OnnxModel model = one_node(kind, inputs, attrs, opset);
  for (size_t i = 1; i < inputs.size(); ++i)
    model.initializer("x" + std::to_string(i), inputs[i]);
  return model;
}

}  // namespace

std::vector<std::string> onnx_seeds() {
  const Tensor x = f32({3, 4}, std::vector<double>(12, 1));
  const Tensor three = s64({1}, {3});
  std::vector<OnnxModel> models = {
      masked_scores(),
      with_function(),
      over("EyeLike", {x}, {attr("k", 1), attr_type("dtype", iotadnn_f16)}),
      over("Trilu", {x, s64({}, {-1})}, {attr("upper", int64_t{0})}),
      over("OneHot", {s64({2}, {0, 2}), three, f32({2}, {0, 1})}, {attr("axis", -1)}),
      over("ConstantOfShape", {s64({2}, {2, 3})}, {attr("value", s64({1}, {7}))}),
      over("Slice", {x, s64({1}, {0}), s64({1}, {2}), s64({1}, {1}), s64({1}, {1})}),
      over("Split", {x}, {attr("axis", 1), attr("num_outputs", 1)}),
      over("Clip", {x, f32({}, {0}), f32({}, {2})}),
      over("ReduceSum", {x, s64({1}, {1})}, {attr("keepdims", int64_t{0})}),
      over("Gather", {x, s64({2}, {0, -1})}, {attr("axis", 1)}),
      over("Reshape", {x, s64({2}, {-1, 2})}),
      over("Expand", {f32({3, 1}, {1, 2, 3}), s64({2}, {3, 4})}),
      over("CumSum", {x, s64({}, {1})}, {attr("reverse", 1)}),
      over("MatMul", {x, f32({4, 2}, std::vector<double>(8, 1))}),
      over("Cast", {x}, {attr_type("to", iotadnn_s8)}),
      over("Transpose", {x}, {attr("perm", std::vector<int64_t>{1, 0})}),
      over("Softmax", {x}, {attr("axis", 1)}, 11),
      over("Unsqueeze", {x}, {attr("axes", std::vector<int64_t>{0})}, 11),
      over("Mod", {s64({2}, {7, -7}), s64({}, {3})}),
  };
  std::vector<std::string> bytes;
  for (const OnnxModel& model : models)
    bytes.push_back(model.proto.SerializeAsString());
  return bytes;
}

std::vector<std::string> onnx_tokens() {
  std::vector<std::string> tokens = {std::string(9, '\xff') + "\x01",
                                     std::string(4, '\xff'),
                                     std::string(1, '\0'),
                                     "\x7f",
                                     "\x80\x01",
                                     "axis",
                                     "axes",
                                     "k",
                                     "dtype",
                                     "x",
                                     "y",
                                     "to",
                                     "ai.onnx"};
  for (const char* kind : {"Add", "EyeLike", "Where", "Range", "Shape", "Gather", "Concat", "Loop",
                           "Reshape", "Split", "Constant", "Identity", "CastLike", "Equal"})
    tokens.emplace_back(kind);
  return tokens;
}

}  // namespace iotadnn::fuzz
