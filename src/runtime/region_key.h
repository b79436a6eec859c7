// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/cpu.h"
#include "base/span.h"
#include "runtime/region_core.h"

namespace iotadnn::impl {

// Matches the caller's lists with the partition's ports by id, as bind_ports does for one op, with
// the same statuses.
Result<BoundRegion> bind_region(const Partition& partition, Span<const LogicalTensor> inputs,
                                Span<const LogicalTensor> outputs);

// Equal keys compile to the same thing.
std::string region_key(const BoundRegion& bound, Isa isa, std::string_view forced_strategy);

}  // namespace iotadnn::impl
