// SPDX-License-Identifier: Apache-2.0
// Eye-9 in all its forms, and how exporters write it. Expected values: the element-wise oracle and
// the published vectors of tests/support.
#include <algorithm>
#include <limits>

#include "frontends/openvino/ir_run.h"
#include "support/eye_vectors.h"
#include "support/oracle.h"

namespace iotadnn::models::test {
namespace {

using iotadnn::test::EyePort;
using iotadnn::test::ir_precision;
namespace type_number = iotadnn::test::type_number;

const std::vector<std::pair<std::string, int>> kTypes = {
    {"f32", type_number::f32},        {"f16", type_number::f16}, {"bf16", type_number::bf16},
    {"f64", type_number::f64},        {"i8", type_number::s8},   {"i16", type_number::s16},
    {"i32", type_number::s32},        {"i64", type_number::s64}, {"u8", type_number::u8},
    {"u16", type_number::u16},        {"u32", type_number::u32}, {"u64", type_number::u64},
    {"boolean", type_number::boolean}};

std::string ir_type(int number) {
  for (const auto& [name, type] : kTypes)
    if (type == number) return name;
  return "undefined";
}

// An index input of rank 0 or 1, of either type.
IrWriter::Out index(IrWriter& ir, int64_t value, int rank, bool is_i64) {
  const std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
  if (is_i64) return ir.constant<int64_t>("i64", dims, {value});
  return ir.constant<int32_t>("i32", dims, {static_cast<int32_t>(value)});
}

void expect_eye(const Tensor& got, int type, const Dims& dims, int64_t k) {
  ASSERT_EQ(got.type(), static_cast<DataType>(type));
  ASSERT_EQ(got.dims(), dims);
  EXPECT_TRUE(iotadnn::test::holds(got.data(), iotadnn::test::dense_spec(type, dims),
                                   iotadnn::test::expect_eye(type, k)));
}

TEST(IrEye, PublishedVectors) {
  for (const auto& vector : iotadnn::test::openvino_eye_vectors()) {
    // Each input by itself is i32 or i64.
    for (int widths = 0; widths < 8; ++widths) {
      SCOPED_TRACE(vector.name + ", widths " + std::to_string(widths));
      IrWriter ir;
      std::vector<IrWriter::Out> inputs = {
          index(ir, vector.rows, vector.ranks[0], (widths & 1) != 0),
          index(ir, vector.columns, vector.ranks[1], (widths & 2) != 0),
          index(ir, vector.k, vector.ranks[2], (widths & 4) != 0)};
      if (vector.batch) inputs.push_back(ir.list(*vector.batch));
      const std::string type = ir_type(vector.data_type);
      ir.result(ir.layer("Eye", "opset9", inputs, {{"output_type", type}}, ir_precision(type)));
      const Tensor got = run_ir(ir).at(0);
      ASSERT_EQ(got.dims(), vector.dims());
      ASSERT_EQ(got.type(), static_cast<DataType>(vector.data_type));
      EXPECT_TRUE(iotadnn::test::holds(
          got.data(), iotadnn::test::dense_spec(vector.data_type, vector.dims()),
          [&](const std::vector<int64_t>& at) {
            const std::pair<int64_t, int64_t> cell = {at[at.size() - 2], at.back()};
            const bool is_one =
                std::find(vector.ones.begin(), vector.ones.end(), cell) != vector.ones.end();
            // A one of the oracle where the vector has one, else a zero.
            return iotadnn::test::eye_element(vector.data_type, 0, is_one ? 0 : 1, 0);
          }));
    }
  }
}

TEST(IrEye, EveryOutputType) {
  for (const auto& [name, type] : kTypes) {
    SCOPED_TRACE(name);
    IrWriter ir;
    ir.result(ir.layer("Eye", "opset9", {ir.i64(3), ir.i64(5), ir.i64(1), ir.list({2})},
                       {{"output_type", name}}, ir_precision(name)));
    expect_eye(run_ir(ir).at(0), type, {2, 3, 5}, 1);
  }
}

TEST(IrEye, ExtremeDiagonals) {
  for (const int64_t k : iotadnn::test::extreme_diagonals(4, 3)) {
    SCOPED_TRACE(k);
    IrWriter ir;
    ir.result(ir.layer("Eye", "opset9", {ir.i64(4), ir.i64(3), ir.i64(k)}, {{"output_type", "f32"}},
                       "FP32"));
    expect_eye(run_ir(ir).at(0), type_number::f32, {4, 3}, k);
  }
}

// A writer stores equal constants once: rows and columns are the same bytes, the diagonal before
// them.
TEST(IrEye, ConstantsShareOffsets) {
  IrWriter ir;
  const auto k = ir.i64(-1);
  const auto rows = ir.i64(5);
  const auto columns = ir.constant<int64_t>("i64", {1}, {5});
  ASSERT_EQ(ir.bin().size(), 16u);
  ir.result(ir.layer("Eye", "opset9", {rows, columns, k}, {{"output_type", "i32"}}, "I32"));
  expect_eye(run_ir(ir).at(0), type_number::s32, {5, 5}, -1);
}

TEST(IrEye, EmptyMatricesAndBatches) {
  IrWriter ir;
  ir.result(ir.layer("Eye", "opset9", {ir.i64(0), ir.i64(4), ir.i64(0)}, {{"output_type", "f32"}},
                     "FP32"));
  ir.result(ir.layer("Eye", "opset9", {ir.i64(2), ir.i64(3), ir.i64(0), ir.list({2, 0})},
                     {{"output_type", "f32"}}, "FP32"));
  const auto got = run_ir(ir);
  EXPECT_EQ(got.at(0).dims(), (Dims{0, 4}));
  EXPECT_EQ(got.at(1).dims(), (Dims{2, 0, 2, 3}));
}

// rows come with each run, and are read again in each (openvino#33472: a shape that was not).
TEST(IrEye, RowsAtRunTime) {
  IrWriter ir;
  const auto rows = ir.parameter("rows", "i32", "");
  ir.result(ir.layer("Eye", "opset9", {rows, ir.i64(4), ir.i64(0)}, {{"output_type", "f32"}},
                     "FP32", "eye"));
  const Model model = read_ir(ir);
  Session session(model);
  for (const int32_t count : {2, 7, 0, 2}) {
    const Tensor given = tensor_of<int32_t>(iotadnn_s32, {}, {count});
    expect_eye(session.run({given}).at(0), type_number::f32, {count, 4}, 0);
    expect_eye(run_model(model, {given}).at(0), type_number::f32, {count, 4}, 0);
  }
  // geti#4111: the value is in the sentence.
  const std::string refused = refusal_of(ir, {tensor_of<int32_t>(iotadnn_s32, {}, {-1})});
  EXPECT_NE(refused.find("'eye' (Eye): num_rows: Value -1 not in range [0"), std::string::npos)
      << refused;
}

TEST(IrEye, DiagonalAndBatchAtRunTime) {
  IrWriter ir;
  const auto k = ir.parameter("k", "i64", "1");
  const auto batch = ir.parameter("batch", "i64", "?");
  ir.result(
      ir.layer("Eye", "opset9", {ir.i64(3), ir.i64(4), k, batch}, {{"output_type", "u8"}}, "U8"));
  const Model model = read_ir(ir);
  expect_eye(run_model(model, {tensor_of<int64_t>(iotadnn_s64, {1}, {2}),
                               tensor_of<int64_t>(iotadnn_s64, {2}, {2, 3})})
                 .at(0),
             type_number::u8, {2, 3, 3, 4}, 2);
  expect_eye(run_model(model, {tensor_of<int64_t>(iotadnn_s64, {1}, {-5}),
                               tensor_of<int64_t>(iotadnn_s64, {0}, {})})
                 .at(0),
             type_number::u8, {3, 4}, -5);
}

// ONNX's EyeLike becomes this: shape of x, its two elements, [1]-shaped.
IrWriter eye_like(const std::string& source, const std::string& type, int64_t k) {
  IrWriter ir;
  const auto x = ir.parameter("x", source, "?,?");
  const auto shape = ir.layer("ShapeOf", "opset3", {x}, {{"output_type", "i64"}}, "I64");
  const auto extent = [&](int64_t axis) {
    return ir.layer("Gather", "opset8", {shape, ir.list({axis}), ir.i64(0)}, {{"batch_dims", "0"}},
                    "I64");
  };
  const auto rows = extent(0);
  const auto columns = extent(1);
  ir.result(ir.layer("Eye", "opset9", {rows, columns, ir.list({k})}, {{"output_type", type}},
                     ir_precision(type)));
  return ir;
}

TEST(IrEye, EyeLikeOfTheOnnxFrontend) {
  for (const auto& vector : iotadnn::test::eye_like_vectors()) {
    SCOPED_TRACE(vector.name);
    const Model model =
        read_ir(eye_like(ir_type(vector.source_type), ir_type(vector.data_type), vector.k));
    const Tensor x(static_cast<DataType>(vector.source_type), {vector.rows, vector.columns});
    expect_eye(run_model(model, {x}).at(0), vector.data_type, {vector.rows, vector.columns},
               vector.k);
  }
}

// PyTorch's frontend makes the identity in i32 and converts it.
TEST(IrEye, ConvertedAndAdded) {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "?,?");
  const auto n = ir.parameter("n", "i64", "");
  const auto rows = ir.layer("Convert", "opset1", {n}, {{"destination_type", "i32"}}, "I32");
  const auto eye =
      ir.layer("Eye", "opset9", {rows, rows, ir.i32(0)}, {{"output_type", "i32"}}, "I32");
  const auto real = ir.layer("Convert", "opset1", {eye}, {{"destination_type", "f32"}}, "FP32");
  ir.result(ir.layer("Add", "opset1", {x, real}, {{"auto_broadcast", "numpy"}}, "FP32", "sum"));
  const Model model = read_ir(ir);
  std::vector<float> values;
  std::vector<float> want;
  for (int i = 0; i < 9; ++i) {
    values.push_back(static_cast<float>(i) - 2.5f);
    want.push_back(values.back() + (i % 4 == 0 ? 1.0f : 0.0f));
  }
  const std::vector<Tensor> inputs = {f32_tensor({3, 3}, values),
                                      tensor_of<int64_t>(iotadnn_s64, {}, {3})};
  EXPECT_EQ(values_of<float>(run_model(model, inputs).at(0)), want);

