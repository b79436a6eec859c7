// SPDX-License-Identifier: Apache-2.0
// Alias header: the part of dnnl.hpp that a graph program needs: engines, streams, statuses, types
// and settings. iotadnn has no primitives.
#pragma once

#include <vector>

#include "oneapi/dnnl/dnnl.h"
#include "oneapi/dnnl/dnnl_common.hpp"

namespace dnnl {

// Only the types of oneDNN's memory class.
struct memory {
  using dim = dnnl_dim_t;
  using dims = std::vector<dim>;

  enum class data_type {
    undef = dnnl_data_type_undef,
    f16 = dnnl_f16,
    bf16 = dnnl_bf16,
    f32 = dnnl_f32,
    s32 = dnnl_s32,
    s8 = dnnl_s8,
    u8 = dnnl_u8,
    f64 = dnnl_f64,
    boolean = dnnl_boolean,
    f8_e5m2 = dnnl_f8_e5m2,
    f8_e4m3 = dnnl_f8_e4m3,
    s4 = dnnl_s4,
    u4 = dnnl_u4,
    e8m0 = dnnl_e8m0,
    f4_e2m1 = dnnl_f4_e2m1,
    f4_e3m0 = dnnl_f4_e3m0,
    s64 = dnnl_s64,
  };
};

inline dnnl_data_type_t convert_to_c(memory::data_type type) {
  return static_cast<dnnl_data_type_t>(type);
}

// oneDNN's names, each mapped down to what iotadnn has.
enum class cpu_isa {
  isa_default = dnnl_cpu_isa_default,
  sse41 = dnnl_cpu_isa_sse41,
  avx = dnnl_cpu_isa_avx,
  avx2 = dnnl_cpu_isa_avx2,
  avx2_vnni = dnnl_cpu_isa_avx2_vnni,
  avx2_vnni_2 = dnnl_cpu_isa_avx2_vnni_2,
  avx512_core = dnnl_cpu_isa_avx512_core,
  avx512_core_vnni = dnnl_cpu_isa_avx512_core_vnni,
  avx512_core_bf16 = dnnl_cpu_isa_avx512_core_bf16,
  avx512_core_fp16 = dnnl_cpu_isa_avx512_core_fp16,
  avx10_1_512 = dnnl_cpu_isa_avx10_1_512,
  avx512_core_amx = dnnl_cpu_isa_avx512_core_amx,
  avx10_1_512_amx = dnnl_cpu_isa_avx10_1_512_amx,
  avx512_core_amx_fp16 = dnnl_cpu_isa_avx512_core_amx_fp16,
  avx10_1_512_amx_fp16 = dnnl_cpu_isa_avx10_1_512_amx_fp16,
  avx10_2 = dnnl_cpu_isa_avx10_2,
  avx10_2_512 = dnnl_cpu_isa_avx10_2_512,
  avx10_2_amx_2 = dnnl_cpu_isa_avx10_2_amx_2,
  avx10_2_512_amx_2 = dnnl_cpu_isa_avx10_2_512_amx_2,
};

inline status set_max_cpu_isa(cpu_isa isa) {
  return static_cast<status>(dnnl_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(isa)));
}

inline cpu_isa get_effective_cpu_isa() {
  return static_cast<cpu_isa>(dnnl_get_effective_cpu_isa());
}

using iotadnn::set_jit_dump;
using iotadnn::set_jit_profiling_flags;

}  // namespace dnnl
