// SPDX-License-Identifier: Apache-2.0
// Alias header: the part of dnnl.h that a graph program needs.
#pragma once

#include "oneapi/dnnl/dnnl_common.h"
#include "oneapi/dnnl/dnnl_types.h"

#define dnnl_set_max_cpu_isa iotadnn_set_max_cpu_isa
#define dnnl_get_effective_cpu_isa iotadnn_get_effective_cpu_isa
#define dnnl_set_jit_dump iotadnn_set_jit_dump
#define dnnl_set_jit_profiling_flags iotadnn_set_jit_profiling_flags
