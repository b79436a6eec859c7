// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "iotadnn/iotadnn_types.h"

namespace iotadnn::impl {

// The mode of graphs that are created without one: the last one set, else
// IOTADNN_DEFAULT_FPMATH_MODE, else strict. Thread safe.
iotadnn_fpmath_mode_t default_fpmath_mode();

}  // namespace iotadnn::impl
