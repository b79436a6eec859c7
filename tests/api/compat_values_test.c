/* SPDX-License-Identifier: Apache-2.0 */
/* Every alias of the C headers but the functions: enumerators with oneDNN's numbers, constants and
   types. Compiling this file is the larger part of the test. */
#include <stdio.h>
#include <string.h>

#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/dnnl_debug.h"
#include "oneapi/dnnl/dnnl_graph.h"
#include "oneapi/dnnl/dnnl_graph_types.h"
#include "oneapi/dnnl/dnnl_types.h"

static int g_failures = 0;

static void check(int ok, const char* what) {
  if (ok) return;
  printf("%s is wrong\n", what);
  ++g_failures;
}

#define VALUE(name, number) check((int)(name) == (number), #name)

static void check_common_values(void) {
  VALUE(dnnl_success, 0);
  VALUE(dnnl_out_of_memory, 1);
  VALUE(dnnl_invalid_arguments, 2);
  VALUE(dnnl_unimplemented, 3);
  VALUE(dnnl_last_impl_reached, 4);
  VALUE(dnnl_runtime_error, 5);
  VALUE(dnnl_not_required, 6);
  VALUE(dnnl_invalid_graph, 7);
  VALUE(dnnl_invalid_graph_op, 8);
  VALUE(dnnl_invalid_shape, 9);
  VALUE(dnnl_invalid_data_type, 10);
  VALUE(dnnl_data_type_undef, 0);
  VALUE(dnnl_f16, 1);
  VALUE(dnnl_bf16, 2);
  VALUE(dnnl_f32, 3);
  VALUE(dnnl_s32, 4);
  VALUE(dnnl_s8, 5);
  VALUE(dnnl_u8, 6);
  VALUE(dnnl_f64, 7);
  VALUE(dnnl_boolean, 8);
  VALUE(dnnl_f8_e5m2, 9);
  VALUE(dnnl_f8_e4m3, 10);
  VALUE(dnnl_s4, 11);
  VALUE(dnnl_u4, 12);
  VALUE(dnnl_e8m0, 13);
  VALUE(dnnl_f4_e2m1, 14);
  VALUE(dnnl_f4_e3m0, 15);
  VALUE(dnnl_s64, 16);
  VALUE(dnnl_data_type_max, 0x7fff);
  VALUE(dnnl_fpmath_mode_strict, 0);
  VALUE(dnnl_fpmath_mode_bf16, 1);
  VALUE(dnnl_fpmath_mode_f16, 2);
  VALUE(dnnl_fpmath_mode_any, 3);
  VALUE(dnnl_fpmath_mode_tf32, 4);
  VALUE(dnnl_accumulation_mode_strict, 0);
  VALUE(dnnl_accumulation_mode_relaxed, 1);
  VALUE(dnnl_accumulation_mode_any, 2);
  VALUE(dnnl_accumulation_mode_s32, 3);
  VALUE(dnnl_accumulation_mode_f32, 4);
  VALUE(dnnl_accumulation_mode_f16, 5);
  VALUE(dnnl_any_engine, 0);
  VALUE(dnnl_cpu, 1);
  VALUE(dnnl_gpu, 2);
  VALUE(dnnl_stream_in_order, 0x1);
  VALUE(dnnl_stream_out_of_order, 0x2);
  VALUE(dnnl_stream_profiling, 0x4);
  VALUE(dnnl_stream_default_flags, 1);
  VALUE(dnnl_stream_flags_max, 0x7fff);
}

static void check_graph_values(void) {
  VALUE(dnnl_graph_layout_type_undef, 0);
  VALUE(dnnl_graph_layout_type_any, 1);
  VALUE(dnnl_graph_layout_type_strided, 2);
  VALUE(dnnl_graph_layout_type_opaque, 3);
  VALUE(dnnl_graph_tensor_property_undef, 0);
  VALUE(dnnl_graph_tensor_property_variable, 1);
  VALUE(dnnl_graph_tensor_property_constant, 2);
  VALUE(dnnl_graph_tensor_property_host_scalar, 3);
  VALUE(dnnl_graph_partition_policy_fusion, 1);
  VALUE(dnnl_graph_partition_policy_debug, 2);
  VALUE(dnnl_graph_dump_mode_none, 0);
  VALUE(dnnl_graph_dump_mode_subgraph, 0x1);
  VALUE(dnnl_graph_dump_mode_graph, 0x2);
}

