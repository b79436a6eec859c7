// SPDX-License-Identifier: Apache-2.0
#include "runtime/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/float16.h"
#include "program/evaluate.h"
#include "program/opcodes.h"
#include "program/portable.h"
#include "program/row_walk.h"

namespace iotadnn::impl {
namespace {

// `rows` rows of adjacent elements, `from_row` elements apart, as columns of rows of kTileStride.
template <class T>
void turn(const void* from, int64_t from_row, int64_t rows, int64_t columns, void* to) {
  constexpr int64_t kBlock = 8;
  const auto* const source = static_cast<const T*>(from);
  auto* const target = static_cast<T*>(to);
  for (int64_t first = 0; first < columns; first += kBlock)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = first; c < std::min(first + kBlock, columns); ++c)
        target[c * kTileStride + r] = source[r * from_row + c];
}

void turn(int bytes, const void* from, int64_t from_row, int64_t rows, int64_t columns, void* to) {
  switch (bytes) {
    case 1:
      return turn<uint8_t>(from, from_row, rows, columns, to);
    case 2:
      return turn<uint16_t>(from, from_row, rows, columns, to);
    case 4:
      return turn<uint32_t>(from, from_row, rows, columns, to);
    default:
      return turn<uint64_t>(from, from_row, rows, columns, to);
  }
}

float float_of(const Inst& inst, const int64_t* scalars) {
  const uint64_t bits =
      inst.op == Opcode::constant ? inst.imm : static_cast<uint64_t>(scalars[inst.imm]);
  return bit_cast<float>(static_cast<uint32_t>(convert_bits(DataType::f32, inst.type, bits)));
}

// Whether a value is a product with the other as a factor, so that it is 0 where that is.
bool is_multiple(const Body& body, size_t value, size_t of) {
  if (value == of) return true;
  const Inst& inst = body.insts[value];
  return inst.op == Opcode::multiply &&
         (is_multiple(body, inst.args[0], of) || is_multiple(body, inst.args[1], of));
}

// A value of a body that depends on neither tensors nor coordinates; nothing for others.
std::optional<float> uniform_value(const Body& body, size_t value, const int64_t* scalars) {
  std::vector<bool> needed(value + 1, false);
  needed[value] = true;
  for (size_t i = value + 1; i-- > 0;)
    for (int a = 0; needed[i] && a < info_of(body.insts[i].op).operands; ++a)
      needed[body.insts[i].args[static_cast<size_t>(a)]] = true;
  std::array<uint64_t, kMaxInsts> values{};
  for (size_t i = 0; i <= value; ++i) {
    if (!needed[i]) continue;
    const Inst& inst = body.insts[i];
    switch (inst.op) {
      case Opcode::constant:
        values[i] = inst.imm;
        break;
      case Opcode::scalar:
        values[i] = static_cast<uint64_t>(scalars[inst.imm]);
        break;
      case Opcode::load:
      case Opcode::coord:
        return std::nullopt;
      default: {
        const int count = info_of(inst.op).operands;
        const void* operands[3] = {};
        for (int a = 0; a < count; ++a)
          operands[a] = &values[inst.args[static_cast<size_t>(a)]];
        const DataType operand = body.insts[inst.args[static_cast<size_t>(count - 1)]].type;
        evaluate(inst.op, inst.type, operand, &values[i], operands, 1);
      }
    }
  }
  return bit_cast<float>(static_cast<uint32_t>(values[value]));
}

}  // namespace

MaskRun::MaskRun(const MaskForm& form, const int64_t* scalars, const void* const* inputs)
    : form_(form) {
  std::copy(scalars, scalars + form.program.num_scalars, scalars_.begin());
  for (size_t i = 0; i < form.inputs.size(); ++i)
    if (!MaskForm::is_tile(form.inputs[i])) srcs_[i] = inputs[form.inputs[i]];
  for (size_t b = 0; b < form.program.bodies.size(); ++b)
    effects_[b] = effect_of(b);
}

float MaskRun::factor() const {
  if (!form_.factor) return 1;
  const float value = float_of(form_.factor->value, scalars_.data());
  return form_.factor->divides ? 1 / value : value;
}

