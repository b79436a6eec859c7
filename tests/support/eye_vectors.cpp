// SPDX-License-Identifier: Apache-2.0
#include "support/eye_vectors.h"

#include <limits>

namespace iotadnn::test {

std::vector<EyeVector> openvino_eye_vectors() {
  using namespace type_number;  // NOLINT(google-build-using-namespace)
  const std::vector<int64_t> two = {2};
  return {
      {"r3c2k0", {1, 1, 1}, 3, 2, 0, {}, f32, {{0, 0}, {1, 1}}},
      {"r2c4k2", {0, 0, 0}, 2, 4, 2, {}, s8, {{0, 2}, {1, 3}}},
      {"r4c2km3", {1, 1, 0}, 4, 2, -3, {}, s64, {{3, 0}}},
      {"r1c4k10", {0, 0, 0}, 1, 4, 10, {}, s8, {}},
      {"b2r3c3k0", {1, 1, 1}, 3, 3, 0, two, f32, {{0, 0}, {1, 1}, {2, 2}}},
      {"b2r4c4k0", {1, 1, 1}, 4, 4, 0, two, f32, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
      {"b2r3c4k0", {1, 1, 1}, 3, 4, 0, two, f32, {{0, 0}, {1, 1}, {2, 2}}},
      {"b2r4c3k0", {1, 1, 1}, 4, 3, 0, two, s8, {{0, 0}, {1, 1}, {2, 2}}},
      {"b2r3c4k1", {1, 1, 1}, 3, 4, 1, two, f32, {{0, 1}, {1, 2}, {2, 3}}},
      {"b2r4c3k1", {1, 1, 1}, 4, 3, 1, two, f32, {{0, 1}, {1, 2}}},
      {"b2r3c4k2", {1, 1, 1}, 3, 4, 2, two, s8, {{0, 2}, {1, 3}}},
      {"b2r4c3k2", {1, 1, 1}, 4, 3, 2, two, s8, {{0, 2}}},
      {"b2r3c4km1", {1, 1, 1}, 3, 4, -1, two, s8, {{1, 0}, {2, 1}}},
      {"b2r4c3km1", {1, 1, 1}, 4, 3, -1, two, s8, {{1, 0}, {2, 1}, {3, 2}}},
      {"b2r3c4km2", {1, 1, 1}, 3, 4, -2, two, s8, {{2, 0}}},
      {"b2r4c3km2", {1, 1, 1}, 4, 3, -2, two, s8, {{2, 0}, {3, 1}}},
      {"b2r6c5k1", {1, 1, 1}, 6, 5, 1, two, s32, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}},
      {"b2x2r2c4k2", {1, 1, 1}, 2, 4, 2, {{2, 2}}, s64, {{0, 2}, {1, 3}}},
      {"b1x3r2c2k3", {1, 1, 1}, 2, 2, 3, {{1, 3}}, u8, {}},
      {"doc_r3c4k2", {0, 0, 0}, 3, 4, 2, {}, s32, {{0, 2}, {1, 3}}},
      {"doc_r3c4km1", {0, 0, 0}, 3, 4, -1, {}, s32, {{1, 0}, {2, 1}}},
      {"doc_b1x2r2c2k5", {0, 0, 0}, 2, 2, 5, {{1, 2}}, f16, {}},
      {"empty_batch_list", {0, 0, 0}, 2, 2, 0, std::vector<int64_t>(), f32, {{0, 0}, {1, 1}}},
  };
}

std::vector<EyeLikeVector> eye_like_vectors() {
  using namespace type_number;  // NOLINT(google-build-using-namespace)
  const Cells four = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  const int64_t far = -(int64_t{1} << 62);
  return {
      {"onnx_without_dtype", 4, 4, 0, s32, s32, four},
      {"onnx_with_dtype", 3, 4, 0, s32, f64, {{0, 0}, {1, 1}, {2, 2}}},
      {"onnx_populate_off_main_diagonal", 4, 5, 1, s32, f32, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}},
      {"ort_default", 3, 2, 0, f32, f32, {{0, 0}, {1, 1}}},
      {"ort_s64", 3, 3, 0, f32, s64, {{0, 0}, {1, 1}, {2, 2}}},
      {"ort_s64_k3", 3, 2, 3, f32, s64, {}},
      {"ort_s64_km3", 3, 2, -3, f32, s64, {}},
      {"ort_k2", 3, 4, 2, f32, f32, {{0, 2}, {1, 3}}},
      {"ort_k1", 3, 2, 1, f32, f32, {{0, 1}}},
      {"ort_km1", 3, 2, -1, f32, f32, {{1, 0}, {2, 1}}},
      {"ort_km2", 3, 4, -2, f32, f32, {{2, 0}}},
      {"migraphx_k_outofbounds_pos", 3, 4, 4, f32, f32, {}},
      {"migraphx_k_outofbounds_neg", 2, 4, -2, f32, f32, {}},
      {"onnxruntime_24441_boolean", 4, 4, 0, boolean, boolean, four},
      {"onnxruntime_24441_f16", 4, 4, 0, f16, f16, four},
      {"onnx_7031_s32_stays_s32", 4, 4, 0, s32, s32, four},
      {"openvino_12746_k4", 3, 4, 4, f32, f32, {}},
      {"openvino_12746_km3", 3, 4, -3, f32, f32, {}},
      {"openvino_12746_k100", 3, 4, 100, f32, f32, {}},
      {"mxnet_20963_far_below", 4, 3, far, f32, f32, {}},
      {"torch_mlir_2994_3x5", 3, 5, -1, f32, f32, {{1, 0}, {2, 1}}},
      {"torch_mlir_2994_5x3", 5, 3, -1, f32, f32, {{1, 0}, {2, 1}, {3, 2}}},
      {"burn_3731_1x1", 1, 1, 0, f32, f32, {{0, 0}}},
      {"burn_3731_1x8_k5", 1, 8, 5, f32, f32, {{0, 5}}},
      {"burn_3731_km5", 6, 4, -5, boolean, boolean, {{5, 0}}},
  };
}

