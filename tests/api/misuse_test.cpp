// SPDX-License-Identifier: Apache-2.0
// Every C function with null, wrong and out-of-range arguments: a status and a sentence each time,
// and outputs that stay as they were. coverage_test.py checks that no function is missing here.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/debug.h"

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

constexpr auto kIA = iotadnn_invalid_arguments;
constexpr auto kIG = iotadnn_invalid_graph;

template <class Enum>
Enum number(int value) {
  return static_cast<Enum>(value);
}

// One valid object of each kind.
class Misuse : public testing::Test {
 protected:
  void SetUp() override {
    eng = cpu_engine();
    str = stream(eng);
    graph_op = gen_index_op(src, dst, 0);
    part = partition_of(graph_op);
    compiled = part.compile({src}, {dst}, eng);
    in = graph::tensor(src, eng, nullptr);
    out = graph::tensor(dst, eng);
  }

  iotadnn_graph_op_t op() const { return graph_op.get(); }

  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  engine eng;
  stream str;
  Op graph_op;
  graph::partition part;
  graph::compiled_partition compiled;
  graph::tensor in;
  graph::tensor out;
  iotadnn_graph_logical_tensor_t lt{};
  size_t num = 77;
};

TEST_F(Misuse, Engine) {
  iotadnn_engine_t e = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_engine_create(nullptr, iotadnn_cpu, 0));
  EXPECT_IOTADNN(kIA, iotadnn_engine_create(&e, iotadnn_gpu, 0));
  EXPECT_IOTADNN(kIA, iotadnn_engine_create(&e, number<iotadnn_engine_kind_t>(-5), 0));
  EXPECT_IOTADNN(kIA, iotadnn_engine_create(&e, iotadnn_cpu, SIZE_MAX));
  EXPECT_EQ(e, nullptr);
  iotadnn_engine_kind_t kind = iotadnn_gpu;
  EXPECT_IOTADNN(kIA, iotadnn_engine_get_kind(nullptr, &kind));
  EXPECT_IOTADNN(kIA, iotadnn_engine_get_kind(eng.get(), nullptr));
  EXPECT_EQ(kind, iotadnn_gpu);
  EXPECT_EQ(iotadnn_engine_get_count(number<iotadnn_engine_kind_t>(99)), 0u);
  EXPECT_IOTADNN(iotadnn_success, iotadnn_engine_destroy(nullptr));
}

