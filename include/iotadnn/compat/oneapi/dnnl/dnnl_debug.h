// SPDX-License-Identifier: Apache-2.0
// Alias header: names of enum values.
#pragma once

#include "iotadnn/debug.h"

#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_types.h"

#define dnnl_status2str iotadnn_status2str
#define dnnl_dt2str iotadnn_dt2str
#define dnnl_fpmath_mode2str iotadnn_fpmath_mode2str
#define dnnl_accumulation_mode2str iotadnn_accumulation_mode2str
#define dnnl_engine_kind2str iotadnn_engine_kind2str
#define dnnl_cpu_isa2str iotadnn_cpu_isa2str
#define dnnl_runtime2str iotadnn_runtime2str
