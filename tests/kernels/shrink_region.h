// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "kernels/random_region.h"

namespace iotadnn::test {

// The graph with as much taken away as goes while it still fails: outputs, ops (whose results
// become inputs or are not needed), strides, unknown extents.
RandomRegion shrunk(RandomRegion region, const std::function<bool(const RandomRegion&)>& fails);

}  // namespace iotadnn::test
