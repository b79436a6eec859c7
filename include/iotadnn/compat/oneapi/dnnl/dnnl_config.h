// SPDX-License-Identifier: Apache-2.0
// Alias header: lets a program written for oneDNN's graph API compile against iotadnn.
#pragma once

#include "iotadnn/iotadnn_config.h"

#define DNNL_API

#define DNNL_RUNTIME_NONE IOTADNN_RUNTIME_NONE
#define DNNL_RUNTIME_SEQ IOTADNN_RUNTIME_SEQ
#define DNNL_RUNTIME_OMP IOTADNN_RUNTIME_OMP
// Runtimes that iotadnn never has; programs compare with them.
#define DNNL_RUNTIME_TBB 4u
#define DNNL_RUNTIME_THREADPOOL 8u
#define DNNL_RUNTIME_OCL 256u
#define DNNL_RUNTIME_SYCL 512u
#define DNNL_RUNTIME_DPCPP DNNL_RUNTIME_SYCL

#define DNNL_CPU_RUNTIME IOTADNN_CPU_RUNTIME
#define DNNL_CPU_THREADING_RUNTIME IOTADNN_CPU_RUNTIME
#define DNNL_GPU_RUNTIME IOTADNN_GPU_RUNTIME

#define ONEDNN_BUILD_GRAPH