TEST_F(Misuse, Stream) {
  iotadnn_stream_t s = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_stream_create(nullptr, eng.get(), 1));
  EXPECT_IOTADNN(kIA, iotadnn_stream_create(&s, nullptr, 1));
  EXPECT_IOTADNN(kIA, iotadnn_stream_create(&s, eng.get(), 0));
  EXPECT_IOTADNN(kIA, iotadnn_stream_create(&s, eng.get(), ~0u ^ 4u));
  EXPECT_IOTADNN(iotadnn_unimplemented, iotadnn_stream_create(&s, eng.get(), 5));
  EXPECT_EQ(s, nullptr);
  iotadnn_engine_t e = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_stream_get_engine(nullptr, &e));
  EXPECT_IOTADNN(kIA, iotadnn_stream_get_engine(str.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_stream_wait(nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_stream_destroy(nullptr));
}

TEST_F(Misuse, Settings) {
  EXPECT_IOTADNN(kIA, iotadnn_get_default_fpmath_mode(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_set_default_fpmath_mode(number<iotadnn_fpmath_mode_t>(-1)));
  EXPECT_IOTADNN(kIA, iotadnn_set_verbose(99));
  EXPECT_IOTADNN(kIA, iotadnn_verbose_profiling_enabled(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_set_max_cpu_isa(number<iotadnn_cpu_isa_t>(0x1)));
  iotadnn_cpu_isa_t isa = iotadnn_cpu_isa_default;
  EXPECT_IOTADNN(kIA, iotadnn_cpu_isa_from_name(nullptr, &isa));
  EXPECT_IOTADNN(kIA, iotadnn_cpu_isa_from_name("AVX2", nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_cpu_isa_from_name("MMX", &isa));
  EXPECT_NE(iotadnn_get_effective_cpu_isa(), iotadnn_cpu_isa_default);
  EXPECT_IOTADNN(kIA, iotadnn_set_jit_profiling_flags(~0u));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_set_jit_dump(0));
  EXPECT_IOTADNN(kIA, iotadnn_set_strategy(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_set_strategy("threads=zero"));
  EXPECT_NE(iotadnn_version(), nullptr);
  EXPECT_STRNE(iotadnn_get_last_error(), "");
}

TEST_F(Misuse, GraphSettings) {
  const auto bad_kind = number<iotadnn_engine_kind_t>(7);
  EXPECT_IOTADNN(kIA, iotadnn_graph_get_compiled_partition_cache_capacity(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_set_compiled_partition_cache_capacity(-1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_set_constant_tensor_cache(-1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_get_constant_tensor_cache(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_set_constant_tensor_cache_capacity(bad_kind, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_get_constant_tensor_cache_capacity(bad_kind, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_get_constant_tensor_cache_capacity(iotadnn_cpu, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_set_dump_mode(number<iotadnn_graph_dump_mode_t>(8)));
  EXPECT_IOTADNN(kIA, iotadnn_graph_set_dump_mode(number<iotadnn_graph_dump_mode_t>(-1)));
  EXPECT_EQ(num, 77u);
}

// Values outside the enums, one after the other.
TEST_F(Misuse, Names) {
  for (const int value : {-1, 99, INT32_MAX, INT32_MIN}) {
    EXPECT_STREQ(iotadnn_status2str(number<iotadnn_status_t>(value)), "unknown");
    EXPECT_STREQ(iotadnn_dt2str(number<iotadnn_data_type_t>(value)), "unknown");
    EXPECT_STREQ(iotadnn_fpmath_mode2str(number<iotadnn_fpmath_mode_t>(value)), "unknown");
    EXPECT_STREQ(iotadnn_accumulation_mode2str(number<iotadnn_accumulation_mode_t>(value)),
                 "unknown");
    EXPECT_STREQ(iotadnn_engine_kind2str(number<iotadnn_engine_kind_t>(value)), "unknown");
    EXPECT_STREQ(iotadnn_cpu_isa2str(number<iotadnn_cpu_isa_t>(value)), "unknown");
    EXPECT_STREQ(iotadnn_runtime2str(static_cast<unsigned>(value)), "unknown");
    EXPECT_EQ(iotadnn_op_contract(number<iotadnn_graph_op_kind_t>(value)), nullptr);
    EXPECT_STRNE(iotadnn_get_last_error(), "");
  }
}

TEST_F(Misuse, Allocator) {
  EXPECT_IOTADNN(kIA, iotadnn_graph_allocator_create(nullptr, nullptr, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_allocator_destroy(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_make_engine_with_allocator(nullptr, iotadnn_cpu, 0, nullptr));
  iotadnn_engine_t e = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_graph_make_engine_with_allocator(&e, iotadnn_gpu, 0, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_make_engine_with_allocator(&e, iotadnn_cpu, 3, nullptr));
  EXPECT_IOTADNN(iotadnn_success,
                 iotadnn_graph_make_engine_with_allocator(&e, iotadnn_cpu, 0, nullptr));
  iotadnn_engine_destroy(e);
}

TEST_F(Misuse, LogicalTensorInit) {
  const auto strided_layout = iotadnn_graph_layout_type_strided;
  const auto no_property = iotadnn_graph_tensor_property_undef;
  const auto init = [&](iotadnn_graph_logical_tensor_t* out_lt, int type, int rank, int layout,
                        int property) {
    return iotadnn_graph_logical_tensor_init(out_lt, 0, number<iotadnn_data_type_t>(type), rank,
                                             number<iotadnn_graph_layout_type_t>(layout),
                                             number<iotadnn_graph_tensor_property_t>(property));
  };
  EXPECT_IOTADNN(kIA, init(nullptr, iotadnn_f32, 2, 2, 0));
  for (const int bad : {-1, 17, 0xff, 0x104, INT32_MAX})
    EXPECT_IOTADNN(kIA, init(&lt, bad, 2, 2, 0));
  for (const int bad : {-2, 13, INT32_MIN, INT32_MAX})
    EXPECT_IOTADNN(kIA, init(&lt, iotadnn_f32, bad, 2, 0));
  for (const int bad : {-1, 4, INT32_MAX}) {
    EXPECT_IOTADNN(kIA, init(&lt, iotadnn_f32, 2, bad, 0));
    EXPECT_IOTADNN(kIA, init(&lt, iotadnn_f32, 2, 2, bad));
  }
  const iotadnn_dims_t dims = {2, 3};
  const iotadnn_dims_t negative = {2, -3};
  const auto with_dims = iotadnn_graph_logical_tensor_init_with_dims;
  const auto with_strides = iotadnn_graph_logical_tensor_init_with_strides;
  EXPECT_IOTADNN(kIA, with_dims(nullptr, 0, iotadnn_f32, 2, dims, strided_layout, no_property));
  EXPECT_IOTADNN(kIA, with_dims(&lt, 0, iotadnn_f32, 2, nullptr, strided_layout, no_property));
  EXPECT_IOTADNN(kIA, with_dims(&lt, 0, iotadnn_f32, -1, dims, strided_layout, no_property));
  EXPECT_IOTADNN(kIA, with_dims(&lt, 0, iotadnn_f32, 13, dims, strided_layout, no_property));
  EXPECT_IOTADNN(kIA, with_dims(&lt, 0, iotadnn_f32, 2, negative, strided_layout, no_property));
  EXPECT_IOTADNN(kIA, with_strides(nullptr, 0, iotadnn_f32, 2, dims, dims, no_property));
  EXPECT_IOTADNN(kIA, with_strides(&lt, 0, iotadnn_f32, 2, nullptr, dims, no_property));
  EXPECT_IOTADNN(kIA, with_strides(&lt, 0, iotadnn_f32, 2, dims, nullptr, no_property));
  EXPECT_IOTADNN(kIA, with_strides(&lt, 0, iotadnn_f32, 2, dims, negative, no_property));
  EXPECT_IOTADNN(kIA, with_strides(&lt, 0, iotadnn_f32, 99, dims, dims, no_property));
  EXPECT_IOTADNN(iotadnn_success,
                 with_dims(&lt, 0, iotadnn_f32, 0, nullptr, strided_layout, no_property));
}

// A struct that no init function filled.
TEST_F(Misuse, LogicalTensorOfGarbage) {
  iotadnn_graph_logical_tensor_t bad = src.get();
  bad.ndims = 1 << 20;
  iotadnn_graph_logical_tensor_t bad_type = src.get();
  bad_type.data_type = number<iotadnn_data_type_t>(0x7777);
  uint8_t equal = 77;
  iotadnn_graph_tensor_t t = nullptr;
  for (const auto* garbage : {&bad, &bad_type}) {
    EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_get_mem_size(garbage, &num));
    EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_is_equal(garbage, &src.get(), &equal));
    EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_is_equal(&src.get(), garbage, &equal));
    EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create(&t, garbage, eng.get(), nullptr));
    EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create_scalar(&t, garbage, &num));
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_input(op(), garbage));
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_output(op(), garbage));
  }
  EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_get_mem_size(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_get_mem_size(&src.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_is_equal(nullptr, &src.get(), &equal));
  EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_is_equal(&src.get(), nullptr, &equal));
  EXPECT_IOTADNN(kIA, iotadnn_graph_logical_tensor_is_equal(&src.get(), &src.get(), nullptr));
  EXPECT_EQ(num, 77u);
  EXPECT_EQ(equal, 77);
}

TEST_F(Misuse, Tensor) {
  iotadnn_graph_tensor_t t = nullptr;
  const Lt scalar = host_scalar_lt(0);
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create(nullptr, &src.get(), eng.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create(&t, nullptr, eng.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create(&t, &src.get(), nullptr, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create(&t, &scalar.get(), eng.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create_scalar(nullptr, &scalar.get(), &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create_scalar(&t, nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create_scalar(&t, &scalar.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_create_scalar(&t, &src.get(), &num));
  EXPECT_EQ(t, nullptr);
  void* handle = nullptr;
  iotadnn_engine_t e = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_data_handle(nullptr, &handle));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_data_handle(in.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_set_data_handle(nullptr, handle));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_engine(nullptr, &e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_engine(in.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_logical_tensor(nullptr, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_tensor_get_logical_tensor(in.get(), nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_tensor_destroy(nullptr));
}

TEST_F(Misuse, OpCreation) {
  iotadnn_graph_op_t o = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_create(nullptr, 0, iotadnn_graph_op_add, "x"));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_create(&o, 0, iotadnn_graph_op_add, nullptr));
  for (const int bad : {-1, 88, 0xfff, 0x1fff, INT32_MAX, INT32_MIN})
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_create(&o, 0, number<iotadnn_graph_op_kind_t>(bad), "x"));
  EXPECT_EQ(o, nullptr);
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_input(nullptr, &src.get()));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_input(op(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_output(nullptr, &src.get()));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_add_output(op(), nullptr));
  iotadnn_graph_op_kind_t kind = iotadnn_graph_op_end;
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_get_id(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_get_id(op(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_get_kind(nullptr, &kind));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_get_kind(op(), nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_op_destroy(nullptr));
}

TEST_F(Misuse, OpAttributes) {
  const float f = 1;
  const int64_t i = 1;
  const uint8_t b = 1;
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_f32(nullptr, iotadnn_graph_op_attr_alpha, &f, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_s64(nullptr, iotadnn_graph_op_attr_axis, &i, 1));
  EXPECT_IOTADNN(kIA,
                 iotadnn_graph_op_set_attr_bool(nullptr, iotadnn_graph_op_attr_keep_dims, &b, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_str(nullptr, iotadnn_graph_op_attr_mode, "x", 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_f32(op(), iotadnn_graph_op_attr_alpha, nullptr, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_s64(op(), iotadnn_graph_op_attr_axis, nullptr, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_s64(op(), iotadnn_graph_op_attr_axes, nullptr, 2));
  EXPECT_IOTADNN(kIA,
                 iotadnn_graph_op_set_attr_bool(op(), iotadnn_graph_op_attr_keep_dims, nullptr, 1));
  EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_str(op(), iotadnn_graph_op_attr_mode, nullptr, 1));
  EXPECT_IOTADNN(iotadnn_success,
                 iotadnn_graph_op_set_attr_s64(op(), iotadnn_graph_op_attr_axes, nullptr, 0));
  for (const int bad : {0, -1, 7, 0x21, 0x33, 0x4f, 0x69, 0x89, 0xff, 0x1fff, INT32_MAX}) {
    const auto name = number<iotadnn_graph_op_attr_t>(bad);
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_f32(op(), name, &f, 1));
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_s64(op(), name, &i, 1));
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_bool(op(), name, &b, 1));
    EXPECT_IOTADNN(kIA, iotadnn_graph_op_set_attr_str(op(), name, "x", 1));
  }
}

TEST_F(Misuse, GraphBuilding) {
  iotadnn_graph_graph_t g = nullptr;
  const auto with_mode = iotadnn_graph_graph_create_with_fpmath_mode;
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_create(nullptr, iotadnn_cpu));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_create(&g, iotadnn_gpu));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_create_with_fpmath_mode(nullptr, iotadnn_cpu,
                                                                  iotadnn_fpmath_mode_strict));
  EXPECT_IOTADNN(kIA, with_mode(&g, number<iotadnn_engine_kind_t>(5), iotadnn_fpmath_mode_any));
  EXPECT_IOTADNN(kIA, with_mode(&g, iotadnn_cpu, number<iotadnn_fpmath_mode_t>(5)));
  EXPECT_EQ(g, nullptr);
  const graph::graph valid(engine::kind::cpu);
  iotadnn_fpmath_mode_t mode = iotadnn_fpmath_mode_any;
  int to_int = 77;
  uint8_t finalized = 77;
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_set_fpmath_mode(nullptr, mode, 0));
  EXPECT_IOTADNN(
      kIA, iotadnn_graph_graph_set_fpmath_mode(valid.get(), number<iotadnn_fpmath_mode_t>(9), 0));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_fpmath_mode(nullptr, &mode, &to_int));
  iotadnn_graph_math_mode_t math_mode = iotadnn_graph_math_mode_default;
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_set_math_mode(nullptr, math_mode));
  EXPECT_IOTADNN(
      kIA, iotadnn_graph_graph_set_math_mode(valid.get(), number<iotadnn_graph_math_mode_t>(3)));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_math_mode(nullptr, &math_mode));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_math_mode(valid.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_add_op(nullptr, op()));
  EXPECT_IOTADNN(kIA, iotadnn_graph_add_op(valid.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_finalize(nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_is_finalized(nullptr, &finalized));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_is_finalized(valid.get(), nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_destroy(nullptr));
  EXPECT_EQ(to_int, 77);
  EXPECT_EQ(finalized, 77);
}

TEST_F(Misuse, GraphPartitioning) {
  graph::graph valid(engine::kind::cpu);
  valid.add_op(graph_op);
  const auto fusion = iotadnn_graph_partition_policy_fusion;
  iotadnn_graph_partition_t p = nullptr;
  EXPECT_IOTADNN(kIG, iotadnn_graph_graph_filter(nullptr, fusion));
  EXPECT_IOTADNN(kIG, iotadnn_graph_graph_filter(valid.get(), fusion));
  valid.finalize();
  for (const int bad : {0, 3, -1})
    EXPECT_IOTADNN(kIA, iotadnn_graph_graph_filter(valid.get(),
                                                   number<iotadnn_graph_partition_policy_t>(bad)));
  EXPECT_IOTADNN(kIG, iotadnn_graph_graph_get_partition_num(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_partition_num(valid.get(), nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_partitions(valid.get(), 1, &p));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_filter(valid.get(), fusion));
  EXPECT_IOTADNN(kIG, iotadnn_graph_graph_get_partitions(nullptr, 1, &p));
  EXPECT_IOTADNN(kIG, iotadnn_graph_graph_get_partitions(valid.get(), 0, &p));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_partitions(valid.get(), 1, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_graph_get_partitions(valid.get(), SIZE_MAX, &p));
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(num, 77u);
}

TEST_F(Misuse, Partition) {
  iotadnn_graph_partition_t p = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_create_with_op(nullptr, op(), iotadnn_cpu));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_create_with_op(&p, nullptr, iotadnn_cpu));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_create_with_op(&p, op(), iotadnn_any_engine));
  EXPECT_EQ(p, nullptr);
  uint8_t supported = 77;
  iotadnn_engine_kind_t kind = iotadnn_gpu;
  const char* reason = nullptr;
  const auto part_c = part.get();
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_op_num(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_op_num(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_ops(nullptr, 1, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_ops(part_c, 1, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_ops(part_c, 2, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_id(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_id(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_input_ports_num(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_input_ports_num(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_input_ports(nullptr, 1, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_input_ports(part_c, 1, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_input_ports(part_c, 0, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_output_ports_num(nullptr, &num));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_output_ports_num(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_output_ports(nullptr, 1, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_output_ports(part_c, 1, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_output_ports(part_c, 9, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_is_supported(nullptr, &supported));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_is_supported(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_engine_kind(nullptr, &kind));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_engine_kind(part_c, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_reason(nullptr, &reason));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_get_reason(part_c, nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_partition_destroy(nullptr));
  EXPECT_EQ(num, 77u);
  EXPECT_EQ(supported, 77);
}

TEST_F(Misuse, Compile) {
  iotadnn_graph_compiled_partition_t shell = nullptr;
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_create(nullptr, part.get()));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_create(&shell, nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_compiled_partition_create(&shell, part.get()));
  const graph::compiled_partition owner(shell);
  const iotadnn_graph_logical_tensor_t* ins[] = {&src.get(), nullptr};
  const iotadnn_graph_logical_tensor_t* outs[] = {&dst.get()};
  const auto e = eng.get();
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(nullptr, shell, 1, ins, 1, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), nullptr, 1, ins, 1, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 1, nullptr, 1, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 2, ins, 1, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 0, ins, 1, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 1, ins, 1, nullptr, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 1, ins, 0, outs, e));
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 1, ins, 1, outs, nullptr));
  iotadnn_graph_logical_tensor_t opaque = src.get();
  opaque.layout_type = iotadnn_graph_layout_type_opaque;
  ins[0] = &opaque;
  EXPECT_IOTADNN(kIA, iotadnn_graph_partition_compile(part.get(), shell, 1, ins, 1, outs, e));
}

TEST_F(Misuse, Execute) {
  const auto cp = compiled.get();
  const_iotadnn_graph_tensor_t ins[] = {in.get(), nullptr};
  const_iotadnn_graph_tensor_t outs[] = {out.get()};
  const_iotadnn_graph_tensor_t null_list[] = {nullptr};
  const auto execute = iotadnn_graph_compiled_partition_execute;
  const auto s = str.get();
  EXPECT_IOTADNN(kIA, execute(nullptr, s, 1, ins, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, nullptr, 1, ins, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 1, nullptr, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 2, ins, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 0, ins, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, SIZE_MAX, ins, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 1, null_list, 1, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 1, ins, 1, nullptr));
  EXPECT_IOTADNN(kIA, execute(cp, s, 1, ins, 0, outs));
  EXPECT_IOTADNN(kIA, execute(cp, s, 1, ins, 1, null_list));
  EXPECT_IOTADNN(kIA,
                 iotadnn_graph_compiled_partition_execute_v2(nullptr, s, 1, ins, 1, outs, nullptr));
  EXPECT_IOTADNN(kIA,
                 iotadnn_graph_compiled_partition_execute_v2(cp, s, 3, nullptr, 1, outs, nullptr));
  const engine other = cpu_engine();
  const stream foreign(other);
  EXPECT_IOTADNN(kIA, execute(cp, foreign.get(), 1, ins, 1, outs));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_infer_shapes(nullptr, 1, ins, 1, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_infer_shapes(cp, 1, nullptr, 1, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_infer_shapes(cp, 2, ins, 1, &lt));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_infer_shapes(cp, 1, ins, 1, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_infer_shapes(cp, 1, ins, 0, &lt));
}

TEST_F(Misuse, CompiledPartitionQueries) {
  const auto cp = compiled.get();
  const iotadnn_graph_inplace_pair_t* pairs = nullptr;
  const char* impl = nullptr;
  const auto query = iotadnn_graph_compiled_partition_query_logical_tensor;
  const auto inplace = iotadnn_graph_compiled_partition_get_inplace_ports;
  const auto scratchpad = iotadnn_graph_compiled_partition_get_scratchpad_logical_tensor;
  EXPECT_IOTADNN(kIA, query(nullptr, 0, &lt));
  EXPECT_IOTADNN(kIA, query(cp, 0, nullptr));
  EXPECT_IOTADNN(kIA, query(cp, SIZE_MAX, &lt));
  EXPECT_IOTADNN(kIA, inplace(nullptr, &num, &pairs));
  EXPECT_IOTADNN(kIA, inplace(cp, nullptr, &pairs));
  EXPECT_IOTADNN(kIA, inplace(cp, &num, nullptr));
  EXPECT_IOTADNN(kIA, scratchpad(nullptr, &lt));
  EXPECT_IOTADNN(kIA, scratchpad(cp, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_impl(nullptr, &impl));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_impl(cp, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_program_text(nullptr, &num, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_program_text(cp, nullptr, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_kernels(nullptr, &num, nullptr));
  EXPECT_IOTADNN(kIA, iotadnn_graph_compiled_partition_get_kernels(cp, nullptr, nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_compiled_partition_destroy(nullptr));
  EXPECT_EQ(num, 77u);
}

}  // namespace
}  // namespace iotadnn::test
