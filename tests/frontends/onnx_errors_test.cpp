// SPDX-License-Identifier: Apache-2.0
// What the ONNX reader refuses: a sentence that names the node or value and the cause.
#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/files/load.h"
#include "frontends/model/error.h"
#include "frontends/model_fixture.h"
#include "frontends/onnx/reader.h"
#include "support/mutate.h"

namespace iotadnn::models_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

OnnxModel eye_like(const std::vector<pb::AttributeProto>& attrs = {}) {
  return one_node("EyeLike", {f32({2, 2}, {0, 0, 0, 0})}, attrs);
}

// The sentence with which a model is refused at the first run with random inputs of its shapes.
std::string refusal_at_run(const OnnxModel& model, const std::vector<Tensor>& inputs) {
  try {
    const Model read = model.read();
    models::Session(read).run(inputs);
    return "";
  } catch (const models::ModelError& error) {
    return error.what();
  }
}

TEST(OnnxErrors, NoModel) {
  const auto refusal = [](const std::string& bytes) {
    try {
      static_cast<void>(models::read_onnx(bytes));
      return std::string();
    } catch (const models::ModelError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(refusal("this is text"), HasSubstr("no ONNX model"));
  EXPECT_THAT(refusal(""), HasSubstr("the model has no graph"));
  const std::string whole = eye_like().proto.SerializeAsString();
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 3)), HasSubstr("end early"));
}

TEST(OnnxErrors, OperatorSets) {
  EXPECT_THAT(one_node("Abs", {f32({1}, {1})}, {}, 6).refusal(), HasSubstr("opset 6"));
  EXPECT_THAT(one_node("EyeLike", {f32({1, 1}, {1})}, {}, 8).refusal(),
              AllOf(HasSubstr("'the_EyeLike' (EyeLike)"), HasSubstr("the op is of opset 9")));
  OnnxModel none;
  none.proto.clear_opset_import();
  EXPECT_THAT(none.refusal(), HasSubstr("names no operator set"));
}

TEST(OnnxErrors, OpsOutsideOfTheTable) {
  EXPECT_THAT(one_node("Loop", {f32({1}, {1})}).refusal(),
              AllOf(HasSubstr("node 'the_Loop' (Loop)"), HasSubstr("control flow")));
  EXPECT_THAT(one_node("LSTM", {f32({1}, {1})}).refusal(), HasSubstr("not supported"));
  OnnxModel foreign = eye_like();
  foreign.proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
  EXPECT_THAT(foreign.refusal(), HasSubstr("domain 'com.example'"));
}

TEST(OnnxErrors, Attributes) {
  EXPECT_THAT(eye_like({attr("diagonal", 1)}).refusal(),
              AllOf(HasSubstr("the_EyeLike"), HasSubstr("attribute 'diagonal' is not known")));
  EXPECT_THAT(eye_like({attr_real("k", 1)}).refusal(),
              AllOf(HasSubstr("attribute 'k' has type FLOAT"), HasSubstr("allowed: INT")));
  EXPECT_THAT(eye_like({attr("k", 1), attr("k", 2)}).refusal(), HasSubstr("given twice"));
  EXPECT_THAT(eye_like({attr("dtype", 14)}).refusal(),
              AllOf(HasSubstr("attribute 'dtype'"), HasSubstr("COMPLEX64")));
  EXPECT_THAT(eye_like({attr("dtype", 8)}).refusal(), HasSubstr("STRING"));
  EXPECT_THAT(eye_like({attr("dtype", 4711)}).refusal(), HasSubstr("4711"));
  EXPECT_THAT(one_node("Cast", {f32({1}, {1})}).refusal(), HasSubstr("'to' is missing"));
  EXPECT_THAT(one_node("Concat", {f32({1}, {1})}).refusal(), HasSubstr("'axis' is missing"));
}

TEST(OnnxErrors, InputsAndTypes) {
  EXPECT_THAT(one_node("Add", {f32({1}, {1})}).refusal(), HasSubstr("1 inputs, allowed: 2"));
  EXPECT_THAT(one_node("Add", {f32({1}, {1}), Tensor(), f32({1}, {1})}).refusal(),
              HasSubstr("3 inputs"));
  EXPECT_THAT(one_node("Add", {f32({1}, {1}), s64({1}, {1})}).refusal(),
              AllOf(HasSubstr("input 1 has type s64"), HasSubstr("f32")));
  EXPECT_THAT(one_node("Where", {f32({1}, {1}), f32({1}, {1}), f32({1}, {1})}).refusal(),
              HasSubstr("input 0 has type f32, allowed: boolean"));
  EXPECT_THAT(one_node("Trilu", {f32({1, 1}, {1}), f32({}, {1})}).refusal(),
              HasSubstr("input 1 has type f32, allowed: s32, s64"));
  OnnxModel strings = eye_like();
  strings.proto.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(8);
  EXPECT_THAT(strings.refusal(), AllOf(HasSubstr("input 'x0'"), HasSubstr("STRING")));
  OnnxModel sequence = eye_like();
  sequence.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type();
  EXPECT_THAT(sequence.refusal(), HasSubstr("no tensor"));
}

