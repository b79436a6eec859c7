/* SPDX-License-Identifier: Apache-2.0 */
/* Every function alias of the C headers under the signature that oneDNN declares. Compiling this
   file is the larger part of the test. */
#include <stdio.h>

#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/dnnl_debug.h"
#include "oneapi/dnnl/dnnl_graph.h"

static int g_failures = 0;

static void check(int ok, const char* what) {
  if (ok) return;
  printf("%s is missing\n", what);
  ++g_failures;
}

static void check_functions_of_common(void) {
  size_t (*p1)(dnnl_engine_kind_t) = dnnl_engine_get_count;
  dnnl_status_t (*p2)(dnnl_engine_t*, dnnl_engine_kind_t, size_t) = dnnl_engine_create;
  dnnl_status_t (*p3)(dnnl_engine_t, dnnl_engine_kind_t*) = dnnl_engine_get_kind;
  dnnl_status_t (*p4)(dnnl_engine_t) = dnnl_engine_destroy;
  dnnl_status_t (*p5)(dnnl_stream_t*, dnnl_engine_t, unsigned) = dnnl_stream_create;
  dnnl_status_t (*p6)(const_dnnl_stream_t, dnnl_engine_t*) = dnnl_stream_get_engine;
  dnnl_status_t (*p7)(dnnl_stream_t) = dnnl_stream_wait;
  dnnl_status_t (*p8)(dnnl_stream_t) = dnnl_stream_destroy;
  dnnl_status_t (*p9)(dnnl_fpmath_mode_t*) = dnnl_get_default_fpmath_mode;
  dnnl_status_t (*p10)(dnnl_fpmath_mode_t) = dnnl_set_default_fpmath_mode;
  dnnl_status_t (*p11)(int) = dnnl_set_verbose;
  dnnl_status_t (*p12)(int*) = dnnl_verbose_profiling_enabled;
  const dnnl_version_t* (*p13)(void) = dnnl_version;
  dnnl_status_t (*p14)(dnnl_cpu_isa_t) = dnnl_set_max_cpu_isa;
  dnnl_cpu_isa_t (*p15)(void) = dnnl_get_effective_cpu_isa;
  dnnl_status_t (*p16)(int) = dnnl_set_jit_dump;
  dnnl_status_t (*p17)(unsigned) = dnnl_set_jit_profiling_flags;
  check(p1 != NULL, "dnnl_engine_get_count");
  check(p2 != NULL, "dnnl_engine_create");
  check(p3 != NULL, "dnnl_engine_get_kind");
  check(p4 != NULL, "dnnl_engine_destroy");
  check(p5 != NULL, "dnnl_stream_create");
  check(p6 != NULL, "dnnl_stream_get_engine");
  check(p7 != NULL, "dnnl_stream_wait");
  check(p8 != NULL, "dnnl_stream_destroy");
  check(p9 != NULL, "dnnl_get_default_fpmath_mode");
  check(p10 != NULL, "dnnl_set_default_fpmath_mode");
  check(p11 != NULL, "dnnl_set_verbose");
  check(p12 != NULL, "dnnl_verbose_profiling_enabled");
  check(p13 != NULL, "dnnl_version");
  check(p14 != NULL, "dnnl_set_max_cpu_isa");
  check(p15 != NULL, "dnnl_get_effective_cpu_isa");
  check(p16 != NULL, "dnnl_set_jit_dump");
  check(p17 != NULL, "dnnl_set_jit_profiling_flags");
}

static void check_functions_of_debug(void) {
  const char* (*p1)(dnnl_status_t) = dnnl_status2str;
  const char* (*p2)(dnnl_data_type_t) = dnnl_dt2str;
  const char* (*p3)(dnnl_fpmath_mode_t) = dnnl_fpmath_mode2str;
  const char* (*p4)(dnnl_accumulation_mode_t) = dnnl_accumulation_mode2str;
  const char* (*p5)(dnnl_engine_kind_t) = dnnl_engine_kind2str;
  const char* (*p6)(dnnl_cpu_isa_t) = dnnl_cpu_isa2str;
  const char* (*p7)(unsigned) = dnnl_runtime2str;
  check(p1 != NULL, "dnnl_status2str");
  check(p2 != NULL, "dnnl_dt2str");
  check(p3 != NULL, "dnnl_fpmath_mode2str");
  check(p4 != NULL, "dnnl_accumulation_mode2str");
  check(p5 != NULL, "dnnl_engine_kind2str");
  check(p6 != NULL, "dnnl_cpu_isa2str");
  check(p7 != NULL, "dnnl_runtime2str");
}

