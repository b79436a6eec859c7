// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "iotadnn/iotadnn_types.h"

#include "benchdnn/limit.h"
#include "benchdnn/moves.h"

namespace iotadnn::benchdnn {

// The ways of carrying out a list of moves: plain and non-temporal stores, chosen apart for what is
// moved and what is filled, and `rep movs` with `rep stos`. Threads get shares of the bytes, cut at
// lines. Filled lines end up with the value of their move, moved ones with the bytes of their first
// source where it has at least 64 for each line; other lines hold anything. Of a single line that
// is moved to its own place one word is read and written.
std::vector<Way> ways_of(const std::shared_ptr<const MoveList>& list, iotadnn_cpu_isa_t isa);

}  // namespace iotadnn::benchdnn
