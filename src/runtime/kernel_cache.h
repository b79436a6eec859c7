// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "codegen/codegen.h"

namespace iotadnn::impl {

// The kernel of a program and configuration, compiled at its first use in the process. Compiling
// happens outside the lock; when two threads compile the same kernel the first finished wins.
// Failures are not kept. Kernels live as long as somebody holds them or the cache does (a bounded
// number). Thread safe.
Result<std::shared_ptr<const Kernel>> cached_kernel(const RowProgram& program,
                                                    const KernelConfig& config);

// The ISA that kernels are compiled for under a cap: none of them has a bf16 instruction, so one
// code serves both AVX-512 caps. Attentions may go beyond it (tiles_isa()).
Isa kernel_isa(Isa cap);

// The kernel of a pointwise program whose tensors have these strides (as RunArgs::src_strides, the
// inputs' first), into `kernel`; null where the portable path has to do, which the verbose log
// says.
Status pointwise_kernel(const RowProgram& program, const int64_t* strides, Store store, Isa cap,
                        std::shared_ptr<const Kernel>& kernel);

// "jit:avx2", or "portable" without a kernel: what runs.
std::string impl_name(const Kernel* kernel, Isa cap);
std::string impl_name(Isa compiled_for);

// Says in the verbose log why the portable path stands in for a kernel.
void log_fallback(const Status& status);

}  // namespace iotadnn::impl
