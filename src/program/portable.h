// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

namespace iotadnn::impl {

// Interprets a verified program: rows [args.begin, args.end) of the domain, rows counted row-major
// over all dimensions but the last. The oracle of the emitters and the path taken where machine
// code cannot run. Thread safe; calls on disjoint row ranges may run at the same time.
void run_portable(const RowProgram& program, const RunArgs& args);

}  // namespace iotadnn::impl
