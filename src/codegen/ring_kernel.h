// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "codegen/codegen.h"

namespace iotadnn::impl {

// The kernel of the ring walk for T = Avx2 or Avx512; the program is one that ring_applies() to.
// Throws Xbyak::Error.
template <class T>
Result<std::shared_ptr<const Kernel>> make_ring_kernel(const RowProgram& program,
                                                       const KernelConfig& config);

}  // namespace iotadnn::impl
