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

// How a kernel walks the output.
enum class Walk : uint8_t {
  rows,    // any strides; work units are rows (row-major over all dimensions but the last)
  ring,    // dense output as one stream, coordinates kept per lane; work units are elements
  points,  // dense output as one stream of a constant with isolated other values; units are
           // elements
};

// How full vectors are stored.
enum class Store : uint8_t {
  normal,
  nontemporal,  // aligned lines bypass the caches; the kernel fences at its end
  rep,  // `rep stos` in cache-sized blocks, the rest put in while a block is hot (points only)
};

std::string_view name_of(Walk walk);
std::string_view name_of(Store store);

struct KernelConfig {
  Isa isa = Isa::avx2;
  Walk walk = Walk::rows;
  Store store = Store::normal;

  bool operator==(const KernelConfig& o) const {
    return isa == o.isa && walk == o.walk && store == o.store;
  }
};

// Machine code of one program. Immutable; run() is thread safe on disjoint work.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual void run(const RunArgs& args) const = 0;

  virtual const std::string& name() const = 0;  // "eye..." in words, for dumps and profilers

  virtual size_t code_bytes() const = 0;
};

// Whether this walk can execute the program at all (by its structure; sizes are checked by
// walk_fits), e.g. points needs one predicate [x, x+1) with slope one and two constant bodies.
bool walk_applies(const RowProgram& program, Walk walk);

// Whether the walk is correct for these extents and strides (dense where it must be, lane
// coordinates that do not wrap, ...).
bool walk_fits(const RowProgram& program, Walk walk, const int64_t* extents,
               const int64_t* strides);

// Compiles. runtime_error when executable memory is refused (the caller falls back to the portable
// interpreter), unimplemented when the walk does not apply or the ISA has no emitter.
Result<std::shared_ptr<const Kernel>> compile_kernel(const RowProgram& program,
                                                     const KernelConfig& config);

}  // namespace iotadnn::impl
