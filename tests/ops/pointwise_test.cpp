// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "ops/reference_runner.h"
#include "support/pointwise_oracle.h"

// Every pointwise op of the table, over all its types and special values, against the oracle.
namespace iotadnn::impl {
namespace {

using test::Element;
using test::Filled;
using test::filled;
using test::make_op;
using test::PointwiseAttrs;
using test::special_values;
using test::tensor;
using test::unknown_rank;

using Attrs = std::map<AttrId, AttrValue>;

// "| Exp | 0.51 | 1 |" of doc/ops.md: the largest error of an op's 16- and 32-bit types, and of
// f64.
struct MaxUlp {
  double narrow = 0;
  double f64 = 0;
};

std::map<std::string, MaxUlp> documented_ulps() {
  std::map<std::string, MaxUlp> ulps;
  std::ifstream page(IOTADNN_SOURCE_DIR "/doc/ops.md");
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    in_table = line.rfind("| op | bf16, f16, f32 | f64 |", 0) == 0 || (in_table && line[0] == '|');
    if (!in_table || line.find_first_of("0123456789", 3) == std::string::npos) continue;
    std::istringstream cells(line);
    std::string bar;
    std::string name;
    MaxUlp max;
    if (cells >> bar >> name >> bar >> max.narrow >> bar >> max.f64) ulps[name] = max;
  }
  return ulps;
}

struct Types {
  std::vector<DataType> inputs;
  DataType output;
};

// The combinations of types that a signature allows; where types are free, the diagonal and a few.
std::vector<Types> combinations(const OpDef& def) {
  const Signature& s = *def.signature;
  std::vector<Types> all;
  for (const DataType in : kComputedTypes)
    for (const DataType out : kComputedTypes) {
      Types types{{}, out};
      for (const PortSpec& port : s.inputs)
        types.inputs.push_back(port.types.has(in) ? in : DataType::boolean);
      bool fits = s.outputs[0].types.has(out) && s.inputs[s.inputs.size() - 1].types.has(in);
      for (size_t p = 0; p < s.inputs.size(); ++p)
        fits = fits && s.inputs[p].types.has(types.inputs[p]);
      if (def.name == "Select") types.inputs[0] = DataType::boolean;
      if (s.outputs[0].variable != 0) fits = fits && in == out;
      if (def.name == "TypeCast") fits = fits && in != out;
      if (fits) all.push_back(types);
    }
  return all;
}

// Port p's values lie along a dimension of their own, so that all combinations meet by
// broadcasting.
std::vector<Filled> all_pairs(const std::vector<DataType>& types) {
  std::vector<Filled> inputs;
  for (size_t p = 0; p < types.size(); ++p) {
    const auto& values = special_values(static_cast<int>(types[p]));
    std::vector<int64_t> dims(types.size() - p, 1);
    dims[0] = static_cast<int64_t>(values.size());
    inputs.push_back(filled(p, types[p], dims, values));
  }
  return inputs;
}

Attrs attrs_of(std::string_view name, const PointwiseAttrs& values) {
  if (name == "Pow") return {{attr_id::kBeta, values.beta}};
  if (name == "Clamp") return {{attr_id::kMin, values.min}, {attr_id::kMax, values.max}};
  return {};
}

void expect_oracle(const OpDef& def, const Types& types, const PointwiseAttrs& values) {
  const auto inputs = all_pairs(types.inputs);
  std::vector<LogicalTensor> tensors;
  for (const Filled& in : inputs)
    tensors.push_back(in.lt);
  const Op op =
      make_op(def.name, 0, tensors, {unknown_rank(9, types.output)}, attrs_of(def.name, values));
  const auto got = run_reference(op, inputs);
  ASSERT_TRUE(got.status.ok()) << got.status.message();
  static const auto ulps = documented_ulps();
  const auto ulp = ulps.find(std::string(def.name));
  const long double max_ulp = static_cast<long double>(
      ulp == ulps.end() ? 0
                        : (types.output == DataType::f64 ? ulp->second.f64 : ulp->second.narrow));
  size_t next = 0;
  const std::vector<int64_t> strides(got.dims.size(), 0);
  test::for_each_element(got.dims, strides, [&](const std::vector<int64_t>& index, int64_t) {
    std::vector<Element> operands;
    for (size_t p = 0; p < types.inputs.size(); ++p)
      operands.push_back(
          special_values(static_cast<int>(types.inputs[p]))[static_cast<size_t>(index[p])]);
    const auto want =
        test::pointwise_element(def.name, operands, static_cast<int>(types.output), values);
    const Element& found = got.elements[next++];
    const bool right = test::allows(want, found, max_ulp);
    std::string of;
    for (const Element& e : operands)
      of += " " + test::text_of(e);
    EXPECT_TRUE(right) << def.name << " of" << of << " is " << test::text_of(found) << ", want "
                       << test::text_of(want.element);
    return right;
  });
}

class Pointwise : public testing::TestWithParam<const OpDef*> {};

TEST_P(Pointwise, EveryTypeAndSpecialValue) {
  const OpDef& def = *GetParam();
  const auto types = combinations(def);
  ASSERT_FALSE(types.empty());
  for (const Types& t : types) {
    if (def.name == "Pow")
      for (const float beta : {0.0f, 1.0f, 2.0f, -1.0f, 0.5f, 0.3f, -2.7f})
        expect_oracle(def, t, {beta, 0, 0});
    else if (def.name == "Clamp")
      for (const float max : {0.5f, 3.0f, 200.0f, 1e10f})
        expect_oracle(def, t, {0, -max / 2, max});
    else
      expect_oracle(def, t, {});
  }
}

// oneDNN's arithmetic takes mixed types, too.
TEST(PointwiseTypes, MixedArithmetic) {
  const Types mixes[] = {{{DataType::f32, DataType::bf16}, DataType::f32},
                         {{DataType::bf16, DataType::f16}, DataType::bf16},
                         {{DataType::s8, DataType::s64}, DataType::s16},
                         {{DataType::u64, DataType::s8}, DataType::u8},
                         {{DataType::s32, DataType::f32}, DataType::s32},
                         {{DataType::u8, DataType::f64}, DataType::f16}};
  for (const char* name : {"Add", "Subtract", "Multiply", "Divide"})
    for (const Types& types : mixes)
      expect_oracle(*find_op(name), types, {});
}

std::vector<const OpDef*> pointwise_rows() {
  std::vector<const OpDef*> rows;
  for (const OpDef& def : op_table())
    if (def.op_class == OpClass::pointwise) rows.push_back(&def);
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Table, Pointwise, testing::ValuesIn(pointwise_rows()),
                         [](const auto& tested) { return std::string(tested.param->name); });

Op add_of(const std::vector<Filled>& in, const LogicalTensor& out) {
  return make_op("Add", 0, {in[0].lt, in[1].lt}, {out});
}

TEST(PointwiseLayouts, AnyStridesAndScalars) {
  constexpr auto s32 = DataType::s32;
  const auto e = [](const std::vector<int64_t>& v) { return test::elements_of(s32, v); };
  const std::vector<Filled> turned = {filled(0, s32, {2, 3}, e({1, 2, 3, 4, 5, 6}), {1, 2}),
                                      filled(1, s32, {2, 3}, e({10, 20, 30, 40, 50, 60}), {8, 2})};
  EXPECT_TRUE(gives(add_of(turned, tensor(2, s32, {2, 3}, {1, 5})), turned, {2, 3},
                    e({11, 22, 33, 44, 55, 66})));
  const std::vector<Filled> scalars = {test::scalar_of(0, s32, e({7})[0]),
                                       test::scalar_of(1, s32, e({5})[0])};
  EXPECT_TRUE(gives(add_of(scalars, unknown_rank(2, s32)), scalars, {}, e({12})));
  const std::vector<Filled> shifted = {filled(0, s32, {3}, e({1, 2, 3})),
                                       test::scalar_of(1, s32, e({5})[0])};
  EXPECT_TRUE(gives(add_of(shifted, unknown_rank(2, s32)), shifted, {3}, e({6, 7, 8})));
  const std::vector<Filled> empty = {filled(0, s32, {2, 0}, {}), filled(1, s32, {1}, e({1}))};
  EXPECT_TRUE(gives(add_of(empty, unknown_rank(2, s32)), empty, {2, 0}, {}));
}

TEST(PointwiseLayouts, RowsLongerThanOnePass) {
  std::vector<int64_t> values(1000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int64_t>(i * i);
  const auto e = test::elements_of(DataType::s64, values);
  const Filled in = filled(0, DataType::s64, {2, 500}, e);
  const Op op = make_op("Negative", 0, {in.lt}, {unknown_rank(1, DataType::s64)});
  for (int64_t& v : values)
    v = -v;
  EXPECT_TRUE(gives(op, {in}, {2, 500}, test::elements_of(DataType::s64, values)));
}

}  // namespace
}  // namespace iotadnn::impl