static void check_op_kinds(void) {
  VALUE(dnnl_graph_op_abs, 0);
  VALUE(dnnl_graph_op_abs_backward, 1);
  VALUE(dnnl_graph_op_add, 2);
  VALUE(dnnl_graph_op_avg_pool, 3);
  VALUE(dnnl_graph_op_avg_pool_backward, 4);
  VALUE(dnnl_graph_op_batch_norm_backward, 5);
  VALUE(dnnl_graph_op_batch_norm_forward_training, 6);
  VALUE(dnnl_graph_op_batch_norm_inference, 7);
  VALUE(dnnl_graph_op_bias_add, 8);
  VALUE(dnnl_graph_op_bias_add_backward, 9);
  VALUE(dnnl_graph_op_clamp, 10);
  VALUE(dnnl_graph_op_clamp_backward, 11);
  VALUE(dnnl_graph_op_concat, 12);
  VALUE(dnnl_graph_op_convolution, 13);
  VALUE(dnnl_graph_op_convolution_backward_data, 14);
  VALUE(dnnl_graph_op_convolution_backward_weights, 15);
  VALUE(dnnl_graph_op_conv_transpose, 16);
  VALUE(dnnl_graph_op_conv_transpose_backward_data, 17);
  VALUE(dnnl_graph_op_conv_transpose_backward_weights, 18);
  VALUE(dnnl_graph_op_dequantize, 19);
  VALUE(dnnl_graph_op_divide, 20);
  VALUE(dnnl_graph_op_dynamic_dequantize, 21);
  VALUE(dnnl_graph_op_dynamic_quantize, 22);
  VALUE(dnnl_graph_op_elu, 23);
  VALUE(dnnl_graph_op_elu_backward, 24);
  VALUE(dnnl_graph_op_end, 25);
  VALUE(dnnl_graph_op_exp, 26);
  VALUE(dnnl_graph_op_gelu, 27);
  VALUE(dnnl_graph_op_gelu_backward, 28);
  VALUE(dnnl_graph_op_hard_swish, 29);
  VALUE(dnnl_graph_op_hard_swish_backward, 30);
  VALUE(dnnl_graph_op_interpolate, 31);
  VALUE(dnnl_graph_op_interpolate_backward, 32);
  VALUE(dnnl_graph_op_layer_norm, 33);
  VALUE(dnnl_graph_op_layer_norm_backward, 34);
  VALUE(dnnl_graph_op_leaky_relu, 35);
  VALUE(dnnl_graph_op_log, 36);
  VALUE(dnnl_graph_op_log_softmax, 37);
  VALUE(dnnl_graph_op_log_softmax_backward, 38);
  VALUE(dnnl_graph_op_matmul, 39);
  VALUE(dnnl_graph_op_maximum, 40);
  VALUE(dnnl_graph_op_max_pool, 41);
  VALUE(dnnl_graph_op_max_pool_backward, 42);
  VALUE(dnnl_graph_op_minimum, 43);
  VALUE(dnnl_graph_op_mish, 44);
  VALUE(dnnl_graph_op_mish_backward, 45);
  VALUE(dnnl_graph_op_multiply, 46);
  VALUE(dnnl_graph_op_prelu, 47);
  VALUE(dnnl_graph_op_prelu_backward, 48);
  VALUE(dnnl_graph_op_quantize, 49);
  VALUE(dnnl_graph_op_reciprocal, 50);
  VALUE(dnnl_graph_op_reduce_l1, 51);
  VALUE(dnnl_graph_op_reduce_l2, 52);
  VALUE(dnnl_graph_op_reduce_max, 53);
  VALUE(dnnl_graph_op_reduce_mean, 54);
  VALUE(dnnl_graph_op_reduce_min, 55);
  VALUE(dnnl_graph_op_reduce_prod, 56);
  VALUE(dnnl_graph_op_reduce_sum, 57);
  VALUE(dnnl_graph_op_relu, 58);
  VALUE(dnnl_graph_op_relu_backward, 59);
  VALUE(dnnl_graph_op_reorder, 60);
  VALUE(dnnl_graph_op_round, 61);
  VALUE(dnnl_graph_op_sigmoid, 62);
  VALUE(dnnl_graph_op_sigmoid_backward, 63);
  VALUE(dnnl_graph_op_softmax, 64);
  VALUE(dnnl_graph_op_softmax_backward, 65);
  VALUE(dnnl_graph_op_softplus, 66);
  VALUE(dnnl_graph_op_softplus_backward, 67);
  VALUE(dnnl_graph_op_sqrt, 68);
  VALUE(dnnl_graph_op_sqrt_backward, 69);
  VALUE(dnnl_graph_op_square, 70);
  VALUE(dnnl_graph_op_squared_difference, 71);
  VALUE(dnnl_graph_op_static_reshape, 72);
  VALUE(dnnl_graph_op_static_transpose, 73);
  VALUE(dnnl_graph_op_subtract, 74);
  VALUE(dnnl_graph_op_tanh, 75);
  VALUE(dnnl_graph_op_tanh_backward, 76);
  VALUE(dnnl_graph_op_type_cast, 77);
  VALUE(dnnl_graph_op_wildcard, 78);
  VALUE(dnnl_graph_op_hard_sigmoid, 79);
  VALUE(dnnl_graph_op_hard_sigmoid_backward, 80);
  VALUE(dnnl_graph_op_select, 81);
  VALUE(dnnl_graph_op_pow, 82);
  VALUE(dnnl_graph_op_group_norm, 83);
  VALUE(dnnl_graph_op_gen_index, 84);
  VALUE(dnnl_graph_op_greater_equal, 85);
  VALUE(dnnl_graph_op_rms_norm, 86);
  VALUE(dnnl_graph_op_dropout, 87);
  VALUE(dnnl_graph_op_last_symbol, 88);
}

