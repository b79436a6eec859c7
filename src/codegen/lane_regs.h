// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codegen/gen.h"
#include "codegen/reg_pool.h"

namespace iotadnn::impl {

// Where the values of a body are while its straight-line code is emitted: registers, or slots of
// the PointwiseFrame. Registers are given away by furthest next use (Belady, "A study of
// replacement algorithms", 1966), which is best where code has no branches; a value is saved at
// most once, since it never changes.
//
// Code is emitted position by position: use() and define() what a position needs, then leave() it.
class LaneRegs {
 public:
  using V = Xbyak::Xmm;  // of the size that the value needs: xmm, ymm or zmm
  static constexpr size_t kForever = SIZE_MAX;

  // A register for a moment.
  class Temp : public V {
   public:
    Temp(LaneRegs& regs, int bytes) : V(sized(regs.take(), bytes)), regs_(regs) {}

    ~Temp() { regs_.file_.give(getIdx()); }

    Temp(const Temp&) = delete;
    Temp& operator=(const Temp&) = delete;

   private:
    LaneRegs& regs_;
  };

  // `values` of them; `file` has the registers, slots stand at frame + slots.
  LaneRegs(Gen& g, const Xbyak::Reg64& frame, size_t slots, RegFile file, size_t values)
      : g_(g), frame_(frame), slots_(slots), file_(std::move(file)), values_(values) {}

  static V sized(int index, int bytes);

  // A value that takes `bytes` of a register.
  void declare(size_t value, int bytes) { values_[value].bytes = bytes; }

  // One that is in memory, at a label of the constant pool.
  void declare_constant(size_t value, const std::vector<uint8_t>& bytes) {
    values_[value].constant = bytes;
  }

  // The positions that use each value, ascending.
  void set_uses(std::vector<std::vector<size_t>> uses) { uses_ = std::move(uses); }

  // The value in a register, which it keeps until leave().
  V use(size_t value);
  V define(size_t value);

  Temp temp(int bytes) { return Temp(*this, bytes); }

  // Ends a position: registers of values that no later position uses are free again.
  void leave(size_t position);

  // Saves what is used after `position` and empties all registers: a call follows.
  void save_all(size_t position);

  // Loads a value into a register that it keeps for good.
  void pin(size_t value);

  // Forgets what is in registers but the pinned: control comes here from elsewhere.
  void forget();

 private:
  struct Value {
    int bytes = 0;
    int reg = -1;
    int slot = -1;
    bool saved = false;  // in its slot
    bool locked = false;
    bool pinned = false;
    std::vector<uint8_t> constant;
  };

  int take();
  void evict();
  void drop(Value& value);
  void save(Value& value);
  size_t next_use(size_t value, size_t after) const;
  Xbyak::Address slot_address(const Value& value) const;

  Gen& g_;
  const Xbyak::Reg64 frame_;
  const size_t slots_;
  RegFile file_;
  std::vector<Value> values_;
  std::vector<std::vector<size_t>> uses_;
  size_t position_ = 0;  // the first that has not been left
  int slots_used_ = 0;
};

}  // namespace iotadnn::impl
