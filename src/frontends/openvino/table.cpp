// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/table.h"

namespace iotadnn::models {
namespace {

using namespace ir_ops;

// Parameter, Const and Result are read by reader.cpp.
// clang-format off
constexpr IrRow kRows[] = {
    // type, first opset, inputs, how
    {"Abs",               1, 1, 1,     plain<Op::abs>},
    {"Add",               1, 2, 2,     binary<Op::add>},
    {"Broadcast",         1, 2, 3,     broadcast},
    {"Ceiling",           1, 1, 1,     plain<Op::ceil>},
    {"Clamp",             1, 1, 1,     clamp},
    {"Concat",            1, 1, kMany, concat},
    {"Convert",           1, 1, 1,     convert},
    {"ConvertLike",       1, 2, 2,     convert_like},
    {"CumSum",            3, 1, 2,     cum_sum},
    {"Divide",            1, 2, 2,     divide},
    {"Equal",             1, 2, 2,     binary<Op::equal>},
    {"Exp",               1, 1, 1,     plain<Op::exp>},
    {"Eye",               9, 3, 4,     eye},
    {"Floor",             1, 1, 1,     plain<Op::floor>},
    {"FloorMod",          1, 2, 2,     floor_mod},
    {"Gather",            1, 3, 3,     gather},
    {"Greater",           1, 2, 2,     binary<Op::greater>},
    {"GreaterEqual",      1, 2, 2,     binary<Op::greater_equal>},
    {"Less",              1, 2, 2,     binary<Op::less>},
    {"LessEqual",         1, 2, 2,     binary<Op::less_equal>},
    {"Log",               1, 1, 1,     plain<Op::log>},
    {"LogicalAnd",        1, 2, 2,     binary<Op::logical_and>},
    {"LogicalNot",        1, 1, 1,     plain<Op::logical_not>},
    {"LogicalOr",         1, 2, 2,     binary<Op::logical_or>},
    {"LogicalXor",        1, 2, 2,     binary<Op::logical_xor>},
    {"MatMul",            1, 2, 2,     matmul},
    {"Maximum",           1, 2, 2,     binary<Op::maximum>},
    {"Minimum",           1, 2, 2,     binary<Op::minimum>},
    {"Mod",               1, 2, 2,     mod},
    {"Multiply",          1, 2, 2,     binary<Op::multiply>},
    {"Negative",          1, 1, 1,     plain<Op::negative>},
    {"NotEqual",          1, 2, 2,     binary<Op::not_equal>},
    {"Power",             1, 2, 2,     binary<Op::power>},
    {"Range",             1, 3, 3,     range},
    {"ReLU",              1, 1, 1,     plain<Op::relu>},
    {"ReduceMax",         1, 2, 2,     reduce<Op::reduce_max>},
    {"ReduceMean",        1, 2, 2,     reduce<Op::reduce_mean>},
    {"ReduceMin",         1, 2, 2,     reduce<Op::reduce_min>},
    {"ReduceProd",        1, 2, 2,     reduce<Op::reduce_prod>},
    {"ReduceSum",         1, 2, 2,     reduce<Op::reduce_sum>},
    {"Reshape",           1, 2, 2,     reshape},
    {"ScaledDotProductAttention", 13, 3, 5, scaled_dot_product_attention},
    {"Select",            1, 3, 3,     ir_ops::select},
    {"ShapeOf",           1, 1, 1,     shape_of},
    {"Sigmoid",           1, 1, 1,     plain<Op::sigmoid>},
    {"Slice",             8, 4, 5,     slice},
    {"SoftMax",           1, 1, 1,     softmax},
    {"Softmax",           1, 1, 1,     softmax},
    {"Sqrt",              1, 1, 1,     plain<Op::sqrt>},
    {"SquaredDifference", 1, 2, 2,     squared_difference},
    {"Squeeze",           1, 1, 2,     squeeze},
    {"Subtract",          1, 2, 2,     binary<Op::subtract>},
    {"Tanh",              1, 1, 1,     plain<Op::tanh>},
    {"Transpose",         1, 2, 2,     transpose},
    {"Unsqueeze",         1, 2, 2,     unsqueeze},
};
// clang-format on

}  // namespace

const IrRow* find_ir_row(const std::string& type) {
  return find_row(kRows, type);
}

}  // namespace iotadnn::models
