// SPDX-License-Identifier: Apache-2.0
// Models in the form in which PyTorch's exporter (its torchlib, opset 18) writes torch.eye,
// torch.diagonal and causal masks, with unknown extents: what they compute, and that each identity
// or mask is one partition with its consumers.
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/files/file.h"
#include "frontends/model_fixture.h"
#include "tools/command.h"

namespace iotadnn::models_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor counting(const Dims& dims) {
  std::vector<double> values(static_cast<size_t>(*models::element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i) + 1;
  return f32(dims, values);
}

// extent[name] = Shape(x)[axis], of shape [1].
void extent(OnnxModel& model, const std::string& x, int64_t axis, const std::string& name) {
  model.initializer(name + "_axis", s64({}, {static_cast<double>(axis)}));
  model.node("Shape", {x}, {name + "_shape"});
  model.node("Gather", {name + "_shape", name + "_axis"}, {name + "_scalar"});
  model.node("Reshape", {name + "_scalar", "neg_1"}, {name});
}

// torch.diagonal(x, offset, 1, 2) of a batch: sums over the rows of x * EyeLike, cut to the
// diagonal's length.
OnnxModel diagonal(int64_t offset) {
  OnnxModel model(18);
  model.input("x", iotadnn_f32, {-1, -1, -1}).initializer("neg_1", s64({1}, {-1}));
  extent(model, "x", 1, "rows");
  extent(model, "x", 2, "columns");
  model.node("Concat", {"rows", "columns"}, {"shape"}, {attr("axis", 0)});
  model.node("ConstantOfShape", {"shape"}, {"zeros"});
  model.node("EyeLike", {"zeros"}, {"eye"}, {attr("k", offset)});
  model.node("CastLike", {"eye", "x"}, {"mask"});
  model.node("Transpose", {"x"}, {"x_t"}, {attr("perm", std::vector<int64_t>{0, 1, 2})});
  model.node("Mul", {"x_t", "mask"}, {"picked"}).initializer("axes", s64({1}, {1}));
  model.node("ReduceSum", {"picked", "axes"}, {"sums"}, {attr("keepdims", 0)});
  model.node("Min", {"rows", "columns"}, {"least"});
  model.initializer("offset", s64({1}, {static_cast<double>(offset)}));
  model.initializer("zero", s64({1}, {0}));
  if (offset < 0)
    model.node("Add", {"rows", "offset"}, {"wanted"});
  else
    model.node("Sub", {"columns", "offset"}, {"wanted"});
  model.node("Min", {"wanted", "least"}, {"capped"}).node("Max", {"capped", "zero"}, {"length"});
  const std::string start = offset < 0 ? "zero" : "offset";
  model.node("Add", {start, "length"}, {"end"});
  return model.node("Slice", {"sums", start, "end", "axes"}, {"y"}).output("y");
}

TEST(Exports, Diagonal) {
  for (int64_t offset = -4; offset <= 6; ++offset)
    for (const auto& dims : {Dims{2, 3, 5}, Dims{1, 5, 3}, Dims{2, 4, 4}}) {
      std::vector<double> expected;
      int64_t length = 0;
      const Tensor x = counting(dims);
      const auto values = values_of(x);
      for (int64_t b = 0; b < dims[0]; ++b) {
        length = 0;
        for (int64_t r = 0; r < dims[1]; ++r)
          if (r + offset >= 0 && r + offset < dims[2]) {
            ++length;
            expected.push_back(
                values[static_cast<size_t>((b * dims[1] + r) * dims[2] + r + offset)]);
          }
      }
      SCOPED_TRACE("offset " + std::to_string(offset));
      expect_equal(run(diagonal(offset).read(), {x})[0], f32({dims[0], length}, expected));
    }
  EXPECT_THAT(compiled_kinds(diagonal(-1).read(), {counting({2, 3, 5})}),
              ElementsAre(UnorderedElementsAre("EyeLike", "Mul", "ReduceSum")));
}

// torch.eye(n, m) is decomposed: arange(n)[:, None] == arange(m), chosen between 1 and 0.
TEST(Exports, EyeByComparison) {
  OnnxModel model(18);
  model.input("x", iotadnn_f32, {-1, -1}).initializer("neg_1", s64({1}, {-1}));
  extent(model, "x", 0, "rows");
  extent(model, "x", 1, "columns");
  model.initializer("zero", s64({}, {0})).initializer("one", s64({}, {1}));
  model.initializer("off", f32({1}, {0})).initializer("on", f32({1}, {1}));
  model.node("Range", {"zero", "rows_scalar", "one"}, {"row"});
  model.node("Range", {"zero", "columns_scalar", "one"}, {"column"});
  model.node("Unsqueeze", {"row", "neg_1"}, {"row_column"});
  model.node("Equal", {"row_column", "column"}, {"equal"});
  model.node("Where", {"equal", "on", "off"}, {"eye"}).node("Sub", {"x", "eye"}, {"y"});
  const Model read = model.output("y").read();
  expect_equal(run(read, {counting({2, 3})})[0], f32({2, 3}, {0, 2, 3, 4, 4, 6}));
  expect_equal(run(read, {counting({3, 1})})[0], f32({3, 1}, {0, 2, 3}));
  EXPECT_THAT(
      compiled_kinds(read, {counting({2, 3})}),
      ElementsAre(UnorderedElementsAre("Range", "Range", "Unsqueeze", "Equal", "Where", "Sub")));
}

// scores.masked_fill(torch.ones(S, S).tril() == 0, -inf).softmax(-1) @ v
OnnxModel causal_attention() {
  OnnxModel model(18);
  model.input("q", iotadnn_f32, {-1, -1, 2}).input("v", iotadnn_f32, {-1, -1, 2});
  model.initializer("neg_1", s64({1}, {-1})).initializer("scale", f32({}, {0.5}));
  model.initializer("minus", f32({}, {-kInf})).initializer("nought", f32({}, {0}));
  extent(model, "q", 1, "length");
  model.node("Concat", {"length", "length"}, {"square"}, {attr("axis", 0)});
  model.initializer("one", f32({}, {1})).node("Expand", {"one", "square"}, {"ones"});
  model.node("Trilu", {"ones"}, {"tril"}, {attr("upper", 0)});
  model.node("Equal", {"tril", "nought"}, {"masked"});
  model.node("Transpose", {"q"}, {"q_t"}, {attr("perm", std::vector<int64_t>{0, 2, 1})});
  model.node("MatMul", {"q", "q_t"}, {"products"}).node("Mul", {"products", "scale"}, {"scores"});
  model.node("Where", {"masked", "minus", "scores"}, {"filled"});
  model.node("Softmax", {"filled"}, {"p"}, {attr("axis", -1)});
  return model.node("MatMul", {"p", "v"}, {"y"}).output("y");
}

TEST(Exports, CausalSelfAttention) {
  const Model read = causal_attention().read();
  for (const int64_t length : {1, 3, 17}) {
    const Tensor q = counting({2, length, 2});
    const auto values = values_of(q);
    const auto at = [&](int64_t b, int64_t r, int64_t c) {
      return values[static_cast<size_t>((b * length + r) * 2 + c)];
    };
    std::vector<double> expected;
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t r = 0; r < length; ++r) {
        std::vector<double> scores;
        for (int64_t k = 0; k <= r; ++k)
          scores.push_back((at(b, r, 0) * at(b, k, 0) + at(b, r, 1) * at(b, k, 1)) / 2);
        double sum = 0;
        double of[2] = {};
        for (int64_t k = 0; k <= r; ++k) {
          const double p = std::exp(scores[static_cast<size_t>(k)] - scores.back());
          sum += p;
          of[0] += p * at(b, k, 0);
          of[1] += p * at(b, k, 1);
        }
        expected.insert(expected.end(), {of[0] / sum, of[1] / sum});
      }
    expect_equal(run(read, {q, q})[0], f32({2, length, 2}, expected), 1e-5);
  }
  const Tensor q = counting({2, 3, 2});
  EXPECT_THAT(compiled_kinds(read, {q, q}),
              Contains(UnorderedElementsAre("Expand", "Trilu", "Equal", "MatMul", "Mul", "Where",
                                            "Softmax", "MatMul")));
}

