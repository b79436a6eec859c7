// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

namespace iotadnn::impl {

// The portable path of pointwise programs: units [args.begin, args.end) of row_walk.h, a few lanes
// at a time through evaluate(). An output may be the very memory of an input whose strides are the
// same. Thread safe on disjoint units; no heap.
void run_pointwise(const RowProgram& program, const RunArgs& args);

}  // namespace iotadnn::impl
