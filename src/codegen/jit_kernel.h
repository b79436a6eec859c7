// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "codegen/codegen.h"
#include "codegen/exec_memory.h"

namespace iotadnn::impl {

class Gen;

// "iotadnn_rows_r2_w4_p1_nt": walk, rank, element width, number of predicates, way to store.
std::string kernel_name(const RowProgram& program, const KernelConfig& config);

// Finishes the code in `gen`, puts it where it can run, and tells the dump and the profilers.
Result<std::unique_ptr<const ExecCode>> publish_kernel(Gen& gen, const std::string& name);

// What all kernels share; a walk adds run().
class JitKernel : public Kernel {
 public:
  JitKernel(RowProgram program, std::string name, std::unique_ptr<const ExecCode> code)
      : program_(std::move(program)), name_(std::move(name)), code_(std::move(code)) {}

  const std::string& name() const override { return name_; }

  size_t code_bytes() const override { return code_->size(); }

 protected:
  const RowProgram& program() const { return program_; }

  // The code at `offset` as a function.
  template <class Function>
  Function function_at(size_t offset) const {
    return reinterpret_cast<Function>(reinterpret_cast<uintptr_t>(code_->entry()) + offset);
  }

 private:
  RowProgram program_;
  std::string name_;
  std::unique_ptr<const ExecCode> code_;
};

}  // namespace iotadnn::impl
