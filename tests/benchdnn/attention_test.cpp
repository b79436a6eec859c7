// SPDX-License-Identifier: Apache-2.0
// What inputs of attention graphs hold, by what the graphs do with them, and how results are
// compared.
#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/attention_fill.h"
#include "benchdnn/compare.h"
#include "benchdnn/rewrite.h"
#include "frontends/benchdnn_json.h"
#include "support/numbers.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using testing::AnyOf;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A graph of benchdnn_inputs/graph/attention with the knobs of a case.
GraphDesc attention(const std::string& name, const IdValues& in_shapes = {}) {
  CaseSettings settings;
  settings.in_shapes = in_shapes;
  GraphDesc graph = frontends::read_benchdnn_json_file(
      IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/attention/" + name + ".json");
  rewrite(graph, settings);
  return graph;
}

// Elements in row-major order, from memory with any strides.
std::vector<double> filled(const GraphDesc& graph, AttentionFill fill, size_t id,
                           const std::vector<int64_t>& strides = {}) {
  const frontends::TensorDesc& tensor = graph.tensors.at(id);
  TensorView view{nullptr, tensor.data_type, *tensor.dims, strides};
  if (strides.empty()) view.strides = test::dense_strides(view.dims);
  const auto bytes = static_cast<size_t>(test::is_floating(tensor.data_type)
                                             ? (tensor.data_type == iotadnn_f32 ? 4 : 2)
                                             : (tensor.data_type == iotadnn_s32 ? 4 : 1));
  std::vector<unsigned char> memory(static_cast<size_t>(test::span_of(view.dims, view.strides)) *
                                    bytes);
  view.data = memory.data();
  EXPECT_TRUE(AttentionContent(graph, fill).fill(id, view)) << id;
  std::vector<double> elements;
  test::for_each_element(view.dims, view.strides, [&](const std::vector<int64_t>&, int64_t offset) {
    test::Element e{tensor.data_type, 0};
    std::memcpy(&e.bits, &memory[static_cast<size_t>(offset) * bytes], bytes);
    elements.push_back(test::is_floating(e.type) ? static_cast<double>(test::real_of(e))
                                                 : static_cast<double>(test::integer_of(e)));
    return true;
  });
  return elements;
}

double scalar(const GraphDesc& graph, AttentionFill fill, size_t id) {
  const GraphDesc with = AttentionContent(graph, fill).with_scalars();
  const auto& value = with.tensors.at(id).value;
  EXPECT_TRUE(value.has_value()) << id;
  return std::visit([](const auto& list) { return static_cast<double>(list.at(0)); }, *value);
}

// Tensor ids of the files: 0, 1, 2 are queries, keys and values, 4 is the scale.
TEST(AttentionRoles, OfAMaskMadeOfCoordinates) {
  const GraphDesc graph = attention("implicit-causal");
  const auto roles = attention_roles(graph);
  EXPECT_TRUE(roles.attention);
  EXPECT_TRUE(roles.empty_rows);
  EXPECT_EQ(roles.inputs.at(0).role, Role::factor);
  EXPECT_EQ(roles.inputs.at(1).role, Role::factor);
  EXPECT_EQ(roles.inputs.at(0).sum_axis, 3u);
  EXPECT_EQ(roles.inputs.at(1).sum_axis, 3u);
  EXPECT_EQ(roles.inputs.at(1).sum_extent, 128);
  EXPECT_EQ(roles.inputs.at(2).role, Role::value);
  EXPECT_EQ(roles.inputs.at(4).role, Role::scale);
  EXPECT_EQ(roles.inputs.size(), 4u);  // -inf is the file's
}

TEST(AttentionRoles, OtherGraphsHaveNone) {
  const GraphDesc graph = frontends::read_benchdnn_json_file(
      IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/fusion/refused/attention.json");
  EXPECT_FALSE(attention_roles(graph).attention) << "nothing is multiplied by the probabilities";
  EXPECT_TRUE(attention_roles(graph).inputs.empty());
}

TEST(AttentionFill, MaskedValueIsMinusInfinity) {
  GraphDesc graph = attention("implicit-causal");
  size_t value = 0;
  for (const auto& [id, tensor] : graph.tensors)
    if (tensor.value) value = id;
  graph.tensors.at(value).value.reset();
  for (const AttentionFill fill : {AttentionFill::onednn, AttentionFill::small})
    EXPECT_EQ(scalar(graph, fill, value), -kInfinity);
}

TEST(AttentionFill, LengthsFollowFromTheShapes) {
  const GraphDesc graph =
      attention("bottom-right", {{0, "1x2x37x16"}, {1, "1x2x53x16"}, {2, "1x2x53x16"}});
  std::vector<double> lengths;
  const auto roles = attention_roles(graph);
  for (const auto& [id, role] : roles.inputs)
    if (role.role == Role::length) lengths.push_back(scalar(graph, AttentionFill::onednn, id));
  EXPECT_EQ(lengths, (std::vector<double>{53, 37}));
}

TEST(AttentionFill, ScalesArePowersOfTwo) {
  for (const char* name : {"implicit-causal", "bottom-right"})
    EXPECT_THAT(scalar(attention(name), AttentionFill::onednn, 4), AnyOf(0.25, 0.5, 1.0));
  EXPECT_NEAR(scalar(attention("implicit-causal"), AttentionFill::small, 4), std::sqrt(1.0 / 128),
              1e-8);
}

TEST(AttentionFill, AnExplicitMaskIsCausalAndKeepsAKeyForEveryQuery) {
  const GraphDesc graph = attention(
      "explicit-mask", {{0, "1x2x4x16"}, {1, "1x2x6x16"}, {2, "1x2x6x16"}, {6, "1x1x4x6"}});
  const std::vector<double> mask = filled(graph, AttentionFill::small, 6);
  for (size_t query = 0; query < 4; ++query)
    for (size_t key = 0; key < 6; ++key)
      EXPECT_EQ(mask[query * 6 + key], key <= query ? 0 : -kInfinity);
}

TEST(AttentionFill, SlopesHalveFromHeadToHead) {
  const GraphDesc graph =
      attention("alibi", {{0, "1x3x4x16"}, {1, "1x3x6x16"}, {2, "1x3x6x16"}, {8, "3x1x1"}});
  const auto roles = attention_roles(graph);
  ASSERT_EQ(roles.inputs.at(8).role, Role::slope);
  EXPECT_EQ(filled(graph, AttentionFill::small, 8), (std::vector<double>{0.5, 0.25, 0.125}));
}

// Scores in f64, before and after the scale.
double largest_score(const GraphDesc& graph, AttentionFill fill, int64_t queries, int64_t keys,
                     int64_t head) {
  const std::vector<double> q = filled(graph, fill, 0);
  const std::vector<double> k = filled(graph, fill, 1);
  double largest = 0;
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < head; ++d)
        score += q[static_cast<size_t>(i * head + d)] * k[static_cast<size_t>(j * head + d)];
      largest = std::max(largest, std::fabs(score));
    }
  return largest * scalar(graph, fill, 4);
}