TEST(OnnxErrors, Names) {
  OnnxModel unknown = eye_like();
  unknown.proto.mutable_graph()->mutable_node(0)->set_input(0, "gone");
  EXPECT_THAT(unknown.refusal(), AllOf(HasSubstr("the_EyeLike"), HasSubstr("'gone'")));
  OnnxModel twice = eye_like();
  twice.node("Abs", {"y"}, {"y"});
  EXPECT_THAT(twice.refusal(), HasSubstr("'y' is written by two nodes"));
  OnnxModel taken = eye_like();
  taken.input("y", iotadnn_f32, {1});
  EXPECT_THAT(taken.refusal(), HasSubstr("'y' is taken"));
  OnnxModel output = eye_like();
  output.output("nothing");
  EXPECT_THAT(output.refusal(), HasSubstr("output 'nothing'"));
  OnnxModel cycle;
  cycle.node("Abs", {"b"}, {"a"}).node("Neg", {"a"}, {"b"}).output("a");
  EXPECT_THAT(cycle.refusal(), AllOf(HasSubstr("cycle"), HasSubstr("the_Abs")));
  OnnxModel outputs = eye_like();
  outputs.proto.mutable_graph()->mutable_node(0)->add_output("z");
  EXPECT_THAT(outputs.refusal(), HasSubstr("2 outputs, allowed: 1"));
}

TEST(OnnxErrors, SizesOfConstants) {
  const auto refusal = [](const std::vector<int64_t>& dims, const std::string& raw) {
    OnnxModel model = eye_like();
    pb::TensorProto* proto = model.proto.mutable_graph()->add_initializer();
    proto->set_name("c");
    proto->set_data_type(1);
    for (const int64_t extent : dims)
      proto->add_dims(extent);
    proto->set_raw_data(raw);
    return model.refusal();
  };
  EXPECT_THAT(refusal({2}, "1234"), AllOf(HasSubstr("initializer 'c'"), HasSubstr("4 bytes")));
  EXPECT_THAT(refusal({-1}, ""), HasSubstr("the shape is [-1]"));
  EXPECT_THAT(refusal({kMost, 16}, ""), HasSubstr("overflows"));
  EXPECT_THAT(refusal({kMost, 0, kMost}, ""), HasSubstr("overflows"));
  EXPECT_THAT(refusal({int64_t{1} << 50}, ""), HasSubstr("bytes, allowed: "));
  EXPECT_THAT(refusal({1 << 20, 64}, "1234"), HasSubstr("4 bytes of data"));  // no memory is taken
  EXPECT_THAT(refusal(std::vector<int64_t>(13, 1), "1234"), HasSubstr("rank 13"));
}

