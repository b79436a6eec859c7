// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "support/strided.h"

// Ops and logical tensors in one line, for tests of graph, ops, interp and partition.
namespace iotadnn::test {

inline constexpr int64_t kUnknown = impl::kUnknownDim;

// Strided when all dims are known (dense, or with the given strides), else of layout undef.
inline impl::LogicalTensor tensor(size_t id, impl::DataType type, const std::vector<int64_t>& dims,
                                  std::vector<int64_t> strides = {}) {
  impl::LogicalTensor t;
  t.id = id;
  t.type = type;
  t.rank = static_cast<int>(dims.size());
  std::copy(dims.begin(), dims.end(), t.dims.begin());
  if (std::count(dims.begin(), dims.end(), kUnknown) != 0) return t;
  if (strides.empty()) strides = dense_strides(dims);
  t.layout = impl::LayoutType::strided;
  std::copy(strides.begin(), strides.end(), t.strides.begin());
  return t;
}

inline impl::LogicalTensor unknown_rank(size_t id, impl::DataType type) {
  impl::LogicalTensor t;
  t.id = id;
  t.type = type;
  t.dims.fill(kUnknown);
  t.strides.fill(kUnknown);
  return t;
}

inline impl::Op make_op(std::string_view kind, size_t id, std::vector<impl::LogicalTensor> inputs,
                        std::vector<impl::LogicalTensor> outputs,
                        std::map<impl::AttrId, impl::AttrValue> attrs = {}) {
  impl::Op op;
  op.id = id;
  op.kind = impl::find_op(kind)->kind;
  op.name = std::string(kind) + "_" + std::to_string(id);
  op.inputs = std::move(inputs);
  op.outputs = std::move(outputs);
  op.attrs = std::move(attrs);
  return op;
}

}  // namespace iotadnn::test
