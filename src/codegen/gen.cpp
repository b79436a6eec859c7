// SPDX-License-Identifier: Apache-2.0
#include "codegen/gen.h"

namespace iotadnn::impl {

Gen::Gen(size_t buffer_bytes)
    : GenBuffer(buffer_bytes), Xbyak::CodeGenerator(buffer_bytes, buffer_.get()) {
  // Forward jumps are two bytes by default, and an emitter does not know how far they go.
  setDefaultJmpNEAR(true);
}

Xbyak::Label& Gen::constant(const std::vector<uint8_t>& bytes) {
  for (Constant& known : pool_)
    if (known.bytes == bytes) return known.label;
  pool_.emplace_back();
  pool_.back().bytes = bytes;
  return pool_.back().label;
}

size_t Gen::finish() {
  const size_t instructions = getSize();
  // No default alignment by address (Xbyak's align()): the buffer itself is not aligned.
  for (Constant& c : pool_) {
    pad_to(c.bytes.size() >= kAlignment ? kAlignment : 32);
    L(c.label);
    db(c.bytes.data(), c.bytes.size());
  }
  if (hasUndefinedLabel()) throw Xbyak::Error(Xbyak::ERR_LABEL_IS_NOT_FOUND);
  return instructions;
}

void Gen::pad_to(size_t alignment) {
  while (getSize() % alignment != 0)
    db(0);
}

std::vector<uint8_t> lane_numbers(int width, int bytes) {
  std::vector<uint8_t> out(static_cast<size_t>(bytes), 0);
  for (int at = 0; at < bytes; at += width)  // little-endian; at most 64 lanes: one byte is enough
    out[static_cast<size_t>(at)] = static_cast<uint8_t>(at / width);
  return out;
}

std::vector<uint8_t> repeated(uint64_t bits, int width, int bytes) {
  std::vector<uint8_t> out;
  for (int at = 0; at < bytes; at++)
    out.push_back(static_cast<uint8_t>(bits >> (8 * (at % width))));
  return out;
}

}  // namespace iotadnn::impl
