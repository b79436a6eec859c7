// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "codegen/codegen.h"

namespace iotadnn::impl {

// The kernel of the pointwise walk for T = Avx2 or Avx512. Throws Xbyak::Error.
template <class T>
Result<std::shared_ptr<const Kernel>> make_pointwise_kernel(const RowProgram& program,
                                                            const KernelConfig& config);

}  // namespace iotadnn::impl
