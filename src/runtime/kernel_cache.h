// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/status.h"
#include "codegen/codegen.h"

namespace iotadnn::impl {

// The kernel of a program and configuration, compiled at its first use in the process. Compiling
// happens outside the lock; when two threads compile the same kernel the first finished wins.
// Failures are not kept. Kernels live as long as somebody holds them or the cache does (a bounded
// number). Thread safe.
Result<std::shared_ptr<const Kernel>> cached_kernel(const RowProgram& program,
                                                    const KernelConfig& config);

}  // namespace iotadnn::impl
