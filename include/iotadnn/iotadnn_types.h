// SPDX-License-Identifier: Apache-2.0
// Types and constants of the C API (C99). Names and numbers are oneDNN's with dnnl_ replaced by
// iotadnn_; what oneDNN does not have starts at 0x100 (data types) and 0x1000 (op kinds,
// attributes, instruction sets).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "iotadnn/iotadnn_config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  iotadnn_success = 0,
  iotadnn_out_of_memory = 1,
  iotadnn_invalid_arguments = 2,
  iotadnn_unimplemented = 3,
  iotadnn_last_impl_reached = 4,  // never returned
  iotadnn_runtime_error = 5,
  iotadnn_not_required = 6,  // never returned
  iotadnn_invalid_graph = 7,
  iotadnn_invalid_graph_op = 8,
  iotadnn_invalid_shape = 9,
  iotadnn_invalid_data_type = 10,
} iotadnn_status_t;

// Element types. f8, e8m0 and 4-bit types may be described (a source that is never read may have
// them) but are never computed.
typedef enum {
  iotadnn_data_type_undef = 0,
  iotadnn_f16 = 1,
  iotadnn_bf16 = 2,
  iotadnn_f32 = 3,
  iotadnn_s32 = 4,
  iotadnn_s8 = 5,
  iotadnn_u8 = 6,
  iotadnn_f64 = 7,
  iotadnn_boolean = 8,  // one byte, 0 or 1
  iotadnn_f8_e5m2 = 9,
  iotadnn_f8_e4m3 = 10,
  iotadnn_s4 = 11,
  iotadnn_u4 = 12,
  iotadnn_e8m0 = 13,
  iotadnn_f4_e2m1 = 14,
  iotadnn_f4_e3m0 = 15,
  iotadnn_s64 = 16,
  iotadnn_s16 = 0x100,
  iotadnn_u16 = 0x101,
  iotadnn_u32 = 0x102,
  iotadnn_u64 = 0x103,
  iotadnn_data_type_max = 0x7fff,
} iotadnn_data_type_t;

#define IOTADNN_MAX_NDIMS 12

typedef int64_t iotadnn_dim_t;
typedef iotadnn_dim_t iotadnn_dims_t[IOTADNN_MAX_NDIMS];

// What a graph may assume about precision; generators are exact under every mode.
typedef enum {
  iotadnn_fpmath_mode_strict = 0,
  iotadnn_fpmath_mode_bf16 = 1,
  iotadnn_fpmath_mode_f16 = 2,
  iotadnn_fpmath_mode_any = 3,
  iotadnn_fpmath_mode_tf32 = 4,
} iotadnn_fpmath_mode_t;

// How far the results of fused ops may differ from those of the ops one by one (no oneDNN
// counterpart).
typedef enum {
  // Equal under ==, NaN where it is NaN: only the sign of a zero in a result may differ. What a
  // partition computes from a zero (1/-0) is exact.
  iotadnn_graph_math_mode_default = 0,
  // The same bits, but for the payload of a NaN; math functions within their stated error.
  iotadnn_graph_math_mode_strict_bits = 1,
  // The caller promises that no value is infinite or NaN: x * 0 is 0, and what is multiplied by the
  // zeros of an identity is not read.
  iotadnn_graph_math_mode_finite = 2,
} iotadnn_graph_math_mode_t;

typedef enum {
  iotadnn_accumulation_mode_strict = 0,
  iotadnn_accumulation_mode_relaxed = 1,
  iotadnn_accumulation_mode_any = 2,
  iotadnn_accumulation_mode_s32 = 3,
  iotadnn_accumulation_mode_f32 = 4,
  iotadnn_accumulation_mode_f16 = 5,
} iotadnn_accumulation_mode_t;

typedef enum {
  iotadnn_any_engine = 0,
  iotadnn_cpu = 1,
  iotadnn_gpu = 2,  // named for compatibility; this library has CPU engines only
} iotadnn_engine_kind_t;

typedef struct iotadnn_engine* iotadnn_engine_t;

typedef enum {
  iotadnn_stream_in_order = 0x1,
  iotadnn_stream_out_of_order = 0x2,
  iotadnn_stream_profiling = 0x4,
  iotadnn_stream_default_flags = iotadnn_stream_in_order,
  iotadnn_stream_flags_max = 0x7fff,
} iotadnn_stream_flags_t;