static void check_attributes(void) {
  VALUE(dnnl_graph_op_attr_undef, 0);
  VALUE(dnnl_graph_op_attr_alpha, 0x1);
  VALUE(dnnl_graph_op_attr_beta, 0x2);
  VALUE(dnnl_graph_op_attr_epsilon, 0x3);
  VALUE(dnnl_graph_op_attr_max, 0x4);
  VALUE(dnnl_graph_op_attr_min, 0x5);
  VALUE(dnnl_graph_op_attr_momentum, 0x6);
  VALUE(dnnl_graph_op_attr_scales, 0x20);
  VALUE(dnnl_graph_op_attr_axis, 0x30);
  VALUE(dnnl_graph_op_attr_begin_norm_axis, 0x31);
  VALUE(dnnl_graph_op_attr_groups, 0x32);
  VALUE(dnnl_graph_op_attr_axes, 0x40);
  VALUE(dnnl_graph_op_attr_dilations, 0x41);
  VALUE(dnnl_graph_op_attr_dst_shape, 0x42);
  VALUE(dnnl_graph_op_attr_kernel, 0x43);
  VALUE(dnnl_graph_op_attr_order, 0x44);
  VALUE(dnnl_graph_op_attr_output_padding, 0x45);
  VALUE(dnnl_graph_op_attr_pads_begin, 0x46);
  VALUE(dnnl_graph_op_attr_pads_end, 0x47);
  VALUE(dnnl_graph_op_attr_shape, 0x48);
  VALUE(dnnl_graph_op_attr_sizes, 0x49);
  VALUE(dnnl_graph_op_attr_src_shape, 0x4a);
  VALUE(dnnl_graph_op_attr_strides, 0x4b);
  VALUE(dnnl_graph_op_attr_weights_shape, 0x4c);
  VALUE(dnnl_graph_op_attr_zps, 0x4d);
  VALUE(dnnl_graph_op_attr_group_shape, 0x4e);
  VALUE(dnnl_graph_op_attr_exclude_pad, 0x60);
  VALUE(dnnl_graph_op_attr_keep_dims, 0x61);
  VALUE(dnnl_graph_op_attr_keep_stats, 0x62);
  VALUE(dnnl_graph_op_attr_per_channel_broadcast, 0x63);
  VALUE(dnnl_graph_op_attr_special_zero, 0x64);
  VALUE(dnnl_graph_op_attr_transpose_a, 0x65);
  VALUE(dnnl_graph_op_attr_transpose_b, 0x66);
  VALUE(dnnl_graph_op_attr_use_affine, 0x67);
  VALUE(dnnl_graph_op_attr_use_dst, 0x68);
  VALUE(dnnl_graph_op_attr_auto_broadcast, 0x80);
  VALUE(dnnl_graph_op_attr_auto_pad, 0x81);
  VALUE(dnnl_graph_op_attr_coordinate_transformation_mode, 0x82);
  VALUE(dnnl_graph_op_attr_data_format, 0x83);
  VALUE(dnnl_graph_op_attr_mode, 0x84);
  VALUE(dnnl_graph_op_attr_qtype, 0x85);
  VALUE(dnnl_graph_op_attr_rounding_type, 0x86);
  VALUE(dnnl_graph_op_attr_weights_format, 0x87);
  VALUE(dnnl_graph_op_attr_accumulation_mode, 0x88);
  VALUE(dnnl_graph_op_attr_end, 0xff);
}

