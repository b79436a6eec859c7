// SPDX-License-Identifier: Apache-2.0
#include "lower/tile_region.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lower/window.h"
#include "ops/op_kinds.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

// Ids from here on are no caller's.
constexpr size_t kFirstId = size_t{3} << 60;

Op cast_of(const LogicalTensor& from, const LogicalTensor& to) {
  Op op;
  op.kind = op_kind::kTypeCast;
  op.name = "TypeCast";
  op.inputs.push_back(from);
  op.outputs.push_back(to);
  return op;
}

}  // namespace

TileRegion::TileRegion(const Partition& partition) : next_id_(kFirstId) {
  region_.math_mode = partition.math_mode;
  region_.fpmath_mode = partition.fpmath_mode;
  region_.inputs = partition.inputs;
}

void TileRegion::add_tile(const LogicalTensor& given, size_t tile) {
  LogicalTensor computed = given;
  computed.id = tile;
  computed.type = DataType::f32;
  // A tile is memory even where it has one element, which would be a scalar.
  const auto end = computed.dims.begin() + std::max(computed.rank, 0);
  if (std::all_of(computed.dims.begin(), end, [](int64_t extent) { return extent == 1; }))
    std::fill(computed.dims.begin(), end, kUnknownDim);
  given_[tile] = given.id;
  region_.inputs.push_back(computed);
  if (given.type == DataType::f32)
    tiles_[given.id] = computed;
  else
    region_.ops.push_back(cast_of(computed, given));
}

void TileRegion::add_op(const Op& op) {
  region_.ops.push_back(op);
  for (LogicalTensor& in : region_.ops.back().inputs)
    if (const auto tile = tiles_.find(in.id); tile != tiles_.end()) in = tile->second;
}

void TileRegion::add_output(LogicalTensor tensor) {
  const auto tile = tiles_.find(tensor.id);
  if (tensor.type != DataType::f32 || tile != tiles_.end()) {
    LogicalTensor wide = tensor;
    wide.id = next_id_++;
    wide.type = DataType::f32;
    region_.ops.push_back(cast_of(tile != tiles_.end() ? tile->second : tensor, wide));
    tensor = wide;
  }
  region_.outputs.push_back(tensor);
}

// Tiles are read where they are written, and the programs have room for the window's origin.
Status TileRegion::check(const RegionProgram& program) const {
  for (const RegionInput& in : program.inputs) {
    if (given_.count(in.id) != 0 && !is_read_in_place(in))
      return unimplemented("what works point by point in an attention moves elements of scores");
  }
  return to_window(program.program).status();
}

Result<LoweredRegion> TileRegion::lower() const {
  auto lowered = lower_region(region_);
  if (!lowered.ok()) return lowered.status();
  if (!lowered->pointwise || !lowered->summed_extents.empty())
    return unimplemented("what works point by point in an attention sums or gathers");
  IOTADNN_TRY(check(lowered->split));
  IOTADNN_TRY(check(*lowered->pointwise));
  // Those who run the region know tiles by what is given.
  const auto rename = [&](size_t& id) {
    if (const auto given = given_.find(id); given != given_.end()) id = given->second;
  };
  for (RegionScalar& scalar : lowered->scalars) {
    if (scalar.kind != RegionScalar::Kind::extent && given_.count(scalar.id) != 0)
      return unimplemented("a tile of an attention is a scalar");
    rename(scalar.id);
  }
  for (ExtentGuard& guard : lowered->extent_guards) {
    rename(guard.id);
    rename(guard.other_id);
  }
  return lowered;
}

bool is_tile_type(DataType type) {
  return type == DataType::f32 || type == DataType::bf16 || type == DataType::f16;
}

Status check_tile_types(const Op& op) {
  for (size_t p = 0; p < op.inputs.size(); ++p)
    if (!is_tile_type(op.inputs[p].type))
      return unimplemented(input_text(op, p) + " is " + std::string(name_of(op.inputs[p].type)) +
                           ", an attention has f32, bf16 or f16");
  for (size_t p = 0; p < op.outputs.size(); ++p)
    if (!is_tile_type(op.outputs[p].type))
      return unimplemented(output_text(op, p) + " is " + std::string(name_of(op.outputs[p].type)) +
                           ", an attention has f32, bf16 or f16");
  return {};
}

// A MatMul of matrices, without a bias; the second operand's batch is at most that of the first.
Result<contraction_ops::MatMulForm> matrix_form(const Op& op) {
  if (op.inputs.size() > 2) return unimplemented(op_text(op) + " adds a bias");
  IOTADNN_TRY(check_tile_types(op));
  const int a = op.inputs[0].rank;
  const int b = op.inputs[1].rank;
  if (a < 2 || b < 2 || b > a)
    return unimplemented(op_text(op) + " multiplies tensors of ranks " + std::to_string(a) +
                         " and " + std::to_string(b) +
                         ", an attention has at least 2, and not more in the second");
  return contraction_ops::matmul_form(op, a, b);
}

}  // namespace iotadnn::impl
