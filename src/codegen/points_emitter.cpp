// SPDX-License-Identifier: Apache-2.0
#include "codegen/points_emitter.h"

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {
namespace {

constexpr int kUnroll = 4;
constexpr size_t kCalleeSaved = 2;
constexpr int kBlockBytes = 256 * 1024;  // stays in the second-level cache until its points are in

}  // namespace

template <class T>
struct PointsEmitter<T>::Names {
  explicit Names(VecAsm<T>& v)
      : frame(v.gpr(v.rdi)),
        cur(v.gpr()),
        to(v.gpr()),
        point(v.gpr()),
        left(v.gpr()),
        limit(v.gpr()),
        slide(v.gpr()),
        same(v.vec()),
        val(v.vec()) {}

  typename VecAsm<T>::GprReg frame, cur, to, point, left;
  typename VecAsm<T>::GprReg limit;      // collect: points below it
  typename VecAsm<T>::GprReg slide;      // address of the difference in the sliding block
  typename VecAsm<T>::VecReg same, val;  // the constant; the vector to be stored
};

// A vector of zeros, the difference of point and background, and almost a vector of zeros.
template <class T>
std::vector<uint8_t> PointsEmitter<T>::sliding_block() const {
  std::vector<uint8_t> block(2 * T::kVecBytes, 0);
  for (int i = 0; i < v_.width(); i++)
    block[static_cast<size_t>(T::kVecBytes + i)] =
        static_cast<uint8_t>((form_.background ^ form_.point) >> (8 * i));
  return block;
}

template <class T>
void PointsEmitter<T>::next_point(Names& n) {
  Label same_group;
  v_.add(n.point, v_.ptr[n.frame + offsetof(PointsFrame, step)]);
  v_.dec(n.left);
  v_.jnz(same_group, Gen::T_SHORT);
  v_.mov(n.left, v_.ptr[n.frame + offsetof(PointsFrame, per_group)]);
  v_.sub(n.point, v_.ptr[n.frame + offsetof(PointsFrame, step)]);
  v_.add(n.point, v_.ptr[n.frame + offsetof(PointsFrame, skip)]);
  v_.L(same_group);
}

// val = the vector at cur with its points below `limit`, which are passed.
template <class T>
void PointsEmitter<T>::collect(Names& n) {
  Label again, done;
  auto at = v_.gpr();
  auto one = v_.vec();
  v_.copy(n.val, n.same);
  v_.L(again);
  v_.cmp(n.point, n.limit);
  v_.jae(done, Gen::T_SHORT);
  v_.mov(at, n.cur);
  v_.sub(at, n.point);
  v_.load(one, v_.ptr[n.slide + at]);
  v_.bit_xor(n.val, n.val, one);
  next_point(n);
  v_.jmp(again, Gen::T_SHORT);
  v_.L(done);
}

template <class T>
void PointsEmitter<T>::stream() {
  v_.prologue(kCalleeSaved);
  Names n(v_);
  v_.mov(n.cur, v_.ptr[n.frame + offsetof(PointsFrame, cur)]);
  v_.mov(n.point, v_.ptr[n.frame + offsetof(PointsFrame, point)]);
  v_.mov(n.left, v_.ptr[n.frame + offsetof(PointsFrame, left)]);
  v_.lea(n.slide, v_.in_pool(sliding_block()));
  v_.add(n.slide, T::kVecBytes);
  v_.splat(n.same, form_.background);

  v_.mov(n.to, v_.ptr[n.frame + offsetof(PointsFrame, from)]);
  v_.call(short_run_);
  v_.mov(n.to, v_.ptr[n.frame + offsetof(PointsFrame, to)]);
  whole_vectors(n);
  v_.mov(n.to, v_.ptr[n.frame + offsetof(PointsFrame, end)]);
  v_.call(short_run_);
  if (nontemporal_) v_.sfence();
  v_.epilogue();
  v_.L(short_run_);
  short_run(n);
}

// [cur, to), whole aligned vectors: those up to the next point, then the one that holds it.
template <class T>
void PointsEmitter<T>::whole_vectors(Names& n) {
  Label again, with_points, done;
  v_.L(again);
  v_.cmp(n.cur, n.to);
  v_.jae(done);
  v_.mov(n.limit, n.point);
  v_.cmp(n.limit, n.to);
  v_.cmova(n.limit, n.to);
  v_.and_(n.limit, -T::kVecBytes);
  background(n);
  v_.cmp(n.cur, n.to);
  v_.jae(done);
  v_.lea(n.limit, v_.ptr[n.cur + T::kVecBytes]);
  collect(n);
  v_.store(v_.ptr[n.cur], n.val, nontemporal_);
  v_.mov(n.cur, n.limit);
  v_.jmp(again);
  v_.L(done);
}

// The constant in [cur, limit), whole vectors.
template <class T>
void PointsEmitter<T>::background(Names& n) {
  Label many, few, one, done;
  v_.sub(n.limit, kUnroll * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.ja(few);
  v_.L(many);
  for (int i = 0; i < kUnroll; i++)
    v_.store(v_.ptr[n.cur + i * T::kVecBytes], n.same, nontemporal_);
  v_.add(n.cur, kUnroll * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.jbe(many);
  v_.L(few);
  v_.add(n.limit, kUnroll * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.jae(done);
  v_.L(one);
  v_.store(v_.ptr[n.cur], n.same, nontemporal_);
  v_.add(n.cur, T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.jb(one);
  v_.L(done);
}

// Function: [cur, to) and nothing else, by normal stores at any address.
template <class T>
void PointsEmitter<T>::short_run(Names& n) {
  Label whole, part, done;
  auto left = v_.gpr();
  v_.L(whole);
  v_.mov(left, n.to);
  v_.sub(left, n.cur);
  v_.cmp(left, T::kVecBytes);
  v_.jb(part);
  v_.lea(n.limit, v_.ptr[n.cur + T::kVecBytes]);
  collect(n);
  v_.store(v_.ptr[n.cur], n.val);
  v_.mov(n.cur, n.limit);
  v_.jmp(whole);

  v_.L(part);
  v_.test(left, left);
  v_.jz(done);
  v_.mov(n.limit, n.to);
  collect(n);
  v_.mov(left, n.to);
  v_.sub(left, n.cur);
  for (int width = v_.width(); width > 1; width /= 2)
    v_.shr(left, 1);
  v_.store_part(n.cur, n.val, left);
  v_.mov(n.cur, n.to);
  v_.L(done);
  v_.ret();
}

// Blocks that stay in the cache until their points are put in.
template <class T>
void PointsEmitter<T>::rep_blocks() {
  v_.prologue(kCalleeSaved);
  auto to = v_.gpr(v_.rdi);  // `rep stos` fills rcx elements of rax at rdi, and moves rdi
  auto count = v_.gpr(v_.rcx);
  auto same = v_.gpr(v_.rax);
  auto frame = v_.gpr();
  auto point = v_.gpr();
  auto left = v_.gpr();
  auto block_end = v_.gpr();
  auto end = v_.gpr();
  auto value = v_.gpr();
  v_.mov(frame, to);
  Label block, points, done;
  v_.mov(to, v_.ptr[frame + offsetof(PointsFrame, cur)]);
  v_.mov(end, v_.ptr[frame + offsetof(PointsFrame, end)]);
  v_.mov(point, v_.ptr[frame + offsetof(PointsFrame, point)]);
  v_.mov(left, v_.ptr[frame + offsetof(PointsFrame, left)]);
  v_.mov(same, form_.background);
  v_.mov(value, form_.point);
  v_.L(block);
  v_.mov(count, end);
  v_.sub(count, to);
  v_.jz(done);
  v_.mov(block_end, kBlockBytes);
  v_.cmp(count, block_end);
  v_.cmova(count, block_end);
  v_.lea(block_end, v_.ptr[to + count]);
  v_.rep_stos(form_.background);
  v_.L(points);
  v_.cmp(point, block_end);
  v_.jae(block);
  v_.store_element(point, value);
  v_.add(point, v_.ptr[frame + offsetof(PointsFrame, step)]);
  v_.dec(left);
  v_.jnz(points);
  v_.sub(point, v_.ptr[frame + offsetof(PointsFrame, step)]);
  v_.add(point, v_.ptr[frame + offsetof(PointsFrame, skip)]);
  v_.mov(left, v_.ptr[frame + offsetof(PointsFrame, per_group)]);
  v_.jmp(points);
  v_.L(done);
  v_.epilogue();
}

template class PointsEmitter<Avx2>;
template class PointsEmitter<Avx512>;

}  // namespace iotadnn::impl
