// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "graph/math_mode.h"
#include "graph/op.h"

namespace iotadnn::impl {

// The next number of the counter that graphs and partitions share. Thread safe.
size_t next_object_id();

// What the user said: ops over edges that are named by logical-tensor ids. Building, then finalized
// (one way). Not thread safe while building; const use of a finalized graph is.
class Graph {
 public:
  explicit Graph(int32_t engine_kind, int32_t fpmath_mode = 0)
      : engine_kind_(engine_kind), fpmath_mode_(fpmath_mode), id_(next_object_id()) {}

  // Appends a copy. invalid_graph once finalized, invalid_graph_op for an op id that is already
  // there. Schema checks are the caller's (ops/schema.h): the graph knows no op.
  Status add_op(Op op);

  // Checks that every appearance of an id describes the same logical tensor, that no id has two
  // producers and that there is no cycle; sorts topologically (ties in insertion order).
  // invalid_graph with the sentence, and the graph stays as it was. Idempotent. Near-linear in ops
  // and ports.
  Status finalize();

  bool finalized() const { return finalized_; }

  int32_t engine_kind() const { return engine_kind_; }

  int32_t fpmath_mode() const { return fpmath_mode_; }

  bool fpmath_apply_to_int() const { return fpmath_apply_to_int_; }

  void set_fpmath(int32_t mode, bool apply_to_int) {
    fpmath_mode_ = mode;
    fpmath_apply_to_int_ = apply_to_int;
  }

  MathMode math_mode() const { return math_mode_; }

  void set_math_mode(MathMode mode) { math_mode_ = mode; }

  const std::vector<Op>& ops() const { return ops_; }  // topological order once finalized

  size_t id() const { return id_; }  // process-wide counter shared with partitions; first 100001

 private:
  std::vector<Op> ops_;
  std::unordered_set<size_t> op_ids_;
  bool finalized_ = false;
  int32_t engine_kind_;
  int32_t fpmath_mode_;
  bool fpmath_apply_to_int_ = false;
  MathMode math_mode_ = MathMode::standard;
  size_t id_;
};

}  // namespace iotadnn::impl