typedef struct iotadnn_stream* iotadnn_stream_t;
typedef const struct iotadnn_stream* const_iotadnn_stream_t;

// Caps of what executes a partition; each allows itself and all before it in this order:
// reference (the graph interpreter), portable (no machine code of ours), avx2, avx512_core,
// avx512_core_bf16, default (the best that the machine has).
typedef enum {
  iotadnn_cpu_isa_default = 0x0,
  iotadnn_cpu_isa_avx2 = 0x7,
  iotadnn_cpu_isa_avx512_core = 0x27,
  iotadnn_cpu_isa_avx512_core_bf16 = 0xe7,
  iotadnn_cpu_isa_reference = 0x1000,
  iotadnn_cpu_isa_portable = 0x1001,
} iotadnn_cpu_isa_t;

typedef struct {
  int major;
  int minor;
  int patch;
  const char* hash;      // of the sources' commit, "N/A" when unknown
  unsigned cpu_runtime;  // IOTADNN_RUNTIME_SEQ or IOTADNN_RUNTIME_OMP
  unsigned gpu_runtime;  // IOTADNN_RUNTIME_NONE
} iotadnn_version_t;

// Buffers of tensors: none yet, or allocated (and owned) by the library.
#define IOTADNN_MEMORY_NONE (NULL)
#ifdef __cplusplus
#define IOTADNN_MEMORY_ALLOCATE (reinterpret_cast<void*>(~static_cast<size_t>(0)))
#else
#define IOTADNN_MEMORY_ALLOCATE ((void*)(size_t)-1)
#endif

#define IOTADNN_GRAPH_UNKNOWN_NDIMS -1
#define IOTADNN_GRAPH_UNKNOWN_DIM INT64_MIN

typedef enum {
  iotadnn_graph_layout_type_undef = 0,
  iotadnn_graph_layout_type_any = 1,      // an output whose layout the library chooses
  iotadnn_graph_layout_type_strided = 2,  // the strides are known to both sides
  iotadnn_graph_layout_type_opaque = 3,  // an id that a query returned (never made by this library)
} iotadnn_graph_layout_type_t;

typedef enum {
  iotadnn_graph_tensor_property_undef = 0,
  iotadnn_graph_tensor_property_variable = 1,
  iotadnn_graph_tensor_property_constant = 2,
  iotadnn_graph_tensor_property_host_scalar = 3,  // rank 0, of s32, s64 or f32; value copied
} iotadnn_graph_tensor_property_t;

// Metadata of one edge of a graph; equal ids are the same edge.
typedef struct {
  size_t id;
  int ndims;            // IOTADNN_GRAPH_UNKNOWN_NDIMS, 0 for a scalar, up to IOTADNN_MAX_NDIMS
  iotadnn_dims_t dims;  // extents in elements, each possibly IOTADNN_GRAPH_UNKNOWN_DIM
  iotadnn_data_type_t data_type;
  iotadnn_graph_tensor_property_t property;
  iotadnn_graph_layout_type_t layout_type;

  union {
    iotadnn_dims_t strides;  // strided: in elements, each possibly IOTADNN_GRAPH_UNKNOWN_DIM
    size_t layout_id;        // opaque
  } layout;
} iotadnn_graph_logical_tensor_t;

typedef enum {
  iotadnn_graph_partition_policy_fusion = 1,
  iotadnn_graph_partition_policy_debug = 2,  // every op a partition of its own
} iotadnn_graph_partition_policy_t;

// Bits of iotadnn_graph_set_dump_mode().
typedef enum {
  iotadnn_graph_dump_mode_none = 0,
  iotadnn_graph_dump_mode_subgraph = 0x1,
  iotadnn_graph_dump_mode_graph = 0x2,
} iotadnn_graph_dump_mode_t;

typedef struct iotadnn_graph_partition* iotadnn_graph_partition_t;
typedef const struct iotadnn_graph_partition* const_iotadnn_graph_partition_t;

typedef struct iotadnn_graph_graph* iotadnn_graph_graph_t;
typedef const struct iotadnn_graph_graph* const_iotadnn_graph_graph_t;

typedef struct iotadnn_graph_op* iotadnn_graph_op_t;
typedef const struct iotadnn_graph_op* const_iotadnn_graph_op_t;