  // One region: nothing but the sum is written.
  Session session(model);
  const Plan& plan = session.plan_for(inputs);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].is_compiled);
  EXPECT_EQ(plan.steps[0].nodes.size(), 3u);
}

// Public reports, each with what the specification gives.
struct Report {
  const char* name;
  const char* type;
  int number;
  int64_t rows, columns, k;
};

TEST(IrEye, PublicReports) {
  const Report reports[] = {
      {"kohya-ss/sd-scripts#2078: eye of bf16", "bf16", type_number::bf16, 768, 768, 0},
      {"openvino PR #12746: k outside of the matrix", "f32", type_number::f32, 3, 4, 4},
      {"openvino PR #12746: k outside of the matrix", "f32", type_number::f32, 3, 4, -3},
      {"openvino PR #12746: k outside of the matrix", "f32", type_number::f32, 3, 4, 100},
      {"mxnet PR #20965: very negative k", "f32", type_number::f32, 4, 3, -(int64_t{1} << 62)},
      {"keras PR #21739: k and dtype", "f64", type_number::f64, 3, 5, 2},
      {"openvino PR #11538: constant inputs", "f32", type_number::f32, 4, 4, 1},
      {"openvino PR #11538: constant inputs", "i8", type_number::s8, 4, 4, 1},
      {"openvino PR #11538: constant inputs", "u8", type_number::u8, 4, 4, 1},
  };
  for (const Report& report : reports) {
    SCOPED_TRACE(report.name);
    IrWriter ir;
    ir.result(ir.layer("Eye", "opset9",
                       {ir.i64(report.rows), ir.i64(report.columns), ir.i64(report.k)},
                       {{"output_type", report.type}}, ir_precision(report.type)));
    expect_eye(run_ir(ir).at(0), report.number, {report.rows, report.columns}, report.k);
  }
}

