// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/span.h"
#include "base/status.h"
#include "codegen/codegen.h"
#include "partition/partition.h"
#include "runtime/tensor.h"
#include "runtime/verbose_text.h"

namespace iotadnn::impl {

struct InplacePair {
  size_t input_id = 0;
  size_t output_id = 0;
};

// A partition bound to logical tensors, ready to run any number of times. Immutable: every member
// function is thread safe, execute() on one object from many threads at once included.
class CompiledPartition {
 public:
  virtual ~CompiledPartition() = default;

  // The tensors in the order of the logical tensors given at compile; counts must agree
  // (invalid_arguments). Their own logical tensors fill what was unknown at compile; what was known
  // must agree (invalid_shape). Null data is legal where the op never reads it and for empty
  // outputs, else invalid_arguments. Synchronous.
  virtual Status execute(Span<const Tensor* const> inputs,
                         Span<const Tensor* const> outputs) const = 0;

  // Fills the unknown dims and strides of `outputs` (compile order) for these inputs.
  virtual Status infer_shapes(Span<const Tensor* const> inputs,
                              Span<LogicalTensor> outputs) const = 0;

  Span<const LogicalTensor> inputs() const { return {inputs_.data(), inputs_.size()}; }

  Span<const LogicalTensor> outputs() const { return {outputs_.data(), outputs_.size()}; }

  // What execute() and infer_shapes() check first.
  bool counts_agree(size_t num_inputs, size_t num_outputs) const {
    return num_inputs == num_inputs_ && num_outputs == num_outputs_;
  }

  virtual const std::string& impl() const = 0;  // "jit:avx2", "portable", "reference", ...

  // For people, made when asked for: the row programs in their text form, each under comments that
  // say when it runs and how, or one comment why there is none.
  virtual std::string program_text() const = 0;

  // The kernels that are bound to it; they live as long as it does. Empty where no machine code
  // runs or where kernels are chosen per execution.
  virtual std::vector<KernelCode> kernels() const = 0;

  Span<const InplacePair> inplace_pairs() const { return {pairs_.data(), pairs_.size()}; }

  size_t scratchpad_bytes() const { return 0; }  // nothing of ours needs scratch of the caller's

  const VerboseHeader& header() const { return header_; }

 protected:
  CompiledPartition(const Partition& partition, Span<const LogicalTensor> inputs,
                    Span<const LogicalTensor> outputs)
      : header_(header_of(partition)),
        inputs_(inputs.begin(), inputs.end()),
        outputs_(outputs.begin(), outputs.end()),
        num_inputs_(inputs.size()),
        num_outputs_(outputs.size()) {}

  // invalid_arguments for counts that do not agree.
  Status wrong_counts(size_t num_inputs, size_t num_outputs) const;

  VerboseHeader header_;
  std::vector<LogicalTensor> inputs_;   // as compiled
  std::vector<LogicalTensor> outputs_;  // as compiled, shapes inferred
  std::vector<InplacePair> pairs_;

 private:
  // Compared in each execution; the vectors' sizes would take a multiplication each.
  size_t num_inputs_;
  size_t num_outputs_;
};

struct CompileOutcome {
  std::shared_ptr<const CompiledPartition> compiled;
  bool cache_hit = false;
};

// Compiles a supported partition. `inputs` and `outputs` hold one logical tensor per distinct port
// id, in any order, repeats allowed; a missing port is invalid_arguments. Looks into the
// process-wide cache first: the key is the structure (renumbered ids), what is known of the
// tensors, the ISA cap and the forced strategy. Thread safe.
Result<CompileOutcome> compile_partition(const Partition& partition,
                                         Span<const LogicalTensor> inputs,
                                         Span<const LogicalTensor> outputs);

}  // namespace iotadnn::impl