/* iotadnn maps oneDNN's instruction sets down; only the ones it has keep their numbers. */
static void check_instruction_sets(void) {
  const dnnl_cpu_isa_t mapped[] = {
      dnnl_cpu_isa_avx512_core_fp16,
      dnnl_cpu_isa_avx10_1_512,
      dnnl_cpu_isa_avx512_core_amx,
      dnnl_cpu_isa_avx10_1_512_amx,
      dnnl_cpu_isa_avx512_core_amx_fp16,
      dnnl_cpu_isa_avx10_1_512_amx_fp16,
      dnnl_cpu_isa_avx10_2,
      dnnl_cpu_isa_avx10_2_512,
      dnnl_cpu_isa_avx10_2_amx_2,
      dnnl_cpu_isa_avx10_2_512_amx_2,
  };
  size_t i;
  VALUE(dnnl_cpu_isa_default, 0x0);
  VALUE(dnnl_cpu_isa_avx2, 0x7);
  VALUE(dnnl_cpu_isa_avx512_core, 0x27);
  VALUE(dnnl_cpu_isa_avx512_core_bf16, 0xe7);
  VALUE(dnnl_cpu_isa_sse41, iotadnn_cpu_isa_portable);
  VALUE(dnnl_cpu_isa_avx, iotadnn_cpu_isa_portable);
  VALUE(dnnl_cpu_isa_avx2_vnni, dnnl_cpu_isa_avx2);
  VALUE(dnnl_cpu_isa_avx2_vnni_2, dnnl_cpu_isa_avx2);
  VALUE(dnnl_cpu_isa_avx512_core_vnni, dnnl_cpu_isa_avx512_core);
  for (i = 0; i < sizeof mapped / sizeof mapped[0]; ++i)
    check(mapped[i] == dnnl_cpu_isa_avx512_core_bf16, "an instruction set above AVX512_CORE_BF16");
}

