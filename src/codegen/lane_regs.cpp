// SPDX-License-Identifier: Apache-2.0
#include "codegen/lane_regs.h"

#include <algorithm>

#include "codegen/pointwise_frame.h"

namespace iotadnn::impl {

LaneRegs::V LaneRegs::sized(int index, int bytes) {
  if (bytes == 64) return Xbyak::Zmm(index);
  if (bytes == 32) return Xbyak::Ymm(index);
  return V(index);
}

LaneRegs::V LaneRegs::use(size_t value) {
  Value& v = values_[value];
  if (v.reg < 0) {
    v.reg = take();
    const V reg = sized(v.reg, v.bytes);
    if (!v.constant.empty())
      g_.vmovups(reg, g_.ptr[g_.rip + g_.constant(v.constant)]);
    else if (v.saved)
      g_.vmovups(reg, slot_address(v));
    else
      throw Xbyak::Error(Xbyak::ERR_INTERNAL);  // used before it was defined
  }
  v.locked = true;
  return sized(v.reg, v.bytes);
}

LaneRegs::V LaneRegs::define(size_t value) {
  Value& v = values_[value];
  v.reg = take();
  v.saved = false;
  v.locked = true;
  return sized(v.reg, v.bytes);
}

void LaneRegs::leave(size_t position) {
  position_ = position + 1;
  for (size_t i = 0; i < values_.size(); ++i) {
    values_[i].locked = false;
    if (next_use(i, position_) == kForever && (uses_[i].empty() || uses_[i].back() != kForever))
      drop(values_[i]);
  }
}

void LaneRegs::save_all(size_t position) {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].reg < 0) continue;
    if (!uses_[i].empty() && uses_[i].back() > position) save(values_[i]);
    drop(values_[i]);
  }
}

void LaneRegs::pin(size_t value) {
  use(value);
  values_[value].pinned = true;
}

void LaneRegs::forget() {
  position_ = 0;
  for (Value& v : values_) {
    v.locked = false;
    drop(v);
  }
}

int LaneRegs::take() {
  if (file_.available() == 0) evict();
  return file_.take();
}

void LaneRegs::evict() {
  Value* furthest = nullptr;
  size_t distance = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    Value& v = values_[i];
    if (v.reg < 0 || v.locked || v.pinned) continue;
    const size_t next = next_use(i, position_);
    if (furthest != nullptr && next <= distance) continue;
    furthest = &v;
    distance = next;
  }
  if (furthest == nullptr) throw Xbyak::Error(Xbyak::ERR_INTERNAL);  // an op asked for too many
  save(*furthest);
  drop(*furthest);
}

void LaneRegs::drop(Value& value) {
  if (value.reg < 0 || value.pinned) return;
  file_.give(value.reg);
  value.reg = -1;
}

void LaneRegs::save(Value& value) {
  if (value.saved || !value.constant.empty()) return;
  if (value.slot < 0) value.slot = slots_used_++;
  value.saved = true;
  g_.vmovups(slot_address(value), sized(value.reg, value.bytes));
}

size_t LaneRegs::next_use(size_t value, size_t after) const {
  const auto& uses = uses_[value];
  const auto at = std::lower_bound(uses.begin(), uses.end(), after);
  return at == uses.end() ? kForever : *at;
}

Xbyak::Address LaneRegs::slot_address(const Value& value) const {
  return g_.ptr[frame_ + static_cast<int>(slots_) + value.slot * kMaxVecBytes];
}

}  // namespace iotadnn::impl
