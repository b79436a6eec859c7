// SPDX-License-Identifier: Apache-2.0
// The format: versions, order, names, places of constants. Sources: OpenVINO's page on the IR
// format and what its serializer writes.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontends/files/load.h"
#include "frontends/openvino/ir_run.h"

namespace iotadnn::models::test {
namespace {

// y = x + 1, with everything that a test may want to vary.
IrWriter add_one(int version = 11) {
  IrWriter ir(version);
  const auto x = ir.parameter("x", "f32", "?,2");
  ir.result(ir.layer("Add", "opset1", {x, ir.f32(1)}, {{"auto_broadcast", "numpy"}}, "FP32", "y"));
  return ir;
}

TEST(IrFormat, BothVersionsAndAnyOrderOfLayers) {
  for (const int version : {10, 11}) {
    for (const bool turned : {false, true}) {
      IrWriter ir = add_one(version);
      if (turned) ir.turn_around();
      const Model model = read_ir(ir);
      EXPECT_EQ(model.format, "OpenVINO IR, version " + std::to_string(version));
      EXPECT_EQ(model.name, "model");
      EXPECT_EQ(values_of<float>(run_model(model, {f32_tensor({1, 2}, {1, 2})}).at(0)),
                (std::vector<float>{2, 3}));
    }
  }
}

TEST(IrFormat, OrderOfParametersAndResultsIsTheFiles) {
  IrWriter ir;
  const auto b = ir.parameter("b", "f32", "");
  const auto a = ir.parameter("a", "f32", "");
  const auto sum = ir.layer("Add", "opset1", {a, b}, {}, "FP32", "sum");
  ir.result(ir.layer("Negative", "opset1", {sum}, {}, "FP32", "negative"), "late");
  ir.result(a, "early");
  const Model model = read_ir(ir);
  EXPECT_EQ(model.values[model.inputs[0]].name, "b");
  EXPECT_EQ(model.values[model.inputs[1]].name, "a");
  EXPECT_EQ(model.output_names, (std::vector<std::string>{"late", "a"}));
}

TEST(IrFormat, TensorNamesNameInputsAndOutputs) {
  IrWriter ir;
  const auto x = ir.parameter("layer/x<1>&\"", "f32", "2");
  ir.name_last("first\\,with comma,second");
  const auto y = ir.layer("Negative", "opset1", {x}, {}, "FP32", "y");
  ir.name_last("out:0,alias");
  ir.result(y, "result");
  ir.result(y, "again");
  const Model model = read_ir(ir);
  EXPECT_EQ(model.values[model.inputs[0]].name, "first,with comma");
  EXPECT_EQ(model.output_names, (std::vector<std::string>{"out:0", "again"}));
  ASSERT_EQ(model.nodes.size(), 1u);
  EXPECT_EQ(model.nodes[0].name, "y");
}

TEST(IrFormat, NamesMayHoldAnyText) {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "");
  ir.result(ir.layer("Nonsense", "opset1", {x}, {}, "FP32", "a/<b>&\"c\""));
  EXPECT_NE(refusal_of(ir).find("node 'a/<b>&\"c\"' (Nonsense)"), std::string::npos);
}

TEST(IrFormat, WhatIsNotKnownBesideLayersIsSkipped) {
  IrWriter ir = add_one();
  std::string xml = ir.xml();
  const auto put = [&xml](const std::string& before, const std::string& text) {
    xml.insert(xml.find(before), text);
  };
  put("\t<layers>", "<!-- a comment --><something><layer id=\"x\"/></something>");
  put("</net>", "<pre-process/><statistics>&unknown;</statistics>");
  put("</layer>",
      "<rt_info><attribute name=\"fused_names_0\" version=\"0\" value=\"x\"/></rt_info>");
  const Model model = read_openvino(xml, ir.bin());
  EXPECT_EQ(values_of<float>(run_model(model, {f32_tensor({1, 2}, {1, 2})}).at(0)),
            (std::vector<float>{2, 3}));
}

TEST(IrFormat, ShapesOfParameters) {
  const auto dims_of = [](const char* shape) {
    IrWriter ir;
    ir.result(ir.parameter("x", "f32", shape));
    const Model model = read_ir(ir);
    return model.values[model.inputs[0]].dims;
  };
  EXPECT_EQ(dims_of(""), Dims{});
  EXPECT_EQ(dims_of("3"), (Dims{3}));
  EXPECT_EQ(dims_of("?,128"), (Dims{kUnknownDim, 128}));
  EXPECT_EQ(dims_of("1, 3, -1, 5..10"), (Dims{1, 3, kUnknownDim, kUnknownDim}));
  EXPECT_EQ(dims_of("2..,..7"), (Dims{kUnknownDim, kUnknownDim}));
  EXPECT_EQ(dims_of("..."), std::nullopt);
}

TEST(IrFormat, ScatteredPortIdsAndLayerIds) {
  const std::string xml = R"(<net version="10"><layers>
    <layer id="70" name="r" type="Result" version="opset1"><input><port id="9"/></input></layer>
    <layer id="-3" name="e" type="Eye" version="opset9"><data output_type="i32"/>
      <input><port id="5"/><port id="4"/><port id="2"/></input>
      <output><port id="4" precision="I32"/></output></layer>
    <layer id="8" name="n" type="Const" version="opset1">
      <data element_type="i64" shape="" offset="8" size="8"/>
      <output><port id="1" precision="I64"/></output></layer>
    <layer id="2" name="k" type="Const" version="opset1">
      <data element_type="i64" shape="1" offset="0" size="8"/>
      <output><port id="0" precision="I64"/></output></layer>
    </layers><edges>
    <edge from-layer="8" from-port="1" to-layer="-3" to-port="4"/>
    <edge from-layer="8" from-port="1" to-layer="-3" to-port="5"/>
    <edge from-layer="-3" from-port="4" to-layer="70" to-port="9"/>
    <edge from-layer="2" from-port="0" to-layer="-3" to-port="2"/>
    </edges></net>)";
  const int64_t constants[] = {1, 2};
  const std::string bin(reinterpret_cast<const char*>(constants), sizeof(constants));
  const Model model = read_openvino(xml, bin);
  EXPECT_EQ(values_of<int32_t>(run_model(model).at(0)), (std::vector<int32_t>{0, 1, 0, 0}));
}