MaskEffect MaskRun::effect_of(size_t body) {
  const Body& b = form_.program.bodies[body];
  size_t value = b.result(0);
  if (form_.gives_weights) {
    if (!is_multiple(b, b.result(1), value)) return MaskEffect::computes;
    // exp(score - stats), the stats being an input
    const Inst& weight = b.insts[value];
    if (weight.op != Opcode::exp) return MaskEffect::computes;
    const Inst& difference = b.insts[weight.args[0]];
    if (difference.op != Opcode::subtract) return MaskEffect::computes;
    const Inst& stats = b.insts[difference.args[1]];
    if (stats.op != Opcode::load || stats.type != DataType::f32 ||
        MaskForm::is_tile(form_.inputs[stats.imm]))
      return MaskEffect::computes;
    if (stats_ != kMaxInputs && stats_ != stats.imm) return MaskEffect::computes;
    stats_ = stats.imm;
    value = difference.args[0];
  } else if (form_.is_score(b.insts[value])) {
    return MaskEffect::keeps;
  }
  if (is_minus_infinity(b, value)) return MaskEffect::removes;
  const Inst& sum = b.insts[value];
  if (form_.gives_weights || sum.op != Opcode::add) return MaskEffect::computes;
  for (size_t a = 0; a < 2; ++a)
    if (form_.is_score(b.insts[sum.args[a]]) && is_minus_infinity(b, sum.args[1 - a]))
      return MaskEffect::removes_finite;
  return MaskEffect::computes;
}

bool MaskRun::is_minus_infinity(const Body& body, size_t value) const {
  const auto uniform = uniform_value(body, value, scalars_.data());
  return uniform && *uniform == -std::numeric_limits<float>::infinity();
}

bool MaskRun::removes_by_stats(const int64_t* outer, int64_t first, int64_t last) const {
  if (stats_ == kMaxInputs) return true;
  const auto rank = static_cast<size_t>(form_.program.rank);
  const int64_t* const strides = form_.strides.data() + stats_ * rank;
  if (strides[rank - 2] != 0) return false;
  int64_t offset = 0;
  for (size_t d = 0; d + 2 < rank; ++d)
    offset += outer[d] * strides[d];
  const auto* const stats = static_cast<const float*>(srcs_[stats_]) + offset;
  for (int64_t i = first; i < last; ++i)
    if (!std::isfinite(stats[i * strides[rank - 1]])) return false;
  return true;
}

// The queries and outer coordinates that keys are cut for.
struct MaskRun::Tile {
  std::array<int64_t, kMaxRank> coords{};
  int64_t first = 0;
  int64_t last = 0;
  const int64_t* elements = nullptr;
};

// Of keys [begin, end), as far as their ends tell: bounds are lines, so that what holds at both
// holds between them. Not settled where some predicate is true of some elements only.
MaskEffect MaskRun::effect(const Tile& tile, int64_t begin, int64_t end, bool& is_settled) const {
  const RowProgram& program = form_.program;
  const auto queries = static_cast<size_t>(program.rank) - 1;
  size_t body = 0;
  uint32_t open = 0;
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    int64_t from = tile.coords[predicate.axis];
    int64_t to = from + 1;
    if (predicate.axis == queries) {
      from = tile.first;
      to = tile.last;
    } else if (predicate.axis + 1u == queries) {
      from = begin;
      to = end;
    }
    int64_t lo[2];
    int64_t hi[2];
    Tile at = tile;
    for (int i = 0; i < 2; ++i) {
      at.coords[queries - 1] = i == 0 ? begin : end - 1;
      const RowValues row{at.coords.data(), scalars_.data(), tile.elements};
      lo[i] = evaluate(predicate.lo, row);
      hi[i] = evaluate(predicate.hi, row);
    }
    if (std::max(lo[0], lo[1]) <= from && to <= std::min(hi[0], hi[1]))
      body |= size_t{1} << p;
    else if (std::max(hi[0], hi[1]) > from && std::min(lo[0], lo[1]) < to)
      open |= 1u << p;
  }
  // Every body that may be meant, over all values of the open bits.
  is_settled = true;
  const MaskEffect effect = effects_[body];
  for (uint32_t bits = open; bits != 0; bits = (bits - 1) & open)
    is_settled = is_settled && effects_[body | bits] == effect;
  return is_settled ? effect : MaskEffect::computes;
}

