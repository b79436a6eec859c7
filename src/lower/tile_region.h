// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include "lower/region.h"
#include "ops/contraction_ops.h"

namespace iotadnn::impl {

// Ops that work point by point on what MatMuls give, lowered as a region whose tensors in between
// are tiles of f32. Where the graph says that those are bf16 or f16, they are rounded as there.
class TileRegion {
 public:
  // `partition` has the inputs that the ops read beside tiles.
  explicit TileRegion(const Partition& partition);

  // What a MatMul gives is a tile of f32, which programs read under the id `tile`.
  void add_tile(const LogicalTensor& given, size_t tile);

  // Ops in topological order, behind the tiles that they read.
  void add_op(const Op& op);

  // An output, behind the op that makes it.
  void add_output(LogicalTensor tensor);

  // unimplemented for what has no pointwise form.
  Result<LoweredRegion> lower() const;

 private:
  Status check(const RegionProgram& program) const;

  Partition region_;
  std::unordered_map<size_t, LogicalTensor> tiles_;  // by the id of what is given, if it is f32
  std::unordered_map<size_t, size_t> given_;         // the other way round
  size_t next_id_;
};

// A MatMul of matrices of f32, bf16 or f16, without a bias, of which the second has no more
// dimensions than the first; unimplemented for others.
Result<contraction_ops::MatMulForm> matrix_form(const Op& op);

// f32, bf16 or f16.
bool is_tile_type(DataType type);

// unimplemented where a port is neither f32, bf16 nor f16.
Status check_tile_types(const Op& op);

}  // namespace iotadnn::impl