// openvino#21172: a diagonal of shape [1] where others take a scalar, in every combination.
TEST(IrEye, ScalarsAndOneElementListsMix) {
  for (int ranks = 0; ranks < 8; ++ranks) {
    SCOPED_TRACE(ranks);
    IrWriter ir;
    ir.result(ir.layer("Eye", "opset9",
                       {index(ir, 2, ranks & 1, true), index(ir, 3, ranks >> 1 & 1, false),
                        index(ir, 1, ranks >> 2 & 1, true)},
                       {{"output_type", "f32"}}, "FP32"));
    expect_eye(run_ir(ir).at(0), type_number::f32, {2, 3}, 1);
  }
}

IrWriter::Out constant_of(IrWriter& ir, const EyePort& port) {
  const std::vector<int64_t>& data = port.data;
  if (port.data_type == type_number::s32)
    return ir.constant("i32", port.dims, std::vector<int32_t>(data.begin(), data.end()));
  if (port.data_type == type_number::u8)
    return ir.constant("u8", port.dims, std::vector<uint8_t>(data.begin(), data.end()));
  if (port.data_type == type_number::f32)
    return ir.constant("f32", port.dims, std::vector<float>(data.begin(), data.end()));
  if (port.data_type == type_number::bf16)  // 0x3f80 is 1
    return ir.constant("bf16", port.dims, std::vector<uint16_t>(data.size(), 0x3f80));
  return ir.constant("i64", port.dims, data);
}

