// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "benchdnn/limit.h"

namespace iotadnn::benchdnn {

// A meter of reading: buffers of its own of so many bytes each are read once, in whole lines, by
// teams of 1..threads. `cold`: they are pushed out of the caches before each pass; else passes find
// them as the last one left them, so that only what is larger than the caches is read from memory.
LimitMeter read_meter(const std::vector<size_t>& sizes, iotadnn_cpu_isa_t isa, int threads,
                      bool cold);

}  // namespace iotadnn::benchdnn
