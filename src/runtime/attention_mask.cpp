// SPDX-License-Identifier: Apache-2.0
#include "runtime/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/float16.h"
#include "lower/window.h"
#include "program/evaluate.h"
#include "program/opcodes.h"
#include "program/portable.h"
#include "program/row_walk.h"
#include "program/verify.h"
#include "runtime/kernel_cache.h"
#include "runtime/region_plan.h"

namespace iotadnn::impl {
namespace {

bool is_score(const MaskForm& form, const Inst& inst) {
  return inst.op == Opcode::load && form.inputs[inst.imm] == MaskForm::kScoreInput;
}

bool is_tile(size_t input) {
  return input >= MaskForm::kRowSumInput;
}

// The factor of the score if each use of it in the body is a product with the same.
bool find_factor(const MaskForm& form, const Body& body, std::optional<ScoreFactor>& factor) {
  for (size_t r = 0; r < body.insts.size(); ++r) {
    if (!is_score(form, body.insts[r])) continue;
    for (size_t o = 0; o < form.program.outputs.size(); ++o)
      if (body.result(o) == r) return false;
    for (const Inst& inst : body.insts) {
      const int count = info_of(inst.op).operands;
      for (int a = 0; a < count; ++a) {
        if (inst.args[static_cast<size_t>(a)] != r) continue;
        const bool divides = inst.op == Opcode::divide && a == 0;
        if (!divides && inst.op != Opcode::multiply) return false;
        const Inst& other = body.insts[inst.args[static_cast<size_t>(1 - a)]];
        if (other.op != Opcode::constant && other.op != Opcode::scalar) return false;
        if (factor && !(factor->divides == divides && factor->value == other)) return false;
        factor = ScoreFactor{divides, other};
      }
    }
  }
  return true;
}

// The body without what its results do not need.
Body pruned(const Body& body) {
  std::vector<bool> needed(body.insts.size(), false);
  for (const uint16_t result : body.results)
    needed[result] = true;
  for (size_t i = body.insts.size(); i-- > 0;)
    for (int a = 0; needed[i] && a < info_of(body.insts[i].op).operands; ++a)
      needed[body.insts[i].args[static_cast<size_t>(a)]] = true;
  Body kept;
  std::vector<uint16_t> now(body.insts.size(), 0);
  for (size_t i = 0; i < body.insts.size(); ++i) {
    if (!needed[i]) continue;
    Inst inst = body.insts[i];
    for (int a = 0; a < info_of(inst.op).operands; ++a)
      inst.args[static_cast<size_t>(a)] = now[inst.args[static_cast<size_t>(a)]];
    now[i] = static_cast<uint16_t>(kept.insts.size());
    kept.insts.push_back(inst);
  }
  for (const uint16_t result : body.results)
    kept.results.push_back(now[result]);
  return kept;
}

// Takes the factor out: what used its product with the score uses the score.
void drop_factor(const MaskForm& form, RowProgram& program) {
  for (Body& body : program.bodies) {
    if (body.results.empty()) body.results = {body.result(0)};
    std::vector<uint16_t> now;  // what is used instead of each value
    for (size_t i = 0; i < body.insts.size(); ++i) {
      now.push_back(static_cast<uint16_t>(i));
      Inst& inst = body.insts[i];
      for (int a = 0; a < info_of(inst.op).operands; ++a) {
        const uint16_t arg = inst.args[static_cast<size_t>(a)];
        if (is_score(form, body.insts[arg])) now[i] = arg;
      }
      for (int a = 0; now[i] == i && a < info_of(inst.op).operands; ++a)
        inst.args[static_cast<size_t>(a)] = now[inst.args[static_cast<size_t>(a)]];
    }
    for (uint16_t& result : body.results)
      result = now[result];
    body = pruned(body);
  }
}

void take_factor(MaskForm& form, bool strict) {
  std::optional<ScoreFactor> factor;
  for (const Body& body : form.program.bodies)
    if (!find_factor(form, body, factor)) return;
  if (!factor || (factor->divides && strict)) return;
  form.factor = factor;
  drop_factor(form, form.program);
}

// Whether no predicate reads an element that changes along keys or queries.
bool has_steady_elements(const MaskForm& form) {
  const auto rank = static_cast<size_t>(form.program.rank);
  const uint32_t read = bound_inputs(form.program);
  for (size_t i = 0; i < form.inputs.size(); ++i)
    if ((read >> i & 1u) != 0 &&
        (form.strides[i * rank + rank - 1] != 0 || form.strides[i * rank + rank - 2] != 0))
      return false;
  return true;
}

Status attach_kernel(MaskForm& form, Isa isa) {
  if (isa < Isa::avx2) return {};
  KernelConfig config;
  config.isa = kernel_isa(isa);
  config.walk = Walk::pointwise;
  const auto rank = static_cast<size_t>(form.window.rank);
  for (size_t t = 0; t < form.inputs.size(); ++t)
    if (form.tile_strides[t * rank + rank - 1] == 0) config.row_constant_inputs |= 1u << t;
  auto kernel = cached_kernel(form.window, config);
  if (kernel.ok()) {
    form.kernel = *kernel;
    return {};
  }
  const StatusCode code = kernel.status().code();
  if (code != StatusCode::runtime_error && code != StatusCode::unimplemented)
    return kernel.status();
  log_fallback(kernel.status());
  return {};
}

// The program's inputs: their strides over (outer, keys, queries).
Status bind_inputs(const RegionProgram& program, const RegionShapes& shapes, MaskForm& form) {
  const int rank = program.program.rank;
  for (const RegionInput& in : program.inputs) {
    Dims logical{};
    int64_t& queries = logical[static_cast<size_t>(rank - 2)];
    int64_t& keys = logical[static_cast<size_t>(rank - 1)];
    if (in.id == LoweredBackward::kScore || in.id == LoweredBackward::kGradient) {
      const bool is_score = in.id == LoweredBackward::kScore;
      form.inputs.push_back(is_score ? MaskForm::kScoreInput : MaskForm::kGradientInput);
      queries = 1;
      keys = kTileStride;
    } else if (in.id == LoweredBackward::kRowSum) {
      form.inputs.push_back(MaskForm::kRowSumInput);
      queries = 1;
    } else {
      form.inputs.push_back(position_of(shapes.inputs, in.id));
      if (!in.offsets.empty())
        return unimplemented("the mask of an attention reads elements that are moved");
      logical = input_strides(in, shapes.inputs[form.inputs.back()]);
    }
    std::swap(queries, keys);
    form.strides.insert(form.strides.end(), logical.begin(), logical.begin() + rank);
  }
  for (size_t o = 0; o < program.program.outputs.size(); ++o) {
    form.strides.insert(form.strides.end(), static_cast<size_t>(rank - 2), 0);
    form.strides.push_back(kTileStride);
    form.strides.push_back(1);
  }
  form.tile_strides = form.strides;
  for (size_t i = 0; i < form.inputs.size(); ++i) {
    int64_t* const strides = form.tile_strides.data() + (i + 1) * static_cast<size_t>(rank) - 2;
    if (is_tile(form.inputs[i]) || strides[0] != 1 || strides[1] <= 1) continue;
    form.turned |= 1u << i;
    strides[0] = kTileQueries;
    strides[1] = 1;
  }
  return {};
}

// `rows` rows of adjacent elements, `from_row` elements apart, as columns of rows of kTileQueries.
template <class T>
void turn(const void* from, int64_t from_row, int64_t rows, int64_t columns, void* to) {
  constexpr int64_t kBlock = 8;
  const auto* const source = static_cast<const T*>(from);
  auto* const target = static_cast<T*>(to);
  for (int64_t first = 0; first < columns; first += kBlock)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = first; c < std::min(first + kBlock, columns); ++c)
        target[c * kTileQueries + r] = source[r * from_row + c];
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

Result<MaskForm> make_mask_form(const RegionProgram& program, const RegionShapes& shapes,
                                const LogicalTensor& domain, const MaskOptions& options) {
  MaskForm form;
  form.gives_weights = options.gives_weights;
  AxisOrder order;
  order.rank = program.program.rank;
  for (int d = 0; d < order.rank; ++d)
    order.axes[static_cast<size_t>(d)] = static_cast<int8_t>(d);
  std::swap(order.axes[static_cast<size_t>(order.rank - 1)],
            order.axes[static_cast<size_t>(order.rank - 2)]);
  if (order.rank != domain.rank) return unimplemented("the mask has another rank than the scores");
  form.program = to_physical(program.program, order);
  IOTADNN_TRY(bind_inputs(program, shapes, form));
  take_factor(form, options.strict);
  auto window = to_window(form.program);
  if (!window.ok()) return window.status();
  form.window = std::move(*window);
  form.cuts = has_steady_elements(form);
  if (!verify(form.program).ok() || !verify(form.window).ok())
    return unimplemented("a predicate of the mask cannot be solved for queries");
  const uint32_t read = bound_inputs(form.program);
  const auto rank = static_cast<size_t>(order.rank);
  for (const Predicate& predicate : form.program.predicates)
    for (size_t i = 0; i < form.inputs.size(); ++i)
      if ((read >> i & 1u) != 0 &&
          (form.strides[i * rank + rank - 1] != 0 || form.strides[i * rank + predicate.axis] != 0))
        return unimplemented("a predicate of the mask reads an element that changes along it");
  IOTADNN_TRY(attach_kernel(form, options.isa));
  return form;
}

Result<MaskForms> make_mask_forms(const LoweredRegion& region, const RegionShapes& shapes,
                                  const LogicalTensor& domain, const MaskOptions& options) {
  MaskForms forms;
  auto split = make_mask_form(region.split, shapes, domain, options);
  if (split.ok())
    forms.split = std::move(*split);
  else if (split.status().code() != StatusCode::unimplemented)
    return split.status();
  if (forms.split && !region.is_conditional()) return forms;
  auto pointwise = make_mask_form(*region.pointwise, shapes, domain, options);
  if (!pointwise.ok()) return pointwise.status();
  forms.pointwise = std::move(*pointwise);
  return forms;
}

MaskRun::MaskRun(const MaskForm& form, const int64_t* scalars, const void* const* inputs)
    : form_(form) {
  std::copy(scalars, scalars + form.program.num_scalars, scalars_.begin());
  for (size_t i = 0; i < form.inputs.size(); ++i)
    if (!is_tile(form.inputs[i])) srcs_[i] = inputs[form.inputs[i]];
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
    // exp(score - stats), the stats being an input
    const Inst& weight = b.insts[value];
    if (weight.op != Opcode::exp) return MaskEffect::computes;
    const Inst& difference = b.insts[weight.args[0]];
    if (difference.op != Opcode::subtract) return MaskEffect::computes;
    const Inst& stats = b.insts[difference.args[1]];
    if (stats.op != Opcode::load || stats.type != DataType::f32 || is_tile(form_.inputs[stats.imm]))
      return MaskEffect::computes;
    if (stats_ != kMaxInputs && stats_ != stats.imm) return MaskEffect::computes;
    stats_ = stats.imm;
    value = difference.args[0];
  } else if (is_score(form_, b.insts[value])) {
    return MaskEffect::keeps;
  }
  if (is_minus_infinity(b, value)) return MaskEffect::removes;
  const Inst& sum = b.insts[value];
  if (form_.gives_weights || sum.op != Opcode::add) return MaskEffect::computes;
  for (size_t a = 0; a < 2; ++a)
    if (is_score(form_, b.insts[sum.args[a]]) && is_minus_infinity(b, sum.args[1 - a]))
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
      bytes += keys * kTileQueries * bytes_of(form_.program.inputs[i]);
  return bytes;
}

void MaskRun::compute(const int64_t* outer, const MaskTile& tile) const {
  const RowProgram& program = form_.window;
  const auto rank = static_cast<size_t>(program.rank);
  std::array<int64_t, kMaxScalars> scalars = scalars_;
  int64_t* const origin = scalars.data() + form_.program.num_scalars;
  std::copy(outer, outer + rank - 2, origin);
  origin[rank - 2] = tile.key;
  origin[rank - 1] = tile.query;
  std::array<int64_t, kMaxRank> extents{};
  extents.fill(1);
  extents[rank - 2] = tile.keys;
  extents[rank - 1] = tile.queries;
  const void* moved[kMaxInputs];
  auto* turned = static_cast<unsigned char*>(tile.scratch);
  for (size_t i = 0; i < form_.inputs.size(); ++i) {
    if (is_tile(form_.inputs[i])) {
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
    turned += tile.keys * kTileQueries * bytes;
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