static void check_functions_of_graph(void) {
  dnnl_status_t (*p1)(dnnl_graph_allocator_t*, dnnl_graph_host_allocate_f,
                      dnnl_graph_host_deallocate_f) = dnnl_graph_allocator_create;
  dnnl_status_t (*p2)(dnnl_graph_allocator_t) = dnnl_graph_allocator_destroy;
  dnnl_status_t (*p3)(dnnl_engine_t*, dnnl_engine_kind_t, size_t, const_dnnl_graph_allocator_t) =
      dnnl_graph_make_engine_with_allocator;
  dnnl_status_t (*p4)(dnnl_graph_logical_tensor_t*, size_t, dnnl_data_type_t, int32_t,
                      dnnl_graph_layout_type_t, dnnl_graph_tensor_property_t) =
      dnnl_graph_logical_tensor_init;
  dnnl_status_t (*p5)(dnnl_graph_logical_tensor_t*, size_t, dnnl_data_type_t, int32_t,
                      const dnnl_dims_t, dnnl_graph_layout_type_t, dnnl_graph_tensor_property_t) =
      dnnl_graph_logical_tensor_init_with_dims;
  dnnl_status_t (*p6)(dnnl_graph_logical_tensor_t*, size_t, dnnl_data_type_t, int32_t,
                      const dnnl_dims_t, const dnnl_dims_t, dnnl_graph_tensor_property_t) =
      dnnl_graph_logical_tensor_init_with_strides;
  dnnl_status_t (*p7)(const dnnl_graph_logical_tensor_t*, size_t*) =
      dnnl_graph_logical_tensor_get_mem_size;
  dnnl_status_t (*p8)(const dnnl_graph_logical_tensor_t*, const dnnl_graph_logical_tensor_t*,
                      uint8_t*) = dnnl_graph_logical_tensor_is_equal;
  dnnl_status_t (*p9)(dnnl_graph_tensor_t*, const dnnl_graph_logical_tensor_t*, dnnl_engine_t,
                      void*) = dnnl_graph_tensor_create;
  dnnl_status_t (*p10)(dnnl_graph_tensor_t*, const dnnl_graph_logical_tensor_t*, const void*) =
      dnnl_graph_tensor_create_scalar;
  dnnl_status_t (*p11)(dnnl_graph_tensor_t) = dnnl_graph_tensor_destroy;
  dnnl_status_t (*p12)(const_dnnl_graph_tensor_t, void**) = dnnl_graph_tensor_get_data_handle;
  dnnl_status_t (*p13)(dnnl_graph_tensor_t, void*) = dnnl_graph_tensor_set_data_handle;
  dnnl_status_t (*p14)(const_dnnl_graph_tensor_t, dnnl_engine_t*) = dnnl_graph_tensor_get_engine;
  dnnl_status_t (*p15)(const_dnnl_graph_tensor_t, dnnl_graph_logical_tensor_t*) =
      dnnl_graph_tensor_get_logical_tensor;
  dnnl_status_t (*p16)(dnnl_graph_op_t*, size_t, dnnl_graph_op_kind_t, const char*) =
      dnnl_graph_op_create;
  dnnl_status_t (*p17)(dnnl_graph_op_t) = dnnl_graph_op_destroy;
  dnnl_status_t (*p18)(dnnl_graph_op_t, const dnnl_graph_logical_tensor_t*) =
      dnnl_graph_op_add_input;
  dnnl_status_t (*p19)(dnnl_graph_op_t, const dnnl_graph_logical_tensor_t*) =
      dnnl_graph_op_add_output;
  dnnl_status_t (*p20)(dnnl_graph_op_t, dnnl_graph_op_attr_t, const float*, size_t) =
      dnnl_graph_op_set_attr_f32;
  dnnl_status_t (*p21)(dnnl_graph_op_t, dnnl_graph_op_attr_t, const uint8_t*, size_t) =
      dnnl_graph_op_set_attr_bool;
  dnnl_status_t (*p22)(dnnl_graph_op_t, dnnl_graph_op_attr_t, const int64_t*, size_t) =
      dnnl_graph_op_set_attr_s64;
  dnnl_status_t (*p23)(dnnl_graph_op_t, dnnl_graph_op_attr_t, const char*, size_t) =
      dnnl_graph_op_set_attr_str;
  dnnl_status_t (*p24)(const_dnnl_graph_op_t, size_t*) = dnnl_graph_op_get_id;
  dnnl_status_t (*p25)(const_dnnl_graph_op_t, dnnl_graph_op_kind_t*) = dnnl_graph_op_get_kind;
  dnnl_status_t (*p26)(dnnl_graph_partition_t*, const_dnnl_graph_op_t, dnnl_engine_kind_t) =
      dnnl_graph_partition_create_with_op;
  dnnl_status_t (*p27)(dnnl_graph_partition_t) = dnnl_graph_partition_destroy;
  dnnl_status_t (*p28)(const_dnnl_graph_partition_t, size_t*) = dnnl_graph_partition_get_op_num;
  dnnl_status_t (*p29)(dnnl_graph_partition_t, size_t, size_t*) = dnnl_graph_partition_get_ops;
  dnnl_status_t (*p30)(const_dnnl_graph_partition_t, size_t*) = dnnl_graph_partition_get_id;
  dnnl_status_t (*p31)(dnnl_graph_partition_t, dnnl_graph_compiled_partition_t, size_t,
                       const dnnl_graph_logical_tensor_t**, size_t,
                       const dnnl_graph_logical_tensor_t**, dnnl_engine_t) =
      dnnl_graph_partition_compile;
  dnnl_status_t (*p32)(const_dnnl_graph_partition_t, size_t*) =
      dnnl_graph_partition_get_input_ports_num;
  dnnl_status_t (*p33)(const_dnnl_graph_partition_t, size_t, dnnl_graph_logical_tensor_t*) =
      dnnl_graph_partition_get_input_ports;
  dnnl_status_t (*p34)(const_dnnl_graph_partition_t, size_t*) =
      dnnl_graph_partition_get_output_ports_num;
  dnnl_status_t (*p35)(const_dnnl_graph_partition_t, size_t, dnnl_graph_logical_tensor_t*) =
      dnnl_graph_partition_get_output_ports;
  dnnl_status_t (*p36)(const_dnnl_graph_partition_t, uint8_t*) = dnnl_graph_partition_is_supported;
  dnnl_status_t (*p37)(const_dnnl_graph_partition_t, dnnl_engine_kind_t*) =
      dnnl_graph_partition_get_engine_kind;
  dnnl_status_t (*p38)(dnnl_graph_compiled_partition_t*, dnnl_graph_partition_t) =
      dnnl_graph_compiled_partition_create;
  dnnl_status_t (*p39)(const_dnnl_graph_compiled_partition_t, dnnl_stream_t, size_t,
                       const_dnnl_graph_tensor_t*, size_t, const_dnnl_graph_tensor_t*) =
      dnnl_graph_compiled_partition_execute;
  dnnl_status_t (*p40)(const_dnnl_graph_compiled_partition_t, dnnl_stream_t, size_t,
                       const_dnnl_graph_tensor_t*, size_t, const_dnnl_graph_tensor_t*,
                       const_dnnl_graph_tensor_t) = dnnl_graph_compiled_partition_execute_v2;
  dnnl_status_t (*p41)(dnnl_graph_compiled_partition_t) = dnnl_graph_compiled_partition_destroy;
  dnnl_status_t (*p42)(const_dnnl_graph_compiled_partition_t, size_t,
                       dnnl_graph_logical_tensor_t*) =
      dnnl_graph_compiled_partition_query_logical_tensor;
  dnnl_status_t (*p43)(const_dnnl_graph_compiled_partition_t, size_t*,
                       const dnnl_graph_inplace_pair_t**) =
      dnnl_graph_compiled_partition_get_inplace_ports;
  dnnl_status_t (*p44)(const_dnnl_graph_compiled_partition_t, dnnl_graph_logical_tensor_t*) =
      dnnl_graph_compiled_partition_get_scratchpad_logical_tensor;
  dnnl_status_t (*p45)(dnnl_graph_graph_t*, dnnl_engine_kind_t) = dnnl_graph_graph_create;
  dnnl_status_t (*p46)(dnnl_graph_graph_t*, dnnl_engine_kind_t, dnnl_fpmath_mode_t) =
      dnnl_graph_graph_create_with_fpmath_mode;
  dnnl_status_t (*p47)(dnnl_graph_graph_t) = dnnl_graph_graph_destroy;
  dnnl_status_t (*p48)(dnnl_graph_graph_t, dnnl_fpmath_mode_t, int) =
      dnnl_graph_graph_set_fpmath_mode;
  dnnl_status_t (*p49)(dnnl_graph_graph_t, dnnl_fpmath_mode_t*, int*) =
      dnnl_graph_graph_get_fpmath_mode;
  dnnl_status_t (*p50)(dnnl_graph_graph_t, dnnl_graph_op_t) = dnnl_graph_add_op;
  dnnl_status_t (*p51)(dnnl_graph_graph_t) = dnnl_graph_graph_finalize;
  dnnl_status_t (*p52)(dnnl_graph_graph_t, uint8_t*) = dnnl_graph_graph_is_finalized;
  dnnl_status_t (*p53)(dnnl_graph_graph_t, dnnl_graph_partition_policy_t) = dnnl_graph_graph_filter;
  dnnl_status_t (*p54)(const_dnnl_graph_graph_t, size_t*) = dnnl_graph_graph_get_partition_num;
  dnnl_status_t (*p55)(dnnl_graph_graph_t, size_t, dnnl_graph_partition_t*) =
      dnnl_graph_graph_get_partitions;
  dnnl_status_t (*p56)(int*) = dnnl_graph_get_compiled_partition_cache_capacity;
  dnnl_status_t (*p57)(int) = dnnl_graph_set_compiled_partition_cache_capacity;
  dnnl_status_t (*p58)(int) = dnnl_graph_set_constant_tensor_cache;
  dnnl_status_t (*p59)(int*) = dnnl_graph_get_constant_tensor_cache;
  dnnl_status_t (*p60)(dnnl_engine_kind_t, size_t) = dnnl_graph_set_constant_tensor_cache_capacity;
  dnnl_status_t (*p61)(dnnl_engine_kind_t, size_t*) = dnnl_graph_get_constant_tensor_cache_capacity;
  dnnl_status_t (*p62)(dnnl_graph_dump_mode_t) = dnnl_graph_set_dump_mode;
  check(p1 != NULL, "dnnl_graph_allocator_create");
  check(p2 != NULL, "dnnl_graph_allocator_destroy");
  check(p3 != NULL, "dnnl_graph_make_engine_with_allocator");
  check(p4 != NULL, "dnnl_graph_logical_tensor_init");
  check(p5 != NULL, "dnnl_graph_logical_tensor_init_with_dims");
  check(p6 != NULL, "dnnl_graph_logical_tensor_init_with_strides");
  check(p7 != NULL, "dnnl_graph_logical_tensor_get_mem_size");
  check(p8 != NULL, "dnnl_graph_logical_tensor_is_equal");
  check(p9 != NULL, "dnnl_graph_tensor_create");
  check(p10 != NULL, "dnnl_graph_tensor_create_scalar");
  check(p11 != NULL, "dnnl_graph_tensor_destroy");
  check(p12 != NULL, "dnnl_graph_tensor_get_data_handle");
  check(p13 != NULL, "dnnl_graph_tensor_set_data_handle");
  check(p14 != NULL, "dnnl_graph_tensor_get_engine");
  check(p15 != NULL, "dnnl_graph_tensor_get_logical_tensor");
  check(p16 != NULL, "dnnl_graph_op_create");
  check(p17 != NULL, "dnnl_graph_op_destroy");
  check(p18 != NULL, "dnnl_graph_op_add_input");
  check(p19 != NULL, "dnnl_graph_op_add_output");
  check(p20 != NULL, "dnnl_graph_op_set_attr_f32");
  check(p21 != NULL, "dnnl_graph_op_set_attr_bool");
  check(p22 != NULL, "dnnl_graph_op_set_attr_s64");
  check(p23 != NULL, "dnnl_graph_op_set_attr_str");
  check(p24 != NULL, "dnnl_graph_op_get_id");
  check(p25 != NULL, "dnnl_graph_op_get_kind");
  check(p26 != NULL, "dnnl_graph_partition_create_with_op");
  check(p27 != NULL, "dnnl_graph_partition_destroy");
  check(p28 != NULL, "dnnl_graph_partition_get_op_num");
  check(p29 != NULL, "dnnl_graph_partition_get_ops");
  check(p30 != NULL, "dnnl_graph_partition_get_id");
  check(p31 != NULL, "dnnl_graph_partition_compile");
  check(p32 != NULL, "dnnl_graph_partition_get_input_ports_num");
  check(p33 != NULL, "dnnl_graph_partition_get_input_ports");
  check(p34 != NULL, "dnnl_graph_partition_get_output_ports_num");
  check(p35 != NULL, "dnnl_graph_partition_get_output_ports");
  check(p36 != NULL, "dnnl_graph_partition_is_supported");
  check(p37 != NULL, "dnnl_graph_partition_get_engine_kind");
  check(p38 != NULL, "dnnl_graph_compiled_partition_create");
  check(p39 != NULL, "dnnl_graph_compiled_partition_execute");
  check(p40 != NULL, "dnnl_graph_compiled_partition_execute_v2");
  check(p41 != NULL, "dnnl_graph_compiled_partition_destroy");
  check(p42 != NULL, "dnnl_graph_compiled_partition_query_logical_tensor");
  check(p43 != NULL, "dnnl_graph_compiled_partition_get_inplace_ports");
  check(p44 != NULL, "dnnl_graph_compiled_partition_get_scratchpad_logical_tensor");
  check(p45 != NULL, "dnnl_graph_graph_create");
  check(p46 != NULL, "dnnl_graph_graph_create_with_fpmath_mode");
  check(p47 != NULL, "dnnl_graph_graph_destroy");
  check(p48 != NULL, "dnnl_graph_graph_set_fpmath_mode");
  check(p49 != NULL, "dnnl_graph_graph_get_fpmath_mode");
  check(p50 != NULL, "dnnl_graph_add_op");
  check(p51 != NULL, "dnnl_graph_graph_finalize");
  check(p52 != NULL, "dnnl_graph_graph_is_finalized");
  check(p53 != NULL, "dnnl_graph_graph_filter");
  check(p54 != NULL, "dnnl_graph_graph_get_partition_num");
  check(p55 != NULL, "dnnl_graph_graph_get_partitions");
  check(p56 != NULL, "dnnl_graph_get_compiled_partition_cache_capacity");
  check(p57 != NULL, "dnnl_graph_set_compiled_partition_cache_capacity");
  check(p58 != NULL, "dnnl_graph_set_constant_tensor_cache");
  check(p59 != NULL, "dnnl_graph_get_constant_tensor_cache");
  check(p60 != NULL, "dnnl_graph_set_constant_tensor_cache_capacity");
  check(p61 != NULL, "dnnl_graph_get_constant_tensor_cache_capacity");
  check(p62 != NULL, "dnnl_graph_set_dump_mode");
}

int main(void) {
  check_functions_of_common();
  check_functions_of_debug();
  check_functions_of_graph();
  if (g_failures == 0) printf("all function aliases have oneDNN's signatures\n");
  return g_failures != 0;
}