typedef struct iotadnn_graph_allocator* iotadnn_graph_allocator_t;
typedef const struct iotadnn_graph_allocator* const_iotadnn_graph_allocator_t;

typedef struct iotadnn_graph_compiled_partition* iotadnn_graph_compiled_partition_t;
typedef const struct iotadnn_graph_compiled_partition* const_iotadnn_graph_compiled_partition_t;

typedef struct iotadnn_graph_tensor* iotadnn_graph_tensor_t;
typedef const struct iotadnn_graph_tensor* const_iotadnn_graph_tensor_t;

// A buffer of `size` bytes at a multiple of `alignment` (a power of two), or NULL.
typedef void* (*iotadnn_graph_host_allocate_f)(size_t size, size_t alignment);
typedef void (*iotadnn_graph_host_deallocate_f)(void*);

// The output may use the input's buffer.
typedef struct {
  size_t input_id;
  size_t output_id;
} iotadnn_graph_inplace_pair_t;

// Machine code of a compiled partition, position independent, where it runs: `size` bytes, of which
// the first `instructions_size` are instructions and the others constants.
typedef struct {
  const char* name;
  const uint8_t* code;
  size_t size;
  size_t instructions_size;
} iotadnn_graph_kernel_t;

// Kinds of ops.
typedef enum {
  iotadnn_graph_op_abs = 0,
  iotadnn_graph_op_abs_backward = 1,
  iotadnn_graph_op_add = 2,
  iotadnn_graph_op_avg_pool = 3,
  iotadnn_graph_op_avg_pool_backward = 4,
  iotadnn_graph_op_batch_norm_backward = 5,
  iotadnn_graph_op_batch_norm_forward_training = 6,
  iotadnn_graph_op_batch_norm_inference = 7,
  iotadnn_graph_op_bias_add = 8,
  iotadnn_graph_op_bias_add_backward = 9,
  iotadnn_graph_op_clamp = 10,
  iotadnn_graph_op_clamp_backward = 11,
  iotadnn_graph_op_concat = 12,
  iotadnn_graph_op_convolution = 13,
  iotadnn_graph_op_convolution_backward_data = 14,
  iotadnn_graph_op_convolution_backward_weights = 15,
  iotadnn_graph_op_conv_transpose = 16,
  iotadnn_graph_op_conv_transpose_backward_data = 17,
  iotadnn_graph_op_conv_transpose_backward_weights = 18,
  iotadnn_graph_op_dequantize = 19,
  iotadnn_graph_op_divide = 20,
  iotadnn_graph_op_dynamic_dequantize = 21,
  iotadnn_graph_op_dynamic_quantize = 22,
  iotadnn_graph_op_elu = 23,
  iotadnn_graph_op_elu_backward = 24,
  iotadnn_graph_op_end = 25,
  iotadnn_graph_op_exp = 26,
  iotadnn_graph_op_gelu = 27,
  iotadnn_graph_op_gelu_backward = 28,
  iotadnn_graph_op_hard_swish = 29,
  iotadnn_graph_op_hard_swish_backward = 30,
  iotadnn_graph_op_interpolate = 31,
  iotadnn_graph_op_interpolate_backward = 32,
  iotadnn_graph_op_layer_norm = 33,
  iotadnn_graph_op_layer_norm_backward = 34,
  iotadnn_graph_op_leaky_relu = 35,
  iotadnn_graph_op_log = 36,
  iotadnn_graph_op_log_softmax = 37,
  iotadnn_graph_op_log_softmax_backward = 38,
  iotadnn_graph_op_matmul = 39,
  iotadnn_graph_op_maximum = 40,
  iotadnn_graph_op_max_pool = 41,
  iotadnn_graph_op_max_pool_backward = 42,
  iotadnn_graph_op_minimum = 43,
  iotadnn_graph_op_mish = 44,
  iotadnn_graph_op_mish_backward = 45,
  iotadnn_graph_op_multiply = 46,
  iotadnn_graph_op_prelu = 47,
  iotadnn_graph_op_prelu_backward = 48,
  iotadnn_graph_op_quantize = 49,
  iotadnn_graph_op_reciprocal = 50,
  iotadnn_graph_op_reduce_l1 = 51,
  iotadnn_graph_op_reduce_l2 = 52,
  iotadnn_graph_op_reduce_max = 53,
  iotadnn_graph_op_reduce_mean = 54,
  iotadnn_graph_op_reduce_min = 55,
  iotadnn_graph_op_reduce_prod = 56,
  iotadnn_graph_op_reduce_sum = 57,
  iotadnn_graph_op_relu = 58,
  iotadnn_graph_op_relu_backward = 59,
  iotadnn_graph_op_reorder = 60,
  iotadnn_graph_op_round = 61,
  iotadnn_graph_op_sigmoid = 62,
  iotadnn_graph_op_sigmoid_backward = 63,
  iotadnn_graph_op_softmax = 64,
  iotadnn_graph_op_softmax_backward = 65,
  iotadnn_graph_op_softplus = 66,
  iotadnn_graph_op_softplus_backward = 67,
  iotadnn_graph_op_sqrt = 68,
  iotadnn_graph_op_sqrt_backward = 69,
  iotadnn_graph_op_square = 70,
  iotadnn_graph_op_squared_difference = 71,
  iotadnn_graph_op_static_reshape = 72,
  iotadnn_graph_op_static_transpose = 73,
  iotadnn_graph_op_subtract = 74,
  iotadnn_graph_op_tanh = 75,
  iotadnn_graph_op_tanh_backward = 76,
  iotadnn_graph_op_type_cast = 77,
  iotadnn_graph_op_wildcard = 78,
  iotadnn_graph_op_hard_sigmoid = 79,
  iotadnn_graph_op_hard_sigmoid_backward = 80,
  iotadnn_graph_op_select = 81,
  iotadnn_graph_op_pow = 82,
  iotadnn_graph_op_group_norm = 83,
  iotadnn_graph_op_gen_index = 84,
  iotadnn_graph_op_greater_equal = 85,
  iotadnn_graph_op_rms_norm = 86,
  iotadnn_graph_op_dropout = 87,
  iotadnn_graph_op_last_symbol = 88,
  // Ours: oneDNN only ever appends kinds, so these stay clear of its numbers.
  iotadnn_graph_op_eye = 0x1000,       // OpenVINO Eye-9, tensor form and attribute form
  iotadnn_graph_op_eye_like = 0x1001,  // ONNX EyeLike
  iotadnn_graph_op_power = 0x1002,     // src_0 to the power of src_1
  iotadnn_graph_op_equal = 0x1003,
  iotadnn_graph_op_not_equal = 0x1004,
  iotadnn_graph_op_greater = 0x1005,
  iotadnn_graph_op_less = 0x1006,
  iotadnn_graph_op_less_equal = 0x1007,
  iotadnn_graph_op_logical_and = 0x1008,
  iotadnn_graph_op_logical_or = 0x1009,
  iotadnn_graph_op_logical_not = 0x100a,
  iotadnn_graph_op_negative = 0x100b,
  iotadnn_graph_op_range = 0x100c,    // ONNX Range
  iotadnn_graph_op_fill = 0x100d,     // one value everywhere, as ONNX ConstantOfShape
  iotadnn_graph_op_trilu = 0x100e,    // ONNX Trilu
  iotadnn_graph_op_one_hot = 0x100f,  // OpenVINO OneHot
  iotadnn_graph_op_gather = 0x1010,   // ONNX Gather
  iotadnn_graph_op_sign = 0x1011,     // ONNX Sign
} iotadnn_graph_op_kind_t;

