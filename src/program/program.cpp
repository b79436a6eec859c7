// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

namespace iotadnn::impl {

namespace {

// FNV-1a over 64-bit words, with a final mix so that small differences reach the low bits that a
// hash table uses.
class Hasher {
 public:
  void add(uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3u;
    state_ ^= state_ >> 29;
  }

  void add(const Bound& bound) {
    add(bound.terms.size());
    for (const Term& term : bound.terms) {
      add((static_cast<uint64_t>(term.kind) << 16) | (uint64_t{term.index} << 1) |
          (term.negated ? 1u : 0u));
    }
    add(static_cast<uint64_t>(bound.imm));
  }

  size_t finish() const {
    const uint64_t mixed = (state_ ^ (state_ >> 32)) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(mixed ^ (mixed >> 32));
  }

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

size_t hash_of(const RowProgram& program) {
  Hasher hasher;
  hasher.add(static_cast<uint64_t>(program.rank));
  hasher.add(static_cast<uint64_t>(program.elem_bytes));
  hasher.add(static_cast<uint64_t>(program.num_scalars));
  hasher.add(program.predicates.size());
  for (const Predicate& predicate : program.predicates) {
    hasher.add(uint64_t{predicate.axis});
    hasher.add(predicate.lo);
    hasher.add(predicate.hi);
  }
  for (const Body& body : program.bodies) {
    hasher.add(body.insts.size());
    for (const Inst& inst : body.insts) {
      hasher.add(static_cast<uint64_t>(inst.op));
      hasher.add(inst.imm);
    }
  }
  return hasher.finish();
}

}  // namespace iotadnn::impl