TEST(OnnxErrors, ExternalDataStayInTheirFolder) {
  const std::string folder = testing::TempDir() + "iotadnn_external";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/data.bin", std::ios::binary) << "0123abcd";
  const auto read = [&](const std::string& location, const std::string& offset,
                        const std::string& length) {
    OnnxModel model;
    pb::TensorProto* proto = model.proto.mutable_graph()->add_initializer();
    proto->set_name("c");
    proto->set_data_type(2);
    proto->add_dims(4);
    proto->set_data_location(pb::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
      auto* entry = proto->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    add("location", location);
    if (!offset.empty()) add("offset", offset);
    if (!length.empty()) add("length", length);
    model.output("c");
    try {
      const auto values = values_of(run(model.read(folder), {})[0]);
      return std::string(values.begin(), values.end());
    } catch (const models::ModelError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(read("data.bin", "4", "4"), "abcd");
  EXPECT_EQ(read("./data.bin", "", ""), "0123");
  EXPECT_THAT(read("data.bin", "5", ""), HasSubstr("offset 5"));
  EXPECT_THAT(read("data.bin", "18446744073709551615", ""), HasSubstr("which has 8 bytes"));
  EXPECT_THAT(read("data.bin", "-1", ""), HasSubstr("offset '-1'"));
  EXPECT_THAT(read("data.bin", "0", "5"), HasSubstr("of 5 bytes"));
  EXPECT_THAT(read("../iotadnn_external/data.bin", "", ""),
              HasSubstr("a file in the model's folder"));
  EXPECT_THAT(read("/etc/hostname", "", ""), HasSubstr("a file in the model's folder"));
  EXPECT_THAT(read("gone.bin", "", ""), HasSubstr("cannot read"));
  std::filesystem::remove_all(folder);
}

TEST(OnnxErrors, ShapesThatDoNotFitAreNamedAtTheRun) {
  EXPECT_THAT(refusal_at_run(one_node("EyeLike", {f32({3, 4, 2}, std::vector<double>(24, 0))}),
                             {f32({3, 4, 2}, std::vector<double>(24, 0))}),
              AllOf(HasSubstr("'the_EyeLike' (EyeLike)"), HasSubstr("rank 2 only")));
  const auto refused = [](const std::string& kind, const std::vector<Tensor>& inputs,
                          const std::vector<pb::AttributeProto>& attrs = {}) {
    return refusal_at_run(one_node(kind, inputs, attrs), inputs);
  };
  EXPECT_THAT(refused("Add", {f32({2}, {1, 1}), f32({3}, {1, 1, 1})}), HasSubstr("broadcast"));
  EXPECT_THAT(refused("Reshape", {f32({2}, {1, 1}), s64({1}, {3})}), HasSubstr("[3]"));
  EXPECT_THAT(refused("Reshape", {f32({2}, {1, 1}), s64({2}, {-1, -1})}), HasSubstr("twice"));
  EXPECT_THAT(refused("ConstantOfShape", {s64({1}, {-3})}),
              HasSubstr("allowed: extents of 0 and more"));
  EXPECT_THAT(refused("ConstantOfShape", {s64({2}, {9e18, 9})}), HasSubstr("overflows"));
  EXPECT_THAT(refused("ConstantOfShape", {s64({1}, {1e15})}), HasSubstr("bytes, allowed: "));
  EXPECT_THAT(refused("Range", {s64({}, {0}), s64({}, {5}), s64({}, {0})}), HasSubstr("step is 0"));
  EXPECT_THAT(refused("Squeeze", {f32({2}, {1, 1}), s64({1}, {0})}), HasSubstr("axis 0"));
  EXPECT_THAT(refused("Transpose", {f32({1, 1}, {1})}, {attr("perm", std::vector<int64_t>{0, 0})}),
              HasSubstr("listed twice"));
  EXPECT_THAT(refused("MatMul", {f32({1, 2}, {1, 1}), f32({1, 2}, {1, 1})}),
              HasSubstr("cannot be multiplied"));
  EXPECT_THAT(refused("Concat", {f32({1, 2}, {1, 1}), f32({1, 1}, {1})}, {attr("axis", 0)}),
              HasSubstr("only axis 0 may differ"));
  EXPECT_THAT(
      refused("Slice", {f32({1}, {1}), s64({1}, {0}), s64({1}, {1}), s64({1}, {0}), s64({1}, {0})}),
      HasSubstr("step of axis 0 is 0"));
}

TEST(OnnxErrors, InputsOfARun) {
  OnnxModel model;
  model.input("a", iotadnn_f32, {-1, 2}).node("EyeLike", {"a"}, {"y"}).output("y");
  EXPECT_THAT(refusal_at_run(model, {}), HasSubstr("0 inputs were given"));
  EXPECT_THAT(refusal_at_run(model, {Tensor()}), HasSubstr("input 'a': no data"));
  EXPECT_THAT(refusal_at_run(model, {s64({1, 2}, {1, 1})}), HasSubstr("type s64 was given"));
  EXPECT_THAT(refusal_at_run(model, {f32({1, 3}, {1, 1, 1})}), HasSubstr("[?, 2]"));
  EXPECT_EQ(refusal_at_run(model, {f32({1, 2}, {1, 1})}), "");
}

// Damaged files are read or refused, whatever the damage.
TEST(OnnxErrors, DamagedFiles) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {4, -1}).initializer("k", s64({}, {1}));
  model.node("Shape", {"x"}, {"s"}).node("ConstantOfShape", {"s"}, {"z"});
  model.node("EyeLike", {"z"}, {"e"}, {attr("k", 1)}).node("Trilu", {"e", "k"}, {"t"});
  model.node("Add", {"x", "t"}, {"y"}).output("y");
  const std::string whole = model.proto.SerializeAsString();
  const Tensor x = f32({4, 4}, std::vector<double>(16, 1));
  test::Random random(20261130);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string bytes = test::mutated(whole, {"Add", std::string(3, '\xff'), "\x01"}, random);
    try {
      const Model read = models::read_onnx(bytes);
      if (read.inputs.size() == 1) models::Session(read).run({x});
    } catch (const models::ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

// A Split without outputs would divide by their number.
TEST(OnnxErrors, NodesWithoutOutputs) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2}).node("Split", {"x"}, {}).node("Abs", {"x"}, {"y"});
  EXPECT_THAT(model.output("y").refusal(), HasSubstr("it has no outputs"));
}

