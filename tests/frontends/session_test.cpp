// SPDX-License-Identifier: Apache-2.0
// Whole models: functions in place of their calls, folding, partitions, new sizes, graph JSON.
#include "frontends/model/session.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/benchdnn_json_writer.h"
#include "frontends/graph_builder.h"
#include "frontends/model_fixture.h"

namespace iotadnn::models_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();

// scores [q, kv] with -inf where the column is after the row, as attention's exports spell it.
OnnxModel causal_mask(const Dims& dims) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, dims);
  model.initializer("zero", s64({}, {0})).initializer("one", s64({}, {1}));
  model.initializer("axis0", s64({1}, {0})).initializer("axis1", s64({1}, {1}));
  model.initializer("minus_inf", f32({}, {-kInf}));
  model.node("Shape", {"scores"}, {"shape"});
  model.node("Gather", {"shape", "zero"}, {"q"}).node("Gather", {"shape", "one"}, {"kv"});
  model.node("Range", {"zero", "q", "one"}, {"rows"});
  model.node("Range", {"zero", "kv", "one"}, {"columns"});
  model.node("Unsqueeze", {"rows", "axis1"}, {"row"});
  model.node("Unsqueeze", {"columns", "axis0"}, {"column"});
  model.node("GreaterOrEqual", {"row", "column"}, {"keep"});
  model.node("Where", {"keep", "scores", "minus_inf"}, {"y"}).output("y");
  return model;
}

TEST(Session, ACausalMaskIsOnePartition) {
  const Model model = causal_mask({3, 3}).read();
  const Tensor scores = f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_equal(run(model, {scores})[0], f32({3, 3}, {1, -kInf, -kInf, 4, 5, -kInf, 7, 8, 9}));
  EXPECT_THAT(compiled_kinds(model, {scores}),
              ElementsAre(ElementsAre("Range", "Range", "Unsqueeze", "Unsqueeze", "GreaterOrEqual",
                                      "Where")));
}

// A refusal by the library would go unnoticed: the interpreter gives the same values.
TEST(Session, EveryGeneratorIsCompiled) {
  const Tensor x = f32({2, 2}, {1, 2, 3, 4});
  const auto expect_compiled = [](const std::string& kind, const std::vector<Tensor>& inputs,
                                  const std::vector<pb::AttributeProto>& attrs) {
    std::vector<std::vector<std::string>> kinds =
        compiled_kinds(one_node(kind, inputs, attrs).read(), inputs);
    ASSERT_EQ(kinds.size(), 1u) << kind;
    EXPECT_EQ(kinds[0].back(), kind);
  };
  expect_compiled("EyeLike", {x}, {attr("k", 1)});
  expect_compiled("Trilu", {x}, {});
  expect_compiled("Trilu", {x, s64({}, {1})}, {attr("upper", 0)});
  expect_compiled("Range", {s64({}, {0}), s64({}, {9}), s64({}, {2})}, {});
  expect_compiled("ConstantOfShape", {s64({2}, {3, 4})}, {attr("value", f32({1}, {7}))});
  expect_compiled("ConstantOfShape", {s64({2}, {3, 4})}, {attr("value", f32({1}, {NAN}))});
  expect_compiled("OneHot", {s64({3}, {0, 1, -1}), s64({}, {4}), f32({2}, {2, 5})}, {});
}

TEST(Session, NewSizesNeedNoNewModel) {
  const Model model = causal_mask({-1, -1}).read();
  models::Session session(model);
  expect_equal(session.run({f32({1, 2}, {1, 2})})[0], f32({1, 2}, {1, -kInf}));
  expect_equal(session.run({f32({2, 1}, {1, 2})})[0], f32({2, 1}, {1, 2}));
  expect_equal(session.run({f32({1, 2}, {3, 4})})[0], f32({1, 2}, {3, -kInf}));
  expect_equal(session.run({f32({0, 2}, {})})[0], f32({0, 2}, {}));
  EXPECT_EQ(session.plans_made(), 3u);
}