static void check_constants(void) {
  const dnnl_dims_t dims = {1};
  const dnnl_dim_t unknown = DNNL_GRAPH_UNKNOWN_DIM;
  check(sizeof dims / sizeof dims[0] == 12 && DNNL_MAX_NDIMS == 12, "DNNL_MAX_NDIMS");
  check(unknown == INT64_MIN, "DNNL_GRAPH_UNKNOWN_DIM");
  check(DNNL_GRAPH_UNKNOWN_NDIMS == -1, "DNNL_GRAPH_UNKNOWN_NDIMS");
  check(DNNL_MEMORY_NONE == NULL, "DNNL_MEMORY_NONE");
  check((size_t)DNNL_MEMORY_ALLOCATE == SIZE_MAX, "DNNL_MEMORY_ALLOCATE");
  check(DNNL_VERSION_MAJOR == 3 && DNNL_VERSION_MINOR == 14 && DNNL_VERSION_PATCH == 0, "version");
  check(strlen(DNNL_VERSION_HASH) > 0, "DNNL_VERSION_HASH");
  check(DNNL_RUNTIME_NONE == 0 && DNNL_RUNTIME_SEQ == 1 && DNNL_RUNTIME_OMP == 2, "runtimes");
  check(DNNL_RUNTIME_TBB == 4 && DNNL_RUNTIME_THREADPOOL == 8, "runtimes of the CPU");
  check(DNNL_RUNTIME_OCL == 256 && DNNL_RUNTIME_SYCL == 512, "runtimes of the GPU");
  check(DNNL_RUNTIME_DPCPP == DNNL_RUNTIME_SYCL, "DNNL_RUNTIME_DPCPP");
  check(DNNL_CPU_RUNTIME == DNNL_CPU_THREADING_RUNTIME, "DNNL_CPU_RUNTIME");
  check(DNNL_GPU_RUNTIME == DNNL_RUNTIME_NONE, "DNNL_GPU_RUNTIME");
#if !defined(ONEDNN_BUILD_GRAPH) || !defined(DNNL_API) || DNNL_GPU_RUNTIME == DNNL_RUNTIME_SYCL
  check(0, "the preprocessor's view");
#endif
}

/* Types under their aliases, where no function above has them. */
static void check_types(void) {
  dnnl_graph_logical_tensor_t lt = {0};
  dnnl_graph_inplace_pair_t pair = {1, 2};
  dnnl_version_t version = *dnnl_version();
  dnnl_accumulation_mode_t accumulation = dnnl_accumulation_mode_strict;
  dnnl_stream_flags_t flags = dnnl_stream_default_flags;
  dnnl_graph_partition_policy_t policy = dnnl_graph_partition_policy_fusion;
  dnnl_graph_dump_mode_t dump = dnnl_graph_dump_mode_none;
  const_dnnl_graph_graph_t graph = NULL;
  const_dnnl_graph_allocator_t allocator = NULL;
  check(lt.ndims == 0 && lt.dims[0] == 0 && lt.layout.strides[0] == 0, "logical tensor");
  check(lt.layout.layout_id == 0 && lt.property == dnnl_graph_tensor_property_undef, "union");
  check(pair.input_id == 1 && pair.output_id == 2, "in-place pair");
  check(version.major == DNNL_VERSION_MAJOR && version.minor == DNNL_VERSION_MINOR &&
            version.patch == DNNL_VERSION_PATCH,
        "the version that a host compares with its headers'");
  check(strcmp(version.hash, iotadnn_version()->hash) == 0, "version.hash");
  check(version.cpu_runtime == DNNL_CPU_RUNTIME && version.gpu_runtime == 0, "version's runtimes");
  check(accumulation == 0 && flags == 1 && policy == 1 && dump == 0, "enums");
  check(graph == NULL && allocator == NULL, "handles");
  check(strcmp(dnnl_status2str(dnnl_invalid_graph_op), "invalid_graph_op") == 0, "status2str");
  check(strcmp(dnnl_dt2str(dnnl_boolean), "boolean") == 0, "dt2str");
}

int main(void) {
  check_common_values();
  check_graph_values();
  check_op_kinds();
  check_attributes();
  check_instruction_sets();
  check_constants();
  check_types();
  if (g_failures == 0) printf("all aliases have oneDNN's values\n");
  return g_failures != 0;
}
