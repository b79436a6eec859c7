// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include "ops/op_table.h"
#include "program/verify.h"

namespace iotadnn::impl {

Result<LoweredPartition> lower(const Partition& partition) {
  if (partition.ops.size() != 1)
    return unimplemented("a partition of " + std::to_string(partition.ops.size()) +
                         " ops cannot be lowered; one op is supported");
  const Op& op = partition.ops.front();
  const OpDef* def = find_op(op.kind);
  if (def == nullptr || def->lower == nullptr)
    return unimplemented("op " + op.name + " has no lowering to a row program");
  const LogicalTensor& out = op.outputs.front();
  if (out.rank < 1 || out.rank > kMaxRank)
    return invalid_shape("output 0 of op " + op.name + " has rank " + std::to_string(out.rank) +
                         ", lowering needs a rank from 1 to " + std::to_string(kMaxRank));
  LowerContext ctx;
  ctx.op = &op;
  ctx.program.rank = out.rank;
  ctx.program.elem_bytes = bytes_of(out.type);
  IOTADNN_TRY(def->lower(ctx));
  ctx.program.num_scalars = static_cast<int>(ctx.scalars.size());
  IOTADNN_TRY(verify(ctx.program));
  return LoweredPartition{std::move(ctx.program), std::move(ctx.scalars)};
}

}  // namespace iotadnn::impl