// Sizes that are data of an input, and other data of the same shape after them.
TEST(Session, ShapesMayFollowFromData) {
  OnnxModel model;
  model.input("limit", iotadnn_s64, {}).initializer("zero", s64({}, {0}));
  model.initializer("one", s64({}, {1}));
  model.node("Range", {"zero", "limit", "one"}, {"y"}).output("y");
  const Model read = model.read();
  models::Session session(read);
  expect_equal(session.run({s64({}, {2})})[0], s64({2}, {0, 1}));
  expect_equal(session.run({s64({}, {4})})[0], s64({4}, {0, 1, 2, 3}));
  expect_equal(session.run({s64({}, {2})})[0], s64({2}, {0, 1}));
  EXPECT_EQ(session.plans_made(), 2u);
}

TEST(Session, WhatOnlyCarriesAShapeIsNotComputed) {
  OnnxModel model;
  model.input("shape", iotadnn_s64, {2});
  model.node("ConstantOfShape", {"shape"}, {"zeros"}).node("EyeLike", {"zeros"}, {"y"});
  model.output("y");
  const Model read = model.read();
  expect_equal(run(read, {s64({2}, {2, 3})})[0], eye(iotadnn_f32, 2, 3, 0));
  EXPECT_THAT(compiled_kinds(read, {s64({2}, {2, 3})}), ElementsAre(ElementsAre("EyeLike")));
}

TEST(Session, OutputsMayBeInputsConstantsAndReadByOthers) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2, 2}).initializer("c", s64({1}, {5}));
  model.node("Identity", {"x"}, {"same"}).node("EyeLike", {"x"}, {"eye"});
  model.node("Add", {"eye", "x"}, {"sum"});
  for (const char* name : {"x", "same", "c", "eye", "sum"})
    model.output(name);
  const Tensor x = f32({2, 2}, {1, 2, 3, 4});
  const auto outputs = run(model.read(), {x});
  expect_equal(outputs[0], x);
  expect_equal(outputs[1], x);
  expect_equal(outputs[2], s64({1}, {5}));
  expect_equal(outputs[3], eye(iotadnn_f32, 2, 2, 0));
  expect_equal(outputs[4], f32({2, 2}, {2, 2, 3, 5}));
}