// Weights that were compressed to f16 come with a Convert behind them.
TEST(IrFormat, CompressedWeights) {
  IrWriter ir;
  const auto w = ir.constant<uint16_t>("f16", {2}, {0x3c00, 0xc000});
  ir.result(ir.layer("Convert", "opset1", {w}, {{"destination_type", "f32"}}, "FP32"));
  EXPECT_EQ(values_of<float>(run_ir(ir).at(0)), (std::vector<float>{1, -2}));
}

TEST(IrFormat, BytesOfBooleansAreMadeTruths) {
  IrWriter ir;
  const auto c = ir.constant<unsigned char>("boolean", {3}, {0, 1, 7});
  ir.result(ir.layer("LogicalNot", "opset1", {c}, {}, "BOOL"));
  ir.result(ir.layer("Convert", "opset1", {c}, {{"destination_type", "u8"}}, "U8"));
  const auto got = run_ir(ir);
  EXPECT_EQ(values_of<uint8_t>(got.at(0)), (std::vector<uint8_t>{1, 0, 0}));
  EXPECT_EQ(values_of<uint8_t>(got.at(1)), (std::vector<uint8_t>{0, 1, 1}));
}

class IrFiles : public testing::Test {
 protected:
  IrFiles() : folder_(testing::TempDir() + "iotadnn_ir_" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }

  ~IrFiles() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  [[nodiscard]] static std::string refusal(const std::string& path) {
    try {
      (void)load_model(path);
    } catch (const frontends::GraphError& refused) {
      return refused.what();
    }
    return "";
  }

  std::string folder_;
};

TEST_F(IrFiles, TheBinIsBesideTheXml) {
  const IrWriter ir = add_one();
  const std::string path = write("model.xml", ir.xml());
  EXPECT_NE(refusal(path).find("model.bin' is empty or cannot be read"), std::string::npos)
      << refusal(path);
  (void)write("model.bin", ir.bin());
  const Model model = load_model(path);
  EXPECT_EQ(values_of<float>(run_model(model, {f32_tensor({1, 2}, {1, 2})}).at(0)),
            (std::vector<float>{2, 3}));
}

TEST_F(IrFiles, WithoutConstantsNoBinIsNeeded) {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "2");
  const auto empty = ir.constant<float>("f32", {0}, {});
  ir.result(ir.layer("Concat", "opset1", {x, empty}, {{"axis", "0"}}, "FP32"));
  const Model model = load_model(write("only.xml", ir.xml()));
  EXPECT_EQ(values_of<float>(run_model(model, {f32_tensor({2}, {1, 2})}).at(0)),
            (std::vector<float>{1, 2}));
}

TEST_F(IrFiles, OtherEndingsAreRefused) {
  EXPECT_NE(refusal(write("model.txt", "")).find("models end in .onnx, .xml or .json"),
            std::string::npos);
  EXPECT_NE(refusal(folder_ + "/absent.xml"), "");
}

}  // namespace
}  // namespace iotadnn::models::test