TEST(OnnxErrors, ManyAxesAreRefusedAtOnce) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2}).initializer("zero", s64({}, {0}));
  model.initializer("count", s64({}, {300000})).initializer("one", s64({}, {1}));
  model.node("Range", {"zero", "count", "one"}, {"axes"});
  const Model read = model.node("Unsqueeze", {"x", "axes"}, {"y"}).output("y").read();
  try {
    models::Session(read).run({f32({2}, {1, 2})});
    FAIL();
  } catch (const models::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("300000 axes are listed, allowed: 12"));
  }
}

TEST(OnnxErrors, NamesThatAreTakenTwice) {
  OnnxModel inputs;
  inputs.input("x", iotadnn_f32, {2}).input("x", iotadnn_s32, {7}).node("Abs", {"x"}, {"y"});
  EXPECT_THAT(inputs.output("y").refusal(), HasSubstr("the name 'x' is taken already"));
  OnnxModel outputs;
  outputs.input("x", iotadnn_f32, {2}).node("Abs", {"x"}, {"y"}).output("y").output("y");
  EXPECT_THAT(outputs.refusal(), HasSubstr("output 'y' is listed twice"));
  OnnxModel nodes;
  nodes.input("x", iotadnn_f32, {2}).node("Abs", {"x"}, {"x"}).output("x");
  EXPECT_THAT(nodes.refusal(), HasSubstr("the name 'x' is taken already"));
}

// Each call of a function reads its constants again.
TEST(OnnxErrors, FunctionsThatMultiplyConstants) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {1});
  auto* import = model.proto.add_opset_import();
  import->set_domain("own");
  import->set_version(1);
  const auto add_function = [&](const std::string& name) {
    pb::FunctionProto* function = model.proto.add_functions();
    function->set_name(name);
    function->set_domain("own");
    function->add_output("y");
    auto* opset = function->add_opset_import();
    opset->set_version(22);
    auto* own = function->add_opset_import();
    own->set_domain("own");
    own->set_version(1);
    return function;
  };
  pb::FunctionProto* first = add_function("F0");
  pb::NodeProto* constant = first->add_node();
  constant->set_op_type("Constant");
  constant->add_output("y");
  *constant->add_attribute() =
      attr("value", f32({1 << 18}, std::vector<double>(size_t{1} << 18, 1)));
  for (int level = 1; level <= 10; ++level) {
    pb::FunctionProto* function = add_function("F" + std::to_string(level));
    for (const char* output : {"a", "b"}) {
      pb::NodeProto* call = function->add_node();
      call->set_op_type("F" + std::to_string(level - 1));
      call->set_domain("own");
      call->add_output(output);
    }
    pb::NodeProto* sum = function->add_node();
    sum->set_op_type("Add");
    sum->add_input("a");
    sum->add_input("b");
    sum->add_output("y");
  }
  pb::NodeProto* call = model.proto.mutable_graph()->add_node();
  call->set_op_type("F10");
  call->set_domain("own");
  call->add_output("y");
  EXPECT_THAT(model.output("y").refusal(), HasSubstr("with it the constants have"));
}

TEST(OnnxErrors, TypesOfOutputsAreHeldAgainstTheFile) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2}).node("Abs", {"x"}, {"y"}).output("y");
  auto* type = model.proto.mutable_graph()->mutable_output(0)->mutable_type();
  type->mutable_tensor_type()->set_elem_type(6);
  EXPECT_THAT(model.refusal(), HasSubstr("the file states type s32, computed is f32"));
}

TEST(OnnxErrors, NumbersOfTypesThatDoNotFit32Bits) {
  for (const char* name : {"Cast", "EyeLike"}) {
    OnnxModel model;
    model.input("x", iotadnn_f32, {2, 2});
    model.node(name, {"x"}, {"y"}, {attr(name[0] == 'C' ? "to" : "dtype", (int64_t{1} << 32) + 6)});
    EXPECT_THAT(model.output("y").refusal(), HasSubstr("unsupported type 4294967302"));
  }
}

}  // namespace
}  // namespace iotadnn::models_test
