// SPDX-License-Identifier: Apache-2.0
// Alias header: namespace dnnl's errors, handles, engines, streams and settings.
#pragma once

#include "iotadnn/common.hpp"

#include "oneapi/dnnl/dnnl_common.h"

namespace dnnl {

using iotadnn::accumulation_mode;
using iotadnn::convert_to_c;
using iotadnn::engine;
using iotadnn::error;
using iotadnn::fpmath_mode;
using iotadnn::get_default_fpmath_mode;
using iotadnn::handle;
using iotadnn::handle_traits;
using iotadnn::set_default_fpmath_mode;
using iotadnn::set_verbose;
using iotadnn::status;
using iotadnn::stream;
using iotadnn::verbose_profiling_enabled;
using iotadnn::version_t;

// oneDNN's version that these headers mirror, see dnnl_version().
inline const version_t* version() {
  return dnnl_version();
}

}  // namespace dnnl
