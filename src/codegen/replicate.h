// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "codegen/codegen.h"
#include "codegen/exec_memory.h"

namespace iotadnn::impl {

// The code of a ReplicateFunction for T = Avx2 or Avx512. Throws Xbyak::Error.
template <class T>
Result<std::unique_ptr<const ExecCode>> make_replicate(Store store);

}  // namespace iotadnn::impl