// The names of our kinds in graph files and in the C++ API: X(name, enumerator), by number.
#define IOTADNN_GRAPH_OWN_OP_KINDS(X)         \
  X(Eye, iotadnn_graph_op_eye)                \
  X(EyeLike, iotadnn_graph_op_eye_like)       \
  X(Power, iotadnn_graph_op_power)            \
  X(Equal, iotadnn_graph_op_equal)            \
  X(NotEqual, iotadnn_graph_op_not_equal)     \
  X(Greater, iotadnn_graph_op_greater)        \
  X(Less, iotadnn_graph_op_less)              \
  X(LessEqual, iotadnn_graph_op_less_equal)   \
  X(LogicalAnd, iotadnn_graph_op_logical_and) \
  X(LogicalOr, iotadnn_graph_op_logical_or)   \
  X(LogicalNot, iotadnn_graph_op_logical_not) \
  X(Negative, iotadnn_graph_op_negative)      \
  X(Range, iotadnn_graph_op_range)            \
  X(Fill, iotadnn_graph_op_fill)              \
  X(Trilu, iotadnn_graph_op_trilu)            \
  X(OneHot, iotadnn_graph_op_one_hot)         \
  X(Gather, iotadnn_graph_op_gather)          \
  X(Sign, iotadnn_graph_op_sign)