TEST(Session, WhatMovesNothingIsItsInput) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2, 3}).input("more", iotadnn_f32, {-1, 3});
  model.node("Transpose", {"x"}, {"same"}, {attr("perm", std::vector<int64_t>{0, 1})});
  model.node("Concat", {"same", "more"}, {"y"}, {attr("axis", 0)}).output("y");
  const Model read = model.read();
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  models::Session session(read);
  EXPECT_THAT(session.plan_for({x, f32({0, 3}, {})}).steps, IsEmpty());
  expect_equal(session.run({x, f32({0, 3}, {})})[0], x);
  expect_equal(session.run({x, f32({1, 3}, {7, 8, 9})})[0],
               f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // Ascending numbers, but another order.
  expect_equal(run_node("Transpose", {x}, {attr("perm", std::vector<int64_t>{-1, 0})}),
               f32({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(Session, SymbolsStandForOneExtent) {
  OnnxModel model;
  model.input("a", iotadnn_f32, {-1}).input("b", iotadnn_f32, {-1});
  for (int i = 0; i < 2; ++i)
    model.proto.mutable_graph()
        ->mutable_input(i)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_param("n");
  model.node("Concat", {"a", "b"}, {"y"}, {attr("axis", 0)}).output("y");
  const Model read = model.read();
  EXPECT_THROW(models::Session(read).run({f32({1}, {1}), f32({2}, {1, 2})}), models::ModelError);
  expect_equal(run(read, {f32({1}, {1}), f32({1}, {2})})[0], f32({2}, {1, 2}));
}

TEST(Session, NodesMayStandInAnyOrder) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2});
  model.node("Neg", {"a"}, {"y"}).node("Abs", {"x"}, {"a"}).output("y");
  expect_equal(run(model.read(), {f32({2}, {-1, 2})})[0], f32({2}, {-1, -2}));
}

TEST(Session, InitializersThatAreInputsToo) {
  OnnxModel model(9);
  model.proto.set_ir_version(3);
  model.input("x", iotadnn_f32, {1}).input("c", iotadnn_f32, {1});
  model.initializer("c", f32({1}, {3})).node("Add", {"x", "c"}, {"y"}).output("y");
  expect_equal(run(model.read(), {f32({1}, {1})})[0], f32({1}, {4}));
}

pb::FunctionProto masked_function() {
  pb::FunctionProto function;
  function.set_name("Masked");
  function.set_domain("own");
  function.add_input("x");
  function.add_input("unused");
  function.add_output("y");
  function.add_attribute("diagonal");
  auto* opset = function.add_opset_import();
  opset->set_version(22);
  pb::NodeProto* node = function.add_node();
  node->set_op_type("EyeLike");
  node->add_input("x");
  node->add_output("e");
  pb::AttributeProto* reference = node->add_attribute();
  reference->set_name("k");
  reference->set_type(pb::AttributeProto::INT);
  reference->set_ref_attr_name("diagonal");
  node = function.add_node();
  node->set_op_type("Mul");
  node->add_input("x");
  node->add_input("e");
  node->add_output("y");
  return function;
}

TEST(Session, FunctionsStandInPlaceOfTheirCalls) {
  OnnxModel model;
  *model.proto.add_functions() = masked_function();
  auto* import = model.proto.add_opset_import();
  import->set_domain("own");
  import->set_version(1);
  model.input("x", iotadnn_f32, {2, 2});
  model.node("Masked", {"x"}, {"a"}, {attr("diagonal", 1)}).node("Masked", {"a", "x"}, {"b"});
  for (int i = 0; i < 2; ++i)
    model.proto.mutable_graph()->mutable_node(i)->set_domain("own");
  model.output("a").output("b");
  const auto outputs = run(model.read(), {f32({2, 2}, {1, 2, 3, 4})});
  expect_equal(outputs[0], f32({2, 2}, {0, 2, 0, 0}));
  expect_equal(outputs[1], f32({2, 2}, {0, 0, 0, 0}));  // without the attribute k is 0
}

// FunctionProto.attribute_proto is field 11, newer than the messages of Debian's package.
TEST(Session, FunctionsMayHaveDefaultsOfAttributes) {
  OnnxModel model;
  pb::FunctionProto function = masked_function();
  function.clear_attribute();
  function.GetReflection()->MutableUnknownFields(&function)->AddLengthDelimited(
      11, attr("diagonal", -1).SerializeAsString());
  *model.proto.add_functions() = function;
  model.input("x", iotadnn_f32, {2, 2}).node("Masked", {"x"}, {"a"}).output("a");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("own");
  expect_equal(run(model.read(), {f32({2, 2}, {1, 2, 3, 4})})[0], f32({2, 2}, {0, 0, 3, 0}));
}

TEST(Session, FunctionsThatCallThemselvesAreRefused) {
  OnnxModel model;
  pb::FunctionProto function = masked_function();
  function.mutable_node(1)->set_op_type("Masked");
  function.mutable_node(1)->set_domain("own");
  *model.proto.add_functions() = function;
  model.input("x", iotadnn_f32, {2, 2}).node("Masked", {"x"}, {"a"}).output("a");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("own");
  EXPECT_THAT(model.refusal(), testing::HasSubstr("32 deep"));
}

TEST(Session, GraphJsonHoldsWhatWasPlanned) {
  const Model model = causal_mask({3, 3}).read();
  models::Session session(model);
  const auto& graph = session.plan_for({f32({3, 3}, std::vector<double>(9, 1))}).graph;
  const auto read = frontends::read_benchdnn_json(frontends::write_benchdnn_json(graph));
  ASSERT_EQ(read.ops.size(), graph.ops.size());
  for (size_t i = 0; i < read.ops.size(); ++i) {
    EXPECT_EQ(read.ops[i].kind, graph.ops[i].kind);
    EXPECT_EQ(read.ops[i].attrs, graph.ops[i].attrs);
    EXPECT_EQ(read.ops[i].inputs, graph.ops[i].inputs);
  }
  for (const auto& [id, tensor] : graph.tensors) {
    EXPECT_EQ(read.tensors.at(id).dims, tensor.dims);
    EXPECT_EQ(read.tensors.at(id).value, tensor.value);
  }
  auto built = frontends::build_graph(read, iotadnn::engine::kind::cpu);
  built.finalize();
  EXPECT_EQ(built.get_partitions().size(), 1u);
}

TEST(Session, TheReferenceCompilesNothing) {
  const Model model = causal_mask({3, 3}).read();
  models::PlanOptions reference;
  reference.reference = true;
  models::Session session(model, reference);
  for (const auto& step : session.plan_for({f32({3, 3}, std::vector<double>(9, 1))}).steps)
    EXPECT_FALSE(step.is_compiled);
}

}  // namespace
}  // namespace iotadnn::models_test