std::vector<EyeShapeVector> eye_shape_vectors() {
  using namespace type_number;  // NOLINT(google-build-using-namespace)
  const EyePort unknown_batch_of_3 = {s64, 1, {3}, {}, false};
  const EyePort batch_of_unknown_length = {s64, 1, {-1}, {}, false};
  const EyePort batch_of_unknown_rank = {s64, -1, {}, {}, false};
  return {
      {"6x3", {eye_scalar(6), eye_scalar(3), eye_scalar(0)}, bf16, 2, {6, 3}},
      {"one_element_lists", {eye_list({6}), eye_list({3}), eye_list({0})}, f32, 2, {6, 3}},
      {"b2", {eye_scalar(6), eye_scalar(3), eye_scalar(0), eye_list({2})}, f32, 3, {2, 6, 3}},
      {"b3x1x2",
       {eye_scalar(2), eye_scalar(16), eye_scalar(0), eye_list({3, 1, 2})},
       f32,
       5,
       {3, 1, 2, 2, 16}},
      {"mixed_index_types",
       {eye_scalar(8), eye_scalar(5), eye_scalar(0, s32), eye_list({2, 4, 1}, s32)},
       s32,
       5,
       {2, 4, 1, 8, 5}},
      {"unknown_rows", {eye_unknown_scalar(), eye_scalar(4), eye_scalar(0)}, f32, 2, {-1, 4}},
      {"unknown_columns", {eye_scalar(4), eye_unknown_scalar(), eye_scalar(0)}, f32, 2, {4, -1}},
      {"unknown_diagonal", {eye_scalar(4), eye_scalar(5), eye_unknown_scalar()}, f32, 2, {4, 5}},
      {"unknown_batch_values",
       {eye_scalar(5), eye_scalar(6), eye_scalar(0), unknown_batch_of_3},
       f32,
       5,
       {-1, -1, -1, 5, 6}},
      {"unknown_batch_length",
       {eye_scalar(5), eye_scalar(6), eye_scalar(0), batch_of_unknown_length},
       f32,
       -1,
       {}},
      {"unknown_batch_rank",
       {eye_scalar(5), eye_scalar(6), eye_scalar(0), batch_of_unknown_rank},
       f32,
       -1,
       {}},
      {"scalars_of_unknown_rank",
       {EyePort{s64, -1, {}, {}, false}, EyePort{s32, 1, {-1}, {}, false}, eye_scalar(0)},
       f32,
       2,
       {-1, -1}},
      {"zero_extents",
       {eye_scalar(0), eye_scalar(0), eye_scalar(0), eye_list({0})},
       f32,
       3,
       {0, 0, 0}},
  };
}

