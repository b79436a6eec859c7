// SPDX-License-Identifier: Apache-2.0
// Alias header: engines, streams and settings.
#pragma once

#include "iotadnn/common.h"

#include "oneapi/dnnl/dnnl_common_types.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_version.h"

#define dnnl_engine_get_count iotadnn_engine_get_count
#define dnnl_engine_create iotadnn_engine_create
#define dnnl_engine_get_kind iotadnn_engine_get_kind
#define dnnl_engine_destroy iotadnn_engine_destroy
#define dnnl_stream_create iotadnn_stream_create
#define dnnl_stream_get_engine iotadnn_stream_get_engine
#define dnnl_stream_wait iotadnn_stream_wait
#define dnnl_stream_destroy iotadnn_stream_destroy
#define dnnl_get_default_fpmath_mode iotadnn_get_default_fpmath_mode
#define dnnl_set_default_fpmath_mode iotadnn_set_default_fpmath_mode
#define dnnl_set_verbose iotadnn_set_verbose
#define dnnl_verbose_profiling_enabled iotadnn_verbose_profiling_enabled

// clang-format off
#ifdef __cplusplus
inline
#else
static inline
#endif
// The version of dnnl_version.h with the hash and runtimes of the library. A constant. Thread safe.
const dnnl_version_t* dnnl_version(void) {
  // clang-format on
  static const dnnl_version_t version = {DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH,
                                         DNNL_VERSION_HASH,  DNNL_CPU_RUNTIME,   DNNL_GPU_RUNTIME};
  return &version;
}