// What OpenVINO refuses, and sizes that overflow (pytorch#107550, tensorflow#57711 and #59342,
// jax#38826): a sentence that names the layer.
TEST(IrEye, ErrorVectors) {
  for (const auto& vector : iotadnn::test::eye_error_vectors()) {
    if (vector.name == "output_of_s4") continue;  // a type that no attribute names
    SCOPED_TRACE(vector.name);
    IrWriter ir;
    std::vector<IrWriter::Out> inputs;
    for (const EyePort& port : vector.inputs)
      inputs.push_back(constant_of(ir, port));
    ir.result(ir.layer("Eye", "opset9", inputs, {{"output_type", "f32"}}, "FP32", "the eye"));
    const std::string refused = refusal_of(ir);
    EXPECT_NE(refused.find("'the eye' (Eye)"), std::string::npos) << refused;
  }
}

// The fragments of OpenVINO's own sentences.
TEST(IrEye, TypesAreRefusedInOpenvinosWords) {
  const std::vector<std::string> names = {"num_rows", "num_columns", "diagonal_index",
                                          "batch_shape"};
  for (size_t port = 0; port < names.size(); ++port) {
    IrWriter ir;
    std::vector<IrWriter::Out> inputs = {ir.i64(2), ir.i64(2), ir.i64(0), ir.list({1})};
    inputs[port] = ir.f32(1);
    ir.result(ir.layer("Eye", "opset9", inputs, {{"output_type", "f32"}}, "FP32"));
    const std::string refused = refusal_of(ir);
    EXPECT_NE(refused.find("Type of the '" + names[port] + "' should be int32 or int64. Got: f32"),
              std::string::npos)
        << refused;
  }
}

TEST(IrEye, SizesThatOverflowNameTheExtents) {
  const int64_t most = std::numeric_limits<int32_t>::max();
  const auto refusal = [](int64_t rows, int64_t columns, const std::vector<int64_t>& batch) {
    IrWriter ir;
    ir.result(ir.layer("Eye", "opset9", {ir.i64(rows), ir.i64(columns), ir.i64(0), ir.list(batch)},
                       {{"output_type", "f32"}}, "FP32"));
    return refusal_of(ir);
  };
  EXPECT_NE(refusal(1250999896765, 1250999896765, {}).find("[1250999896765, 1250999896765]"),
            std::string::npos);
  EXPECT_NE(refusal(2752212975, 2752212975, {}).find("[2752212975, 2752212975]"),
            std::string::npos);
  EXPECT_NE(refusal(2, 2, {most, most}).find("[2147483647, 2147483647, 2, 2]"), std::string::npos);
}

}  // namespace
}  // namespace iotadnn::models::test