TEST(AttentionFill, ScoresAreSmallOrLarge) {
  for (const int64_t head : {1, 3, 4, 5, 64, 128}) {
    const std::string shape = "1x1x200x" + std::to_string(head);
    const GraphDesc graph = attention("no-mask", {{0, shape}, {1, shape}, {2, shape}});
    const double small = largest_score(graph, AttentionFill::small, 200, 200, head);
    EXPECT_LE(small, 8) << head;
    EXPECT_GE(small, 4) << head;
    if (head < 64) continue;
    EXPECT_GE(largest_score(graph, AttentionFill::onednn, 200, 200, head), 1000) << head;
  }
}

TEST(AttentionFill, ElementsDoNotDependOnStrides) {
  const GraphDesc graph = attention("no-mask", {{0, "1x2x5x16"}, {1, "1x2x5x16"}, {2, "1x2x5x16"}});
  for (const AttentionFill fill : {AttentionFill::onednn, AttentionFill::small})
    for (const size_t id : {0, 1, 2})
      EXPECT_EQ(filled(graph, fill, id), filled(graph, fill, id, {200, 16, 40, 1}));
}

Tolerance near(double of_largest, bool by_norm) {
  Tolerance tolerance;
  tolerance.of_largest = of_largest;
  tolerance.by_norm = by_norm;
  return tolerance;
}

// Errors of a damaged copy of 2048 ones.
int64_t errors_of(const std::vector<std::pair<size_t, float>>& damage, const Tolerance& tolerance) {
  std::vector<float> want(2048, 1);
  std::vector<float> got = want;
  for (const auto& [at, value] : damage)
    got[at] = value;
  const TensorView expected{want.data(), iotadnn_f32, {2048}, {1}};
  const TensorView found{got.data(), iotadnn_f32, {2048}, {1}};
  testing::internal::CaptureStdout();
  const CompareResult result = compare_numbers(found, expected, "DST", tolerance, 0);
  testing::internal::GetCapturedStdout();
  return result.errors;
}

TEST(AttentionTolerance, DecidesByTheLargestElementOrTheNorm) {
  EXPECT_EQ(errors_of({}, {}), 0);
  EXPECT_EQ(errors_of({{7, 1.01f}}, {}), 1);
  EXPECT_EQ(errors_of({{7, 1.01f}}, near(0.02, false)), 0);
  EXPECT_EQ(errors_of({{7, 1.03f}}, near(0.02, false)), 1);
  // Two of 2048 may be anything that the norm allows: 3e-3 * sqrt(2048) = 0.136.
  EXPECT_EQ(errors_of({{7, 1.09f}, {8, 0.91f}}, near(0, true)), 0);
  EXPECT_EQ(errors_of({{7, 1.09f}, {8, 0.91f}, {9, 1.01f}}, near(0, true)), 3);
  EXPECT_EQ(errors_of({{7, 1.2f}}, near(0, true)), 1);
  EXPECT_EQ(errors_of({{7, 1.01f}, {8, 0.99f}, {9, 1.01f}}, near(0.02, true)), 0);
  // No norm includes what is not a number.
  for (const float value : {std::numeric_limits<float>::infinity(), std::nanf("")})
    EXPECT_EQ(errors_of({{7, value}}, near(0.02, true)), 1);
}

}  // namespace
}  // namespace iotadnn::benchdnn