void MaskRun::cut(const Tile& tile, int64_t begin, int64_t end,
                  std::vector<KeyRange>& ranges) const {
  constexpr int64_t kFewKeys = 8;
  bool is_settled = false;
  const MaskEffect found = effect(tile, begin, end, is_settled);
  if (!is_settled && end - begin > kFewKeys) {
    const int64_t middle = begin + (end - begin) / 2;
    cut(tile, begin, middle, ranges);
    cut(tile, middle, end, ranges);
    return;
  }
  if (!ranges.empty() && ranges.back().effect == found)
    ranges.back().end = end;
  else
    ranges.push_back({begin, end, found});
}

void MaskRun::cut(const int64_t* outer, int64_t keys, int64_t first, int64_t last,
                  std::vector<KeyRange>& ranges) const {
  ranges.clear();
  const RowProgram& program = form_.program;
  if (!form_.cuts) {
    ranges.push_back({0, keys, MaskEffect::computes});
    return;
  }
  const auto rank = static_cast<size_t>(program.rank);
  Tile tile;
  std::copy(outer, outer + rank - 2, tile.coords.begin());
  tile.first = first;
  tile.last = last;
  RowElements elements(program);
  if (elements.any())
    tile.elements = elements.read(program, [&](size_t i) {
      int64_t offset = 0;
      for (size_t d = 0; d + 2 < rank; ++d)
        offset += outer[d] * form_.strides[i * rank + d];
      return static_cast<const unsigned char*>(srcs_[i]) + offset * bytes_of(program.inputs[i]);
    });
  cut(tile, 0, keys, ranges);
}

int64_t MaskRun::scratch_bytes(int64_t keys) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < form_.inputs.size(); ++i)
    if ((form_.turned >> i & 1u) != 0)
      bytes += keys * kTileStride * bytes_of(form_.program.inputs[i]);
  return bytes;
}

void MaskRun::compute(const int64_t* outer, const MaskTile& tile) const {
  const RowProgram& program = form_.window;
  const auto rank = static_cast<size_t>(program.rank);
  std::array<int64_t, kMaxScalars> scalars = scalars_;
  int64_t* const origin = scalars.data() + form_.program.num_scalars;
  std::copy(outer, outer + rank - 2, origin);
  const size_t keys = form_.by_queries ? rank - 1 : rank - 2;
  const size_t queries = form_.by_queries ? rank - 2 : rank - 1;
  origin[keys] = tile.key;
  origin[queries] = tile.query;
  std::array<int64_t, kMaxRank> extents{};
  extents.fill(1);
  extents[keys] = form_.is_flat ? 1 : tile.keys;
  extents[queries] = form_.is_flat ? tile.keys * kTileStride : tile.queries;
  const void* moved[kMaxInputs];
  auto* turned = static_cast<unsigned char*>(tile.scratch);
  for (size_t i = 0; i < form_.inputs.size(); ++i) {
    if (MaskForm::is_tile(form_.inputs[i])) {
      moved[i] = form_.inputs[i] == MaskForm::kScoreInput      ? tile.score
                 : form_.inputs[i] == MaskForm::kGradientInput ? tile.gradient
                                                               : tile.row_sum;
      continue;
    }
    int64_t offset = 0;
    for (size_t d = 0; d < rank; ++d)
      offset += origin[d] * form_.strides[i * rank + d];
    const int bytes = bytes_of(program.inputs[i]);
    moved[i] = static_cast<const unsigned char*>(srcs_[i]) + offset * bytes;
    if ((form_.turned >> i & 1u) == 0) continue;
    turn(bytes, moved[i], form_.strides[i * rank + rank - 1], tile.queries, tile.keys, turned);
    moved[i] = turned;
    turned += tile.keys * kTileStride * bytes;
  }
  void* const outs[] = {tile.outs[0], tile.outs[1]};
  RunArgs args;
  args.extents = extents.data();
  args.scalars = scalars.data();
  args.srcs = moved;
  args.src_strides = form_.tile_strides.data();
  args.dsts = outs;
  args.dst_strides = form_.tile_strides.data() + form_.inputs.size() * rank;
  args.end = pointwise_units(extents.data(), program.rank);
  if (form_.kernel)
    form_.kernel->run(args);
  else
    run_portable(program, args);
}

}  // namespace iotadnn::impl