std::vector<EyeErrorVector> eye_error_vectors() {
  using namespace type_number;  // NOLINT(google-build-using-namespace)
  const auto scalar = [](int64_t v) { return eye_scalar(v); };
  const int64_t int32_limit = std::numeric_limits<int32_t>::max();
  return {
      {"rows_of_bf16",
       {eye_scalar(1, bf16), scalar(3), scalar(0)},
       f32,
       true,
       {"num_rows", "bf16", "s32, s64"}},
      {"columns_of_f32",
       {scalar(3), eye_scalar(3, f32), scalar(0)},
       f32,
       true,
       {"num_columns", "f32", "s32, s64"}},
      {"cupynumeric_581_float_diagonal",
       {scalar(3), scalar(3), eye_scalar(0, f32)},
       f32,
       true,
       {"diagonal_index", "f32", "s32, s64"}},
      {"batch_of_u8",
       {scalar(3), scalar(3), scalar(0), eye_list({2}, u8)},
       f32,
       true,
       {"batch_shape", "u8", "s32, s64"}},
      {"rows_of_rank_2",
       {EyePort{s64, 2, {1, 1}, {3}, true}, scalar(3), scalar(0)},
       f32,
       true,
       {"num_rows", "rank 2", "scalar"}},
      {"columns_of_shape_2x1",
       {scalar(3), EyePort{s64, 2, {2, 1}, {3, 3}, true}, scalar(0)},
       f32,
       true,
       {"num_columns", "rank 2"}},
      {"columns_of_3_elements",
       {scalar(3), eye_list({3, 3, 3}), scalar(0)},
       f32,
       true,
       {"num_columns", "3 elements", "one"}},
      {"diagonal_of_shape_1x2x1",
       {scalar(3), scalar(3), EyePort{s64, 3, {1, 2, 1}, {0, 0}, true}},
       f32,
       true,
       {"diagonal_index", "rank 3"}},
      {"batch_of_rank_2",
       {scalar(3), scalar(3), scalar(0), EyePort{s64, 2, {1, 1}, {2}, true}},
       f32,
       true,
       {"batch_shape", "rank 2", "1"}},
      {"batch_of_rank_0",
       {scalar(3), scalar(3), scalar(0), eye_scalar(2)},
       f32,
       true,
       {"batch_shape", "rank 0", "1"}},
      {"one_input", {scalar(3)}, f32, true, {"1 input,", "num_rows"}},
      {"two_inputs", {scalar(3), scalar(3)}, f32, true, {"2 inputs,", "num_rows"}},
      {"five_inputs",
       {scalar(3), scalar(3), scalar(0), eye_list({2}), eye_list({2})},
       f32,
       true,
       {"5 inputs", "0 to 4"}},
      {"output_of_s4", {scalar(3), scalar(3), scalar(0)}, 11, true, {"output 0", "s4", "f32"}},
      {"negative_rows",
       {scalar(-4), scalar(3), scalar(0)},
       f32,
       false,
       {"num_rows is -4", "allowed: 0 to"}},
      {"negative_columns", {scalar(3), scalar(-6), scalar(0)}, f32, false, {"num_columns is -6"}},
      {"geti_4111_rows_minus_1", {eye_scalar(-1, s32), scalar(3), scalar(0)}, f32, false, {"-1"}},
      {"rows_of_int64_min",
       {scalar(std::numeric_limits<int64_t>::min()), scalar(3), scalar(0)},
       f32,
       false,
       {"num_rows is -9223372036854775808"}},
      {"negative_batch",
       {scalar(3), scalar(3), scalar(0), eye_list({2, -1})},
       f32,
       false,
       {"batch_shape[1] is -1"}},
      {"too_many_batch_dimensions",
       {scalar(3), scalar(3), scalar(0), eye_list(std::vector<int64_t>(11, 1))},
       f32,
       false,
       {"batch_shape", "11 elements", "10"}},
      {"pytorch_107550",
       {scalar(1250999896765), scalar(1250999896765), scalar(0)},
       f32,
       false,
       {"1250999896765x1250999896765"}},
      {"tensorflow_57711",
       {scalar(2752212975), scalar(2752212975), scalar(0)},
       f32,
       false,
       {"2752212975x2752212975"}},
      {"tensorflow_59342",
       {scalar(2), scalar(2), scalar(0), eye_list({int32_limit, int32_limit})},
       f32,
       false,
       {"2147483647x2147483647x2x2"}},
  };
}

std::vector<int64_t> extreme_diagonals(int64_t rows, int64_t columns) {
  using Limits = std::numeric_limits<int64_t>;
  std::vector<int64_t> all = {
      Limits::min(), Limits::min() + 1, -(int64_t{1} << 62), -(1LL << 32), -1, 0, 1,
      1LL << 32,     1LL << 62,         Limits::max() - 1,   Limits::max()};
  for (const int64_t corner : {-rows, rows, -columns, columns})
    for (int64_t step = -1; step <= 1; ++step)
      all.push_back(corner + step);
  return all;
}

}  // namespace iotadnn::test
