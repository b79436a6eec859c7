// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/cpu.h"
#include "base/status.h"
#include "program/program.h"

namespace iotadnn::impl {

// How a kernel walks the output. Any part [begin, end) of the work may be a call of its own.
enum class Walk : uint8_t {
  // Any program, any strides; units are rows (row-major over all dimensions but the last). A row is
  // cut into segments. Rows whose elements are adjacent get vector stores; best for rows of some
  // hundred bytes and more.
  rows,
  // Dense output as one stream, whatever its extents are; units are elements. Lanes carry the
  // coordinates that the program reads (at most the last three) and test at most two predicates.
  ring,
  // Dense output, a constant with one other value where the last coordinate is the one before it
  // plus an offset; units are elements. Chooses between vector rows, blocks and one flat pass.
  points,
  // Pointwise programs, any strides; units are those of pointwise_units() (program/row_walk.h). A
  // row is cut into segments, each of which runs its body on vectors.
  pointwise,
};

// How full vectors are stored.
enum class Store : uint8_t {
  normal,
  nontemporal,  // aligned lines bypass the caches; the kernel fences at its end
  rep,          // `rep stos` in cache-sized blocks, the points put in while a block is hot (points
                // only), `rep movs` for replicate_function()
};

std::string_view name_of(Walk walk);
std::string_view name_of(Store store);

struct KernelConfig {
  Isa isa = Isa::avx2;
  Walk walk = Walk::rows;
  Store store = Store::normal;
  // Walk pointwise: bit i says that input i is the same all along a row, its last stride being 0 in
  // every run. The others may have any stride, best 1.
  uint32_t row_constant_inputs = 0;

  bool operator==(const KernelConfig& o) const {
    return isa == o.isa && walk == o.walk && store == o.store &&
           row_constant_inputs == o.row_constant_inputs;
  }
};

// Machine code where it runs, for listings. Valid as long as its kernel.
struct KernelCode {
  const char* name = "";
  const uint8_t* bytes = nullptr;
  size_t size = 0;          // of the instructions and the constants behind them
  size_t instructions = 0;  // of the instructions
};

// A kernel with one output's shape: what follows from that has been worked out, once for any number
// of runs. Immutable; run() is thread safe on distinct outputs. Lives no longer than its kernel.
class BoundKernel {
 public:
  virtual ~BoundKernel() = default;

  // Writes the whole output. `scalars` as in RunArgs; not read when bind() had them.
  virtual void run(void* dst, const int64_t* scalars) const = 0;
};

// Machine code of one program. Immutable; run() is thread safe on disjoint work.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual void run(const RunArgs& args) const = 0;

  // For all of the output whose extents and strides are given: of the arguments, dst, begin and end
  // are not read, and the scalars may be null, when they come with each run. Null where run() costs
  // as little.
  virtual std::unique_ptr<const BoundKernel> bind(const RunArgs& args) const = 0;

  // "iotadnn_rows_r2_w4_p1_nt": walk, rank, element width, predicates, store; for dumps and
  // profilers
  virtual const std::string& name() const = 0;

  virtual KernelCode code() const = 0;
};

// Whether this walk can execute the program at all (by its structure; sizes are checked by
// walk_fits), e.g. points needs one predicate [x, x+1) with slope one and two constant bodies.
bool walk_applies(const RowProgram& program, Walk walk);

// Whether the walk is correct for these extents and strides (dense where it must be, lane
// coordinates that do not wrap, ...).
bool walk_fits(const RowProgram& program, Walk walk, const int64_t* extents,
               const int64_t* strides);

// Repeats what stands in [dst, dst + template_bytes) over all of [dst, dst + total_bytes): the
// template strategy, for content whose period divides template_bytes. template_bytes is a multiple
// of 64 and not 0; dst may have any alignment; nothing happens when the total is not more than the
// template. Templates of up to 256 bytes are kept in registers; longer ones should stay well within
// the first-level cache (1 to 4 KiB). Machine code; thread safe on disjoint memory, valid as long
// as the process lives.
using ReplicateFunction = void (*)(void* dst, int64_t template_bytes, int64_t total_bytes);

// The function for an ISA and a way to store (rep is `rep movsb` from the template). Compiled at
// the first call for each; the statuses are those of compile_kernel. Not for the path of an
// execution.
Result<ReplicateFunction> replicate_function(Isa isa, Store store);

// The code of a function that replicate_function() returned.
KernelCode replicate_code(Isa isa, Store store);

// Compiles. runtime_error when executable memory is refused (the caller falls back to the portable
// interpreter), unimplemented when the walk does not apply or the ISA has no emitter.
Result<std::shared_ptr<const Kernel>> compile_kernel(const RowProgram& program,
                                                     const KernelConfig& config);

}  // namespace iotadnn::impl