// What a user does with an exported file.
TEST(Exports, TheCommandOnAFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "iotadnn_exports";
  fs::create_directories(folder);
  const std::string file = (folder / "attention.onnx").string();
  models::write_file(file, causal_attention().proto.SerializeAsString());
  const auto call = [&file](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, file);
    for (const char* input : {"q=2x33x2", "v=2x33x2"})
      arguments.insert(arguments.end(), {"--input", input});
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(tools::run_command(arguments, out, err), tools::kSuccess) << err.str();
    return out.str();
  };
  EXPECT_THAT(call({"inspect"}),
              testing::AllOf(HasSubstr("the_Trilu (Trilu)  f32[33, 33]  claimed: partition"),
                             HasSubstr("the_Where (Where)  f32[2, 33, 33]  claimed: partition"),
                             HasSubstr("1 compiled")));
  EXPECT_THAT(call({"run", "--check"}), HasSubstr("check: all outputs"));
  EXPECT_THAT(call({"bench"}), HasSubstr("Where"));
  fs::remove_all(folder);
}

// A decoder's mask: arange(total) <= arange(length)[:, None] + past, and tokens that are padding.
TEST(Exports, CausalMaskWithPaddingAndPast) {
  OnnxModel model(18);
  model.input("scores", iotadnn_f32, {-1, 1, -1, -1}).input("kept", iotadnn_boolean, {-1, -1});
  model.initializer("neg_1", s64({1}, {-1})).initializer("zero", s64({}, {0}));
  model.initializer("one", s64({}, {1})).initializer("axes", s64({2}, {1, 2}));
  model.initializer("least", f32({}, {-1e4}));
  extent(model, "scores", 2, "length");
  extent(model, "scores", 3, "total");
  model.node("Sub", {"total_scalar", "length_scalar"}, {"past"});
  model.node("Range", {"past", "total_scalar", "one"}, {"row"});
  model.node("Range", {"zero", "total_scalar", "one"}, {"column"});
  model.node("Unsqueeze", {"row", "neg_1"}, {"rows"});
  model.node("LessOrEqual", {"column", "rows"}, {"causal"});
  model.node("Unsqueeze", {"kept", "axes"}, {"padding"});
  model.node("And", {"causal", "padding"}, {"mask"});
  const Model read = model.node("Where", {"mask", "scores", "least"}, {"y"}).output("y").read();
  const Tensor kept = boolean({2, 4}, {1, 1, 1, 1, 0, 1, 1, 1});
  expect_equal(run(read, {counting({2, 1, 2, 4}), kept})[0],
               f32({2, 1, 2, 4}, {1, 2, 3, -1e4, 5, 6, 7, 8,  //
                                  -1e4, 10, 11, -1e4, -1e4, 14, 15, 16}));
  EXPECT_THAT(compiled_kinds(read, {counting({2, 1, 2, 4}), kept}),
              ElementsAre(UnorderedElementsAre("Range", "Range", "Unsqueeze", "LessOrEqual",
                                               "Unsqueeze", "And", "Where")));
}

}  // namespace
}  // namespace iotadnn::models_test
