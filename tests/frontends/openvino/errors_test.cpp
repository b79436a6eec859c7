// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile files: a sentence that names the layer and the cause.
#include "frontends/openvino/ir_run.h"

namespace iotadnn::models::test {
namespace {

// x + Eye(3, 3, 0): layers 0 'x', 1 'rows', 2 'k', 3 'eye', 4 'sum', 5 the result.
IrWriter valid() {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "3,3");
  const auto rows = ir.i64(3);
  const auto k = ir.i32(0);
  const auto eye =
      ir.layer("Eye", "opset9", {rows, rows, k}, {{"output_type", "f32"}}, "FP32", "eye");
  ir.result(ir.layer("Add", "opset1", {x, eye}, {{"auto_broadcast", "numpy"}}, "FP32", "sum"));
  return ir;
}

struct TextCase {
  const char* name;
  const char* from;  // of the valid file, first place
  const char* to;
  std::vector<std::string> words;  // that the sentence holds
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(IrErrors, TheValidFileIsRead) {
  const IrWriter ir = valid();
  EXPECT_EQ(refusal_of(ir, {f32_tensor({3, 3}, std::vector<float>(9, 0))}), "");
}

const TextCase kCases[] = {
    // the root
    {"root", "<net ", "<nest ", {"XML"}},
    {"another root", "<net name=\"model\" version=\"11\">", "<net/><x>", {"XML"}},
    {"version 7", "version=\"11\"", "version=\"7\"", {"version 7", "10, 11"}},
    {"version of letters", "version=\"11\"", "version=\"eleven\"", {"'eleven'", "an integer"}},
    {"no version", " version=\"11\"", "", {"'net'", "'version' is missing"}},
    {"no layers", "<layers>", "<layers/><others>", {"XML"}},
    // layers
    {"no id", "<layer id=\"3\"", "<layer", {"layer number 3", "'id' is missing"}},
    {"id of letters", "id=\"3\" name", "id=\"three\" name", {"layer number 3", "'three'"}},
    {"id beyond 64 bits",
     "id=\"3\" name",
     "id=\"99999999999999999999\" name",
     {"layer number 3", "an integer"}},
    {"id twice", "id=\"3\" name", "id=\"2\" name", {"layer 2 'eye' (Eye)", "taken already"}},
    {"no type", " type=\"Eye\"", "", {"layer 3 'eye'", "'type' is missing"}},
    {"no version of a layer", " version=\"opset9\"", "", {"layer 3 'eye' (Eye)", "'version'"}},
    {"another library", "opset9", "extension", {"layer 3 'eye' (Eye)", "'extension'"}},
    {"opset without a number", "opset9", "opset", {"layer 3 'eye' (Eye)", "'opset'"}},
    {"opset 0", "opset9", "opset0", {"layer 3 'eye' (Eye)", "opset0"}},
    {"opset before the op", "opset9", "opset8", {"'eye' (Eye)", "opset9", "opset8"}},
    {"unknown op", "\"Eye\"", "\"Aye\"", {"'eye' (Aye)", "not supported"}},
    {"body", "\"Eye\"", "\"Loop\"", {"'eye' (Loop)", "bodies"}},
    {"unknown attribute",
     "output_type=\"f32\"",
     "output_type=\"f32\" colour=\"red\"",
     {"'eye' (Eye)", "'colour'"}},
    {"attribute twice",
     "output_type=\"f32\"",
     "output_type=\"f32\" output_type=\"f32\"",
     {"layer 3 'eye' (Eye)", "'output_type' is given twice"}},
    {"missing attribute", "output_type=\"f32\"", "", {"'eye' (Eye)", "'output_type' is missing"}},
    {"unknown type", "output_type=\"f32\"", "output_type=\"u4\"", {"'eye' (Eye)", "'u4'"}},
    {"type of ports", "output_type=\"f32\"", "output_type=\"FP32\"", {"'eye' (Eye)", "'FP32'"}},
    {"unknown rule", "\"numpy\"", "\"scipy\"", {"'sum' (Add)", "'scipy'", "none, numpy, pdpd"}},
    // ports
    {"port without id", "<port id=\"3\"", "<port", {"layer 3 'eye' (Eye)", "output port 0"}},
    {"port id of letters",
     "<port id=\"3\"",
     "<port id=\"x\"",
     {"layer 3 'eye' (Eye)", "output port 0", "'x'"}},
    {"port id twice",
     "<port id=\"1\" precision=\"I64\"",
     "<port id=\"0\" precision=\"I64\"",
     {"layer 3 'eye' (Eye)", "input port 1", "the id 0 is taken already"}},
    {"negative extent",
     "<port id=\"3\" precision=\"FP32\"/>",
     "<port id=\"3\" precision=\"FP32\"><dim>-2</dim></port>",
     {"layer 3 'eye' (Eye)", "output port 0", "'-2'"}},
    {"extent beyond 64 bits",
     "<port id=\"3\" precision=\"FP32\"/>",
     "<port id=\"3\" precision=\"FP32\"><dim>9223372036854775808</dim></port>",
     {"layer 3 'eye' (Eye)", "'9223372036854775808'"}},
    {"precision of an output",
     "<port id=\"3\" precision=\"FP32\"/>",
     "<port id=\"3\" precision=\"FP16\"/>",
     {"'eye' (Eye)", "output 0 is f32", "FP16"}},
    {"precision of an input",
     "<port id=\"2\" precision=\"I32\"/>",
     "<port id=\"2\" precision=\"I64\"/>",
     {"'eye' (Eye)", "input 2 is i32", "I64"}},
    {"unknown precision",
     "<port id=\"3\" precision=\"FP32\"/>",
     "<port id=\"3\" precision=\"FP33\"/>",
     {"'eye' (Eye)", "FP33"}},
    {"outputs that the op has not",
     "<port id=\"3\" precision=\"FP32\"/>",
     "<port id=\"3\" precision=\"FP32\"/><port id=\"4\"/>",
     {"'eye' (Eye)", "2 outputs"}},
    {"input without an edge",
     "<port id=\"2\" precision=\"I32\"/>",
     "<port id=\"2\" precision=\"I32\"/><port id=\"9\"/>",
     {"layer 3 'eye' (Eye)", "no edge leads to input 3"}},
    // edges
    {"edge without a layer", "from-layer=\"3\"", "", {"edge number", "'from-layer' is missing"}},
    {"edge from nowhere",
     "from-layer=\"3\"",
     "from-layer=\"77\"",
     {"edge number", "no layer has the id 77"}},
    {"edge from no port",
     "from-layer=\"3\" from-port=\"3\"",
     "from-layer=\"3\" from-port=\"0\"",
     {"output port 0", "layer 3 'eye' (Eye)"}},
    {"edge to no port",
     "to-layer=\"3\" to-port=\"2\"",
     "to-layer=\"3\" to-port=\"7\"",
     {"input port 7", "layer 3 'eye' (Eye)"}},
    {"edge to a taken port",
     "to-layer=\"3\" to-port=\"2\"",
     "to-layer=\"3\" to-port=\"1\"",
     {"layer 3 'eye' (Eye)", "two edges lead to input 1"}},
    {"itself",
     "from-layer=\"2\" from-port=\"0\" to-layer=\"3\"",
     "from-layer=\"3\" from-port=\"3\" to-layer=\"3\"",
     {"cycle", "layer 3 'eye' (Eye)"}},
    {"cycle of two",
     "from-layer=\"2\" from-port=\"0\" to-layer=\"3\"",
     "from-layer=\"4\" from-port=\"2\" to-layer=\"3\"",
     {"cycle", "depends on its own result"}},
    // constants
    {"no offset", "offset=\"0\"", "", {"(Const)", "'offset' is missing"}},
    {"no size", "size=\"8\"", "", {"(Const)", "'size' is missing"}},
    {"no element type", "element_type=\"i64\"", "", {"(Const)", "'element_type' is missing"}},
    {"negative offset", "offset=\"0\"", "offset=\"-8\"", {"(Const)", "'offset' is -8"}},
    {"offset past the end",
     "offset=\"0\"",
     "offset=\"8\"",
     {"(Const)", "8 bytes at offset 8", "has 12 bytes"}},
    {"offset near 2^63",
     "offset=\"0\"",
     "offset=\"9223372036854775807\"",
     {"(Const)", "at offset 9223372036854775807"}},
    {"size of another shape", "size=\"8\"", "size=\"16\"", {"(Const)", "'size' is 16", "needs 8"}},
    {"size near 2^63", "size=\"8\"", "size=\"9223372036854775807\"", {"(Const)", "needs 8"}},
    {"shape that overflows",
     "shape=\"\" offset=\"0\"",
     "shape=\"4294967296,4294967296,4294967296\" offset=\"0\"",
     {"(Const)", "overflows 64 bits"}},
    {"negative extent of a constant",
     "shape=\"\" offset=\"0\"",
     "shape=\"-5\" offset=\"0\"",
     {"(Const)", "'-5'"}},
    {"unknown extent of a constant",
     "shape=\"\" offset=\"0\"",
     "shape=\"?\" offset=\"0\"",
     {"(Const)", "extents of 0 and more"}},
    {"unknown rank of a constant",
     "shape=\"\" offset=\"0\"",
     "shape=\"...\" offset=\"0\"",
     {"(Const)", "'...'"}},
    {"list with a hole",
     "shape=\"\" offset=\"0\"",
     "shape=\"1,,1\" offset=\"0\"",
     {"(Const)", "extent ''"}},
    {"rank of 13",
     "shape=\"\" offset=\"0\"",
     "shape=\"1,1,1,1,1,1,1,1,1,1,1,1,1\" offset=\"0\"",
     {"(Const)", "rank 13"}},
    // parameters
    {"no shape", "shape=\"3,3\"", "", {"'x' (Parameter)", "'shape' is missing"}},
    {"shape of letters", "shape=\"3,3\"", "shape=\"3,c\"", {"'x' (Parameter)", "'c'"}},
    {"range without numbers", "shape=\"3,3\"", "shape=\"3,a..b\"", {"'x' (Parameter)", "'a..b'"}},
    {"string parameter",
     "element_type=\"f32\"",
     "element_type=\"string\"",
     {"'x' (Parameter)", "'string'"}},
    // entities are not expanded: the name stays as it is written
    {"entity bomb",
     "<?xml version=\"1.0\"?>",
     "<!DOCTYPE net [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
     "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><!-- -->",
     {}},
};

TEST(IrErrors, EditedFiles) {
  const IrWriter ir = valid();
  for (const TextCase& one : kCases) {
    SCOPED_TRACE(one.name);
    const std::string refused = refusal_of(replaced(ir.xml(), one.from, one.to), ir.bin(),
                                           {f32_tensor({3, 3}, std::vector<float>(9, 0))});
    EXPECT_EQ(refused.empty(), one.words.empty()) << refused;
    for (const std::string& word : one.words)
      EXPECT_NE(refused.find(word), std::string::npos) << word << " in: " << refused;
    EXPECT_EQ(refused.find('\n'), std::string::npos) << refused;
  }
}

TEST(IrErrors, EveryTruncationIsRefused) {
  const IrWriter ir = valid();
  const std::string xml = ir.xml();
  const size_t end = xml.find_last_of('>');
  for (size_t length = 0; length < end; ++length)
    EXPECT_NE(refusal_of(xml.substr(0, length), ir.bin()), "") << length;
  for (size_t length = 0; length < ir.bin().size(); ++length)
    EXPECT_NE(refusal_of(xml, ir.bin().substr(0, length)).find("(Const)"), std::string::npos);
}

TEST(IrErrors, WhatIsNoXml) {
  for (const std::string& text :
       {std::string(), std::string("\0\0\0\0", 4), std::string("GIF89a"), std::string("<"),
        std::string("{\"net\": 1}"), std::string(1000, '<'), std::string("<a><b></a></b>")})
    EXPECT_NE(refusal_of(text, "").find("XML"), std::string::npos) << refusal_of(text, "");
  EXPECT_NE(refusal_of("<html/>", "").find("root"), std::string::npos);
  EXPECT_NE(refusal_of("<net version=\"11\"/>", "").find("no layers"), std::string::npos);
}

TEST(IrErrors, DeepNestingIsRead) {
  const IrWriter ir = valid();
  constexpr int kDepth = 200000;
  std::string deep;
  for (int i = 0; i < kDepth; ++i)
    deep += "<a>";
  for (int i = 0; i < kDepth; ++i)
    deep += "</a>";
  EXPECT_EQ(refusal_of(replaced(ir.xml(), "<rt_info/>", deep), ir.bin(),
                       {f32_tensor({3, 3}, std::vector<float>(9, 0))}),
            "");
}

TEST(IrErrors, ResultsAreWhatTheyShouldBe) {
  IrWriter none;
  (void)none.parameter("x", "f32", "");
  EXPECT_NE(refusal_of(none).find("no Result"), std::string::npos);

  IrWriter twice;
  const auto x = twice.parameter("x", "f32", "");
  const auto y = twice.layer("Negative", "opset1", {x}, {}, "FP32");
  twice.result(y, "y");
  twice.result(x, "y");
  twice.result(x, "y");
  EXPECT_NE(refusal_of(twice).find("two outputs of the model are called 'y'"), std::string::npos);

  // Something that reads a Result.
  const std::string xml = R"(<net version="11"><layers>
    <layer id="0" name="x" type="Parameter" version="opset1"><data shape="" element_type="f32"/>
      <output><port id="0"/></output></layer>
    <layer id="1" name="r" type="Result" version="opset1"><input><port id="0"/></input>
      <output><port id="1"/></output></layer>
    <layer id="2" name="s" type="Result" version="opset1"><input><port id="0"/></input></layer>
    </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>)";
  EXPECT_NE(refusal_of(xml, "").find("layer 2 's' (Result): it reads layer 1 'r' (Result)"),
            std::string::npos);
}

TEST(IrErrors, InputsHaveNamesOfTheirOwn) {
  IrWriter ir;
  const auto a = ir.parameter("x", "f32", "");
  const auto b = ir.parameter("x", "f32", "");
  ir.result(ir.layer("Add", "opset1", {a, b}, {}, "FP32"));
  EXPECT_NE(refusal_of(ir).find("two inputs of the model are called 'x'"), std::string::npos);
}

// Many constants over the same bytes, each a little further on: the file is small, the sum is not.
TEST(IrErrors, OverlappingConstantsAreBounded) {
  std::string layers;
  constexpr int kConstants = 64;
  constexpr int kBytes = 1 << 16;
  for (int i = 0; i < kConstants; ++i)
    layers += "<layer id=\"" + std::to_string(i) +
              "\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"u8\" shape=\"" +
              std::to_string(kBytes - kConstants) + "\" offset=\"" + std::to_string(i) +
              "\" size=\"" + std::to_string(kBytes - kConstants) +
              "\"/><output><port id=\"0\"/></output></layer>";
  const std::string xml = "<net version=\"11\"><layers>" + layers + "</layers></net>";
  EXPECT_NE(refusal_of(xml, std::string(kBytes, 'x')).find("their places overlap"),
            std::string::npos);
}

struct OpCase {
  const char* name;
  const char* type;
  const char* opset;
  std::vector<IrWriter::Out> (*inputs)(IrWriter&);
  IrWriter::Attrs attrs;
  std::vector<std::string> words;
};

std::vector<IrWriter::Out> one_scalar(IrWriter& ir) {
  return {ir.i64(1)};
}

std::vector<IrWriter::Out> matrix_and_scalar(IrWriter& ir) {
  return {ir.constant<int64_t>("i64", {2, 3}, {1, 2, 3, 4, 5, 6}), ir.i64(1)};
}

std::vector<IrWriter::Out> matrix_and_float(IrWriter& ir) {
  return {ir.constant<int64_t>("i64", {2, 3}, {1, 2, 3, 4, 5, 6}), ir.f32(1)};
}

std::vector<IrWriter::Out> gathered_by_input(IrWriter& ir) {
  const auto data = ir.list({1, 2, 3});
  const auto axis = ir.layer("Negative", "opset1", {ir.i64(0)}, {}, "I64");
  return {data, ir.i64(0), axis};
}

std::vector<IrWriter::Out> data_indices_axis(IrWriter& ir) {
  return {ir.list({1, 2, 3}), ir.list({0}), ir.i64(0)};
}

std::vector<IrWriter::Out> far_axis(IrWriter& ir) {
  return {ir.list({1, 2, 3}), ir.i64(0), ir.i64(7)};
}

std::vector<IrWriter::Out> three_scalars(IrWriter& ir) {
  return {ir.i64(0), ir.i64(1), ir.i64(0)};
}

std::vector<IrWriter::Out> far_range(IrWriter& ir) {
  return {ir.i64(0), ir.i64(INT64_MAX), ir.i64(1)};
}

const OpCase kOpCases[] = {
    {"too few inputs",
     "Eye",
     "opset9",
     one_scalar,
     {{"output_type", "f32"}},
     {"Eye has incorrect input number 1", "3 to 4"}},
    {"too many inputs", "Negative", "opset1", three_scalars, {}, {"incorrect input number 3"}},
    {"types differ", "Add", "opset1", matrix_and_float, {}, {"input 1 has type f32"}},
    {"numbers as logic", "LogicalAnd", "opset1", matrix_and_scalar, {}, {"boolean"}},
    {"no axis", "Concat", "opset1", matrix_and_scalar, {}, {"'axis' is missing"}},
    {"axis of letters", "Concat", "opset1", matrix_and_scalar, {{"axis", "x"}}, {"'x'"}},
    {"axis beyond the rank", "Concat", "opset1", one_scalar, {{"axis", "4"}}, {"axis 4"}},
    {"no special_zero", "Reshape", "opset1", matrix_and_scalar, {}, {"'special_zero' is missing"}},
    {"flag of letters",
     "Reshape",
     "opset1",
     matrix_and_scalar,
     {{"special_zero", "maybe"}},
     {"'maybe'", "true, false"}},
    {"wrong count",
     "Reshape",
     "opset1",
     matrix_and_scalar,
     {{"special_zero", "false"}},
     {"[2, 3]"}},
    {"shape of floats",
     "Reshape",
     "opset1",
     matrix_and_float,
     {{"special_zero", "false"}},
     {"input 1 has type f32", "integer types"}},
    {"axis is computed", "Gather", "opset8", gathered_by_input, {}, {"must be a Const"}},
    {"axis of Gather", "Gather", "opset8", far_axis, {}, {"axis 7"}},
    {"batch of Gather",
     "Gather",
     "opset8",
     data_indices_axis,
     {{"batch_dims", "1"}},
     {"batch_dims is 1"}},
    {"batch of old Gather",
     "Gather",
     "opset1",
     data_indices_axis,
     {{"batch_dims", "0"}},
     {"'batch_dims'", "not known"}},
    {"no destination", "Convert", "opset1", one_scalar, {}, {"'destination_type' is missing"}},
    {"no output type", "Range", "opset4", three_scalars, {}, {"'output_type' is missing"}},
    {"step 0", "Range", "opset4", three_scalars, {{"output_type", "i64"}}, {"step is 0"}},
    {"huge range", "Range", "opset4", far_range, {{"output_type", "i64"}}, {"9223372036854775807"}},
    {"bounds of Clamp",
     "Clamp",
     "opset1",
     one_scalar,
     {{"min", "2"}, {"max", "1"}},
     {"min up to max"}},
    {"bound of letters", "Clamp", "opset1", one_scalar, {{"min", "low"}, {"max", "1"}}, {"'low'"}},
    {"shapes of MatMul", "MatMul", "opset1", matrix_and_scalar, {}, {"rank 1 and more"}},
    {"axis of Softmax",
     "SoftMax",
     "opset8",
     [](IrWriter& ir) { return std::vector{ir.f32(1)}; },
     {{"axis", "1"}},
     {"axis 1"}},
};

TEST(IrErrors, Ops) {
  for (const OpCase& one : kOpCases) {
    SCOPED_TRACE(one.name);
    IrWriter ir;
    ir.result(ir.layer(one.type, one.opset, one.inputs(ir), one.attrs, "", "the layer"));
    const std::string refused = refusal_of(ir);
    EXPECT_NE(refused.find("node 'the layer' (" + std::string(one.type) + ")"), std::string::npos)
        << refused;
    for (const std::string& word : one.words)
      EXPECT_NE(refused.find(word), std::string::npos) << word << " in: " << refused;
  }
}

}  // namespace
}  // namespace iotadnn::models::test
