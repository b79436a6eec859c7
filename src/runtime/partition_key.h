// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "base/span.h"
#include "base/status.h"
#include "partition/partition.h"

namespace iotadnn::impl {

// A partition's op with the caller's logical tensors at its ports. Ids are renumbered by first
// appearance and the op is named by its kind, so that structure-equal partitions look the same.
struct BoundPorts {
  Op op;
  std::vector<int> input_of_port;  // position in the caller's list of each input port's tensor
  int output_position = 0;         // position of the output port's tensor
};

// Matches the caller's lists with the ports by id; repeats and tensors that are no port are
// allowed. invalid_arguments for a port that is missing, or an opaque layout; invalid_data_type and
// invalid_shape where the caller contradicts what the graph knew.
Result<BoundPorts> bind_ports(const Partition& partition, Span<const LogicalTensor> inputs,
                              Span<const LogicalTensor> outputs);

// Equal keys compile to the same thing.
std::string partition_key(const Partition& partition, const BoundPorts& ports, Isa isa,
                          std::string_view forced_strategy);

}  // namespace iotadnn::impl
