// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lower/region.h"

namespace iotadnn::impl {

// The coordinates of a value's dimensions, as s64 values of the expression.
using Coords = std::vector<Value>;

// Expands a region from its outputs on: every value is asked for at certain coordinates, which ops
// that relabel or broadcast change on the way to their inputs. So coordinates are never data.
class Expander {
 public:
  Expander(const Partition& partition, ExprRules rules, SumForm form);

  Result<RegionExpr> run();

 private:
  class Context;

  // A value as a function of one more coordinate.
  using AtIndex = std::function<Result<Value>(Value index)>;

  // How an equality in a sum's terms picks one of them.
  struct Selection {
    Value index = 0;                  // of the term that is picked, if it is within the sum
    std::vector<size_t> must_finite;  // inputs (of region_) of which the other terms are multiples
  };

  // expand.cpp
  Status check_ranks() const;
  Status same_shape(const LogicalTensor& domain, const LogicalTensor& output);
  Result<Value> value_at(size_t id, const Coords& coords);
  Result<Value> expand(const Op& op, const Coords& coords);
  const LogicalTensor* find_tensor(size_t id) const;
  Result<Value> read_input(size_t id, const Coords& coords);
  Status set_coordinate(RegionInput& input, int dim, Value coord);
  Result<Value> leaf_scalar(const RegionScalar& scalar, DataType type);
  Result<Value> extent(const LogicalTensor& tensor, int dim);
  Value broadcast(const LogicalTensor& in, int d, const LogicalTensor& out, int axis,
                  const Coords& coords);

  Value zero() { return region_.expr.integer(DataType::s64, 0); }

  // sums.cpp
  Result<Value> expand_gather(const Op& op, const Coords& coords);
  Result<Value> expand_reduction(const Op& op, const Coords& coords);
  Result<Value> expand_contraction(const Op& op, const Coords& coords);
  Result<Value> add_bias(const Op& op, const Coords& coords, Value sum);
  Result<Value> sum(const Op& op, const LogicalTensor& of, int dim, const AtIndex& at);
  Result<Value> sum_of_one_term(const Op& op, const Selection& selection, int axis, Value count,
                                const AtIndex& at);
  Result<Value> range_of(Value index, Value count);
  Value from_zero(Value term);
  bool may_remain(const Op& op) const;
  Result<Selection> select_term(const Op& op, Value term, int axis);
  Result<bool> vanishes(const Op& op, Value term, Value equality, Selection& selection);
  bool hands_nan_on(Value term, Value equality) const;
  Result<Value> solve(const Affine& difference, int axis);
  Result<Value> sum_of_leaves(const Affine& affine);
  Result<Value> checked(Value sum, Value in_range, const Selection& selection, int axis);
  Result<Value> count_of_others(size_t input, size_t check, Value in_range, Value index, int axis);

  // Where the item is in the list, to which it is added when it is new.
  template <class T>
  static size_t position(std::vector<T>& list, const T& item) {
    const auto found = std::find(list.begin(), list.end(), item);
    if (found != list.end()) return static_cast<size_t>(found - list.begin());
    list.push_back(item);
    return list.size() - 1;
  }

  const Partition& partition_;
  const ExprRules rules_;
  const SumForm form_;
  RegionExpr region_;
  std::unordered_map<size_t, const Op*> producers_;
  std::map<std::pair<size_t, Coords>, Value> values_;
  Status failure_;  // the first one, after which nothing is expanded any more
  std::map<Value, std::vector<Value>> ranges_;  // of computed coordinates: when they may be used
};

}  // namespace iotadnn::impl