// Attributes of ops. The number decides the type of the value: 0x1 f32, 0x20 f32[], 0x30 s64,
// 0x40 s64[], 0x60 bool, 0x80 string; ours, from 0x1000, say theirs.
typedef enum {
  iotadnn_graph_op_attr_undef = 0,
  iotadnn_graph_op_attr_alpha = 0x1,
  iotadnn_graph_op_attr_beta = 0x2,
  iotadnn_graph_op_attr_epsilon = 0x3,
  iotadnn_graph_op_attr_max = 0x4,
  iotadnn_graph_op_attr_min = 0x5,
  iotadnn_graph_op_attr_momentum = 0x6,
  iotadnn_graph_op_attr_scales = 0x20,
  iotadnn_graph_op_attr_axis = 0x30,
  iotadnn_graph_op_attr_begin_norm_axis = 0x31,
  iotadnn_graph_op_attr_groups = 0x32,
  iotadnn_graph_op_attr_axes = 0x40,
  iotadnn_graph_op_attr_dilations = 0x41,
  iotadnn_graph_op_attr_dst_shape = 0x42,
  iotadnn_graph_op_attr_kernel = 0x43,
  iotadnn_graph_op_attr_order = 0x44,
  iotadnn_graph_op_attr_output_padding = 0x45,
  iotadnn_graph_op_attr_pads_begin = 0x46,
  iotadnn_graph_op_attr_pads_end = 0x47,
  iotadnn_graph_op_attr_shape = 0x48,
  iotadnn_graph_op_attr_sizes = 0x49,
  iotadnn_graph_op_attr_src_shape = 0x4a,
  iotadnn_graph_op_attr_strides = 0x4b,
  iotadnn_graph_op_attr_weights_shape = 0x4c,
  iotadnn_graph_op_attr_zps = 0x4d,
  iotadnn_graph_op_attr_group_shape = 0x4e,
  iotadnn_graph_op_attr_exclude_pad = 0x60,
  iotadnn_graph_op_attr_keep_dims = 0x61,
  iotadnn_graph_op_attr_keep_stats = 0x62,
  iotadnn_graph_op_attr_per_channel_broadcast = 0x63,
  iotadnn_graph_op_attr_special_zero = 0x64,
  iotadnn_graph_op_attr_transpose_a = 0x65,
  iotadnn_graph_op_attr_transpose_b = 0x66,
  iotadnn_graph_op_attr_use_affine = 0x67,
  iotadnn_graph_op_attr_use_dst = 0x68,
  iotadnn_graph_op_attr_auto_broadcast = 0x80,
  iotadnn_graph_op_attr_auto_pad = 0x81,
  iotadnn_graph_op_attr_coordinate_transformation_mode = 0x82,
  iotadnn_graph_op_attr_data_format = 0x83,
  iotadnn_graph_op_attr_mode = 0x84,
  iotadnn_graph_op_attr_qtype = 0x85,
  iotadnn_graph_op_attr_rounding_type = 0x86,
  iotadnn_graph_op_attr_weights_format = 0x87,
  iotadnn_graph_op_attr_accumulation_mode = 0x88,
  iotadnn_graph_op_attr_end = 0xff,
  iotadnn_graph_op_attr_k = 0x1000,  // s64: the diagonal of Eye, EyeLike, Trilu; > 0 above the main
  iotadnn_graph_op_attr_upper = 0x1001,      // bool: Trilu keeps the upper triangle, else the lower
  iotadnn_graph_op_attr_depth = 0x1002,      // s64: the extent of OneHot's new axis
  iotadnn_graph_op_attr_on_value = 0x1003,   // f32: what OneHot writes at the index
  iotadnn_graph_op_attr_off_value = 0x1004,  // f32: and elsewhere
  iotadnn_graph_op_attr_value = 0x1005,      // f32: what Fill writes
} iotadnn_graph_op_attr_t;

#ifdef __cplusplus
}
#endif
