// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/table.h"

namespace iotadnn::models {
namespace {

using namespace onnx_ops;

// clang-format off
constexpr OnnxRow kRows[] = {
    // name, first opset, inputs, how
    {"Abs",             6,  1, 1,     plain<Op::abs>},
    {"Add",             7,  2, 2,     plain<Op::add>},
    {"And",             7,  2, 2,     plain<Op::logical_and>},
    {"Attention",       23, 3, 7,     attention},
    {"Cast",            6,  1, 1,     cast},
    {"CastLike",        15, 2, 2,     cast_like},
    {"Ceil",            6,  1, 1,     plain<Op::ceil>},
    {"Clip",            6,  1, 3,     clip},
    {"Concat",          4,  1, kMany, concat},
    {"Constant",        1,  0, 0,     constant},
    {"ConstantOfShape", 9,  1, 1,     constant_of_shape},
    {"CumSum",          11, 2, 2,     cum_sum},
    {"Div",             7,  2, 2,     plain<Op::divide>},
    {"Equal",           7,  2, 2,     plain<Op::equal>},
    {"Exp",             6,  1, 1,     plain<Op::exp>},
    {"Expand",          8,  2, 2,     plain<Op::expand>},
    {"EyeLike",         9,  1, 1,     eye_like},
    {"Flatten",         1,  1, 1,     flatten},
    {"Floor",           6,  1, 1,     plain<Op::floor>},
    {"Gather",          1,  2, 2,     gather},
    {"Greater",         7,  2, 2,     plain<Op::greater>},
    {"GreaterOrEqual",  12, 2, 2,     plain<Op::greater_equal>},
    {"Identity",        1,  1, 1,     plain<Op::identity>},
    {"Less",            7,  2, 2,     plain<Op::less>},
    {"LessOrEqual",     12, 2, 2,     plain<Op::less_equal>},
    {"Log",             6,  1, 1,     plain<Op::log>},
    {"MatMul",          1,  2, 2,     plain<Op::matmul>},
    {"Max",             6,  1, kMany, max},
    {"Min",             6,  1, kMany, min},
    {"Mod",             10, 2, 2,     mod},
    {"Mul",             7,  2, 2,     plain<Op::multiply>},
    {"Neg",             6,  1, 1,     plain<Op::negative>},
    {"Not",             1,  1, 1,     plain<Op::logical_not>},
    {"OneHot",          9,  3, 3,     one_hot},
    {"Or",              7,  2, 2,     plain<Op::logical_or>},
    {"Pow",             7,  2, 2,     pow},
    {"Range",           11, 3, 3,     plain<Op::range>},
    {"Reciprocal",      6,  1, 1,     plain<Op::reciprocal>},
    {"ReduceMax",       1,  1, 2,     reduce_max},
    {"ReduceMean",      1,  1, 2,     reduce_mean},
    {"ReduceMin",       1,  1, 2,     reduce_min},
    {"ReduceProd",      1,  1, 2,     reduce_prod},
    {"ReduceSum",       1,  1, 2,     reduce_sum},
    {"Relu",            6,  1, 1,     plain<Op::relu>},
    {"Reshape",         5,  2, 2,     reshape},
    {"Shape",           1,  1, 1,     shape},
    {"Sigmoid",         6,  1, 1,     plain<Op::sigmoid>},
    {"Size",            1,  1, 1,     plain<Op::size>},
    {"Slice",           1,  1, 5,     slice},
    {"Softmax",         1,  1, 1,     softmax},
    {"Split",           2,  1, 2,     split},
    {"Sqrt",            6,  1, 1,     plain<Op::sqrt>},
    {"Squeeze",         1,  1, 2,     squeeze},
    {"Sub",             7,  2, 2,     plain<Op::subtract>},
    {"Tanh",            6,  1, 1,     plain<Op::tanh>},
    {"Transpose",       1,  1, 1,     transpose},
    {"Trilu",           14, 1, 2,     trilu},
    {"Unsqueeze",       1,  1, 2,     unsqueeze},
    {"Where",           9,  3, 3,     plain<Op::select>},
    {"Xor",             7,  2, 2,     plain<Op::logical_xor>},
};
// clang-format on

}  // namespace

const OnnxRow* find_onnx_row(const std::string& op_type) {
  return find_row(kRows, op_type);
}

}  // namespace iotadnn::models
