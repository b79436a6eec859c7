// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/codegen.h"
#include "codegen/jit_kernel.h"

namespace iotadnn::impl {

// The code of a ReplicateFunction for T = Avx2 or Avx512. Throws Xbyak::Error.
template <class T>
Result<PublishedKernel> make_replicate(Store store);

}  // namespace iotadnn::impl
