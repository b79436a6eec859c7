// SPDX-License-Identifier: Apache-2.0
#include "codegen/points_emitter.h"

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {
namespace {

constexpr int kUnrolledVectors = 4;
constexpr size_t kSavedRegisters = 2;
constexpr int kBlockBytes = 8 * 1024;       // a quarter of a first-level cache
constexpr int kRepBlockBytes = 256 * 1024;  // in a second-level cache; `rep stos` starts slowly

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
  typename VecAsm<T>::GprReg limit;      // of a part of [cur, to)
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
void PointsEmitter<T>::enter(Names& n) {
  v_.mov(n.cur, v_.ptr[n.frame + offsetof(PointsFrame, cur)]);
  v_.mov(n.point, v_.ptr[n.frame + offsetof(PointsFrame, point)]);
  v_.mov(n.left, v_.ptr[n.frame + offsetof(PointsFrame, left)]);
  v_.splat(n.same, form_.background);
}

// After the last point of a group: from where the next of it would be to the next group's first.
template <class T>
void PointsEmitter<T>::next_group(const Reg64& frame, const Reg64& point, const Reg64& left) {
  v_.sub(point, v_.ptr[frame + offsetof(PointsFrame, step)]);
  v_.add(point, v_.ptr[frame + offsetof(PointsFrame, skip)]);
  v_.mov(left, v_.ptr[frame + offsetof(PointsFrame, per_group)]);
}

template <class T>
void PointsEmitter<T>::next_point(Names& n) {
  Label same_group;
  v_.add(n.point, v_.ptr[n.frame + offsetof(PointsFrame, step)]);
  v_.dec(n.left);
  v_.jnz(same_group, Gen::T_SHORT);
  next_group(n.frame, n.point, n.left);
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
void PointsEmitter<T>::flat() {
  v_.prologue(kSavedRegisters);
  Names n(v_);
  enter(n);
  v_.lea(n.slide, v_.in_pool(sliding_block()));
  v_.add(n.slide, T::kVecBytes);
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

// [cur, to), whole aligned vectors: those up to the next point, then the one that holds it, with
// any others that follow closely.
template <class T>
void PointsEmitter<T>::whole_vectors(Names& n) {
  Label again, general, done;
  v_.L(again);
  v_.mov(n.limit, n.point);
  v_.cmp(n.limit, n.to);
  v_.cmova(n.limit, n.to);
  v_.and_(n.limit, -T::kVecBytes);
  background(n, nontemporal_);
  v_.cmp(n.cur, n.to);
  v_.jae(done);
  v_.cmp(v_.qword[n.frame + offsetof(PointsFrame, step)], 2 * T::kVecBytes);
  v_.jb(general);
  sparse_points(n, general, done);
  v_.L(general);
  v_.lea(n.limit, v_.ptr[n.cur + T::kVecBytes]);
  collect(n);
  v_.store(v_.ptr[n.cur], n.val, nontemporal_);
  v_.mov(n.cur, n.limit);
  v_.jmp(again);
  v_.L(done);
}

// From the vector at cur, which holds a point, as long as the next one is of the same group and not
// in the same or the next vector.
template <class T>
void PointsEmitter<T>::sparse_points(Names& n, Label& last_of_group, Label& done) {
  Label again;
  auto step = v_.gpr();
  auto at = v_.gpr();
  v_.mov(step, v_.ptr[n.frame + offsetof(PointsFrame, step)]);
  v_.L(again);
  v_.cmp(n.left, 1);
  v_.je(last_of_group);
  v_.mov(at, n.cur);
  v_.sub(at, n.point);
  v_.add(n.point, step);
  v_.dec(n.left);
  v_.mov(n.limit, n.point);
  v_.load(n.val, v_.ptr[n.slide + at]);
  if (form_.background != 0) v_.bit_xor(n.val, n.val, n.same);
  v_.cmp(n.limit, n.to);
  v_.cmova(n.limit, n.to);
  v_.store(v_.ptr[n.cur], n.val, nontemporal_);
  v_.and_(n.limit, -T::kVecBytes);
  v_.add(n.cur, T::kVecBytes);
  background(n, nontemporal_);
  v_.cmp(n.cur, n.to);
  v_.jb(again);
  v_.jmp(done);
}

// The constant in [cur, limit), whole vectors.
template <class T>
void PointsEmitter<T>::background(Names& n, bool nontemporal) {
  Label many, few, one, done;
  v_.sub(n.limit, kUnrolledVectors * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.ja(few);
  v_.L(many);
  for (int i = 0; i < kUnrolledVectors; i++)
    v_.store(v_.ptr[n.cur + i * T::kVecBytes], n.same, nontemporal);
  v_.add(n.cur, kUnrolledVectors * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.jbe(many);
  v_.L(few);
  v_.add(n.limit, kUnrolledVectors * T::kVecBytes);
  v_.cmp(n.cur, n.limit);
  v_.jae(done);
  v_.L(one);
  v_.store(v_.ptr[n.cur], n.same, nontemporal);
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

// [cur, end), at least a vector. What is in front of `from` and behind
// `to` is written by vectors that overlap it, before any point of their block is put in.
template <class T>
void PointsEmitter<T>::blocks() {
  v_.prologue(kSavedRegisters + 1);
  Names n(v_);
  auto end = v_.gpr();
  auto value = v_.gpr();
  auto step = v_.gpr();
  Label block, last_block, points;
  enter(n);
  v_.mov(value, form_.point);
  v_.mov(step, v_.ptr[n.frame + offsetof(PointsFrame, step)]);
  v_.mov(n.to, v_.ptr[n.frame + offsetof(PointsFrame, to)]);
  v_.mov(end, v_.ptr[n.frame + offsetof(PointsFrame, end)]);
  v_.store(v_.ptr[n.cur], n.same);
  v_.mov(n.cur, v_.ptr[n.frame + offsetof(PointsFrame, from)]);

  v_.L(block);  // the last one takes the rest, less than two blocks
  v_.lea(n.limit, v_.ptr[n.cur + 2 * kBlockBytes]);
  v_.cmp(n.limit, n.to);
  v_.ja(last_block);
  v_.sub(n.limit, kBlockBytes);
  background(n, false);
  v_.jmp(points);
  v_.L(last_block);
  v_.mov(n.limit, n.to);
  background(n, false);
  v_.store(v_.ptr[end - T::kVecBytes], n.same);
  v_.mov(n.limit, end);
  v_.L(points);
  scatter(n, value, step);
  v_.cmp(n.limit, end);
  v_.jb(block);
  v_.epilogue();
}

// The points below `limit`, group by group.
template <class T>
void PointsEmitter<T>::scatter(Names& n, const Reg64& value, const Reg64& step) {
  Label group, again, check, done;
  auto stop = v_.gpr();
  v_.L(group);
  v_.mov(stop, v_.ptr[n.frame + offsetof(PointsFrame, group_end)]);
  v_.cmp(stop, n.limit);
  v_.cmova(stop, n.limit);
  v_.cmp(n.point, stop);
  v_.jae(check);
  v_.L(again);
  v_.store_element(n.point, value);
  v_.add(n.point, step);
  v_.cmp(n.point, stop);
  v_.jb(again);
  v_.L(check);
  v_.cmp(n.point, v_.ptr[n.frame + offsetof(PointsFrame, group_end)]);
  v_.jb(done);
  v_.sub(n.point, step);
  v_.add(n.point, v_.ptr[n.frame + offsetof(PointsFrame, skip)]);
  v_.mov(stop, v_.ptr[n.frame + offsetof(PointsFrame, group_bytes)]);
  v_.add(v_.ptr[n.frame + offsetof(PointsFrame, group_end)], stop);
  v_.jmp(group);
  v_.L(done);
}

template <class T>
void PointsEmitter<T>::rep_blocks() {
  v_.prologue(kSavedRegisters);
  auto to = v_.gpr(v_.rdi);  // `rep stos` fills rcx elements of rax at rdi, and moves rdi
  auto count = v_.gpr(v_.rcx);
  auto same = v_.gpr(v_.rax);
  auto frame = v_.gpr();
  auto point = v_.gpr();
  auto left = v_.gpr();
  auto block_end = v_.gpr();
  auto end = v_.gpr();
  auto value = v_.gpr();
  Label block, points, same_group, done;
  v_.mov(frame, to);
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
  v_.mov(block_end, kRepBlockBytes);
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
  next_group(frame, point, left);
  v_.jmp(points);
  v_.L(done);
  v_.epilogue();
}

template <class T>
void PointsEmitter<T>::vector_rows(int vectors) {
  v_.prologue(0);
  auto frame = v_.gpr(v_.rdi);
  auto cur = v_.gpr(v_.rsi);
  auto rows = v_.gpr();
  auto now = v_.gpr();
  auto same = v_.vec();
  auto point = v_.vec();
  auto column = v_.vec();
  auto one = v_.vec();
  auto val = v_.vec();
  auto mask = v_.mask();
  Label group, row, done;
  std::vector<typename VecAsm<T>::VecReg> columns;
  v_.splat(one, static_cast<uint64_t>(v_.lanes()));
  for (int i = 0; i < vectors; i++) {
    columns.push_back(v_.vec());
    if (i == 0)
      v_.load_lane_numbers(columns[0]);
    else
      v_.add_lanes(columns.back(), columns[columns.size() - 2], one);
  }
  v_.splat(one, 1);
  v_.splat(same, form_.background);
  v_.splat(point, form_.point);
  v_.mov(rows, v_.ptr[frame + offsetof(PointRowsFrame, rows)]);
  v_.mov(now, v_.ptr[frame + offsetof(PointRowsFrame, left_in_group)]);
  v_.broadcast(column, v_.ptr[frame + offsetof(PointRowsFrame, column)]);
  v_.L(group);
  v_.cmp(now, rows);
  v_.cmovg(now, rows);
  v_.sub(rows, now);
  v_.L(row);
  for (int i = 0; i < vectors; i++) {
    v_.equal(mask, columns[static_cast<size_t>(i)], column);
    if (form_.background == 0)
      v_.keep_where(val, mask, point);
    else
      v_.select(val, mask, point, same);
    v_.store(v_.ptr[cur + i * T::kVecBytes], val, nontemporal_);
  }
  v_.add_lanes(column, column, one);
  v_.add(cur, vectors * T::kVecBytes);
  v_.dec(now);
  v_.jnz(row);
  v_.test(rows, rows);
  v_.jz(done);
  v_.broadcast(column, v_.ptr[frame + offsetof(PointRowsFrame, column_of_group)]);
  v_.mov(now, v_.ptr[frame + offsetof(PointRowsFrame, rows_per_group)]);
  v_.jmp(group);
  v_.L(done);
  if (nontemporal_) v_.sfence();
  v_.epilogue();
}

template class PointsEmitter<Avx2>;
template class PointsEmitter<Avx512>;

}  // namespace iotadnn::impl
