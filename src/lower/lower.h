// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "ops/lower_context.h"
#include "partition/partition.h"

namespace iotadnn::impl {

// A partition as one program over its output's logical dimensions.
struct LoweredPartition {
  RowProgram program;
  std::vector<ScalarSource> scalars;  // program.num_scalars of them

  bool operator==(const LoweredPartition& o) const {
    return program == o.program && scalars == o.scalars;
  }
};

// Lowers a supported partition of one op through its table row. The rank of the output must be
// known; extents and strides need not be. The program is verified. unimplemented when the op has no
// lowering or the partition more than one op.
Result<LoweredPartition> lower(const Partition& partition);

}  // namespace iotadnn::impl
