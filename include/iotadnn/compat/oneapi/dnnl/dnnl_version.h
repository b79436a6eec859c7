// SPDX-License-Identifier: Apache-2.0
// Alias header. The version macros and dnnl_version() name the oneDNN API that these headers
// mirror, so that a host that compares the two, or asks for at least a version, goes on; the hash
// is iotadnn's. iotadnn_version() answers iotadnn's own version.
#pragma once

#include "iotadnn/iotadnn_config.h"

#define DNNL_VERSION_MAJOR 3
#define DNNL_VERSION_MINOR 14
#define DNNL_VERSION_PATCH 0
#define DNNL_VERSION_HASH IOTADNN_VERSION_HASH
