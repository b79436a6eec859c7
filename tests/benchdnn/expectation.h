// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "benchdnn/compare.h"
#include "benchdnn/limit.h"
#include "benchdnn/partition_run.h"

// What the driver knows about the ops of this library: what their outputs hold.
namespace iotadnn::benchdnn {

// Of output `id`; nullopt when an op without an oracle produces it. Eye's diagonal is read from the
// buffers (or the description, for a host scalar).
std::optional<Expectation> expectation_of(const frontends::GraphDesc& graph, size_t id,
                                          const Memories& memories);

// Which content the output's memory lines hold, for %limit%: `request.bytes` is 0 when there is
// nothing to compare with. Identities count as zeros while at least half of the 64-byte lines of
// their rows are zeros, and as a ramp (content that changes everywhere) otherwise. An index along
// an axis that is not the last one is constant over rows of at least 4 KiB.
LimitRequest limit_request_of(const Expectation& expected, const TensorView& view);

// Whether an op reads the data of a tensor: EyeLike and GenIndex do not.
bool is_read(const frontends::GraphDesc& graph, size_t id);

// Bytes that an execution of the run reads from tensors, and writes into them: sources of EyeLike
// and GenIndex are never read, Eye reads its scalars.
double bytes_read(const frontends::GraphDesc& graph, const PartitionRun& run);
double bytes_written(const PartitionRun& run);

}  // namespace iotadnn::benchdnn
