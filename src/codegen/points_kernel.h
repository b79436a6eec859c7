// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "codegen/codegen.h"

namespace iotadnn::impl {

bool points_applies(const RowProgram& program);

// The kernel of the points walk for T = Avx2 or Avx512. Throws Xbyak::Error.
template <class T>
Result<std::shared_ptr<const Kernel>> make_points_kernel(const RowProgram& program,
                                                         const KernelConfig& config);

}  // namespace iotadnn::impl
