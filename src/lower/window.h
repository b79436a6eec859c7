// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "program/program.h"

namespace iotadnn::impl {

// A program for windows of a program's domain: coordinates are counted from the window's first
// element, whose own coordinates are scalars num_scalars ... num_scalars + rank - 1 (of the given
// program) of the result. What it reads starts at the window's first element, too. unimplemented
// when that makes too many scalars.
Result<RowProgram> to_window(const RowProgram& program);

}  // namespace iotadnn::impl
