// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "program/program.h"

namespace iotadnn::impl {

// Success when the program is well formed: rank, width and counts in range, one body per truth
// combination, every body not empty, every coordinate and scalar index defined, bounds use outer
// coordinates other than the predicate's own axis. Otherwise invalid_arguments with the sentence
// that names the part.
Status verify(const RowProgram& program);

}  // namespace iotadnn::impl
