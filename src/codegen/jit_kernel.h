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

// Code under its name, where it can run.
struct PublishedKernel {
  std::string name;
  std::unique_ptr<const ExecCode> place;
  size_t instructions = 0;  // bytes; constants follow

  KernelCode code() const {
    return {name.c_str(), static_cast<const uint8_t*>(place->entry()), place->size(), instructions};
  }
};

// Finishes the code in `gen`, puts it where it can run, and tells the dump and the profilers.
Result<PublishedKernel> publish_kernel(Gen& gen, std::string name);

// What all kernels share; a walk adds run().
class JitKernel : public Kernel {
 public:
  JitKernel(RowProgram program, PublishedKernel published)
      : program_(std::move(program)), published_(std::move(published)) {}

  const std::string& name() const override { return published_.name; }

  KernelCode code() const override { return published_.code(); }

 protected:
  const RowProgram& program() const { return program_; }

  // The code at `offset` as a function.
  template <class Function>
  Function function_at(size_t offset) const {
    return reinterpret_cast<Function>(reinterpret_cast<uintptr_t>(published_.place->entry()) +
                                      offset);
  }

 private:
  RowProgram program_;
  PublishedKernel published_;
};

}  // namespace iotadnn::impl
