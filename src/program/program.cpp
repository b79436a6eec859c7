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

  void add(const Body& body) {
    add(body.insts.size());
    for (const Inst& inst : body.insts) {
      add((static_cast<uint64_t>(inst.type) << 8) | static_cast<uint64_t>(inst.op));
      add(inst.imm);
      add((uint64_t{inst.args[0]} << 32) | (uint64_t{inst.args[1]} << 16) | inst.args[2]);
    }
    add(body.results.size());
    for (const uint16_t result : body.results)
      add(result);
  }

  size_t finish() const {
    const uint64_t mixed = (state_ ^ (state_ >> 32)) * 0x9e3779b97f4a7c15u;
    return static_cast<size_t>(mixed ^ (mixed >> 32));
  }

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

bool is_bound_type(DataType type) {
  switch (type) {
    case DataType::s8:
    case DataType::s16:
    case DataType::s32:
    case DataType::s64:
    case DataType::u8:
    case DataType::u16:
    case DataType::u32:
      return true;
    default:
      return false;
  }
}

uint32_t bound_inputs(const RowProgram& program) {
  uint32_t inputs = 0;
  for (const Predicate& predicate : program.predicates)
    for (const Bound* bound : {&predicate.lo, &predicate.hi})
      for (const Term& term : bound->terms)
        if (term.kind == Term::Kind::element) inputs |= 1u << term.index;
  return inputs;
}

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
  hasher.add(program.inputs.size());
  for (const DataType type : program.inputs)
    hasher.add(static_cast<uint64_t>(type));
  hasher.add(program.outputs.size());
  for (const DataType type : program.outputs)
    hasher.add(static_cast<uint64_t>(type));
  for (const Body& body : program.bodies)
    hasher.add(body);
  return hasher.finish();
}

}  // namespace iotadnn::impl
