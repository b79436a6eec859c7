// SPDX-License-Identifier: Apache-2.0
#include "partition/regions.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "partition/attention.h"
#include "partition/rules.h"

namespace iotadnn::impl {
namespace {

constexpr const char* kPlainRegion = "misc_post_ops";
constexpr const char* kAttention = "sdp";

// The kind of a region around an op that a primitive of oneDNN computes.
const char* primitive_kind(OpKind kind) {
  if (kind == op_kind::kMatMul) return partition_kind::kMatMul;
  return kind == op_kind::kSoftMax ? partition_kind::kSoftMax : kPlainRegion;
}

// Larger regions would only spill registers; chains of more ops become several partitions.
constexpr size_t kMaxRegionOps = 64;
constexpr size_t kMaxRegionInputs = 16;
constexpr size_t kMaxRegionOutputs = 8;
// Inputs of one element and diagonals are the scalars of a program, of which there may be 32.
constexpr size_t kMaxRegionDiagonals = 16;

// What shape inference finds for the values of a graph, by id. Where it fails, what the user said.
class Shapes {
 public:
  explicit Shapes(const std::vector<Op>& ops) {
    for (const Op& op : ops)
      infer(op);
  }

  const LogicalTensor& of(const LogicalTensor& tensor) const {
    const auto found = known_.find(tensor.id);
    return found == known_.end() ? tensor : found->second;
  }

  // The op with its tensors as far as they are known.
  Op known(const Op& op) const {
    Op copy = op;
    for (LogicalTensor& in : copy.inputs)
      in = of(in);
    for (LogicalTensor& out : copy.outputs)
      out = of(out);
    return copy;
  }

 private:
  void infer(const Op& op) {
    const OpDef* def = find_op(op.kind);
    if (def == nullptr || def->infer == nullptr) return;
    const Op copy = known(op);
    ShapeContext shapes;
    shapes.op = &copy;
    for (const LogicalTensor& in : copy.inputs)
      shapes.inputs.push_back({&in, nullptr});
    shapes.outputs = copy.outputs;
    if (!infer_shapes(shapes).ok()) return;
    for (const LogicalTensor& out : shapes.outputs)
      known_[out.id] = out;
  }

  std::unordered_map<size_t, LogicalTensor> known_;
};

bool same_shape(const LogicalTensor& a, const LogicalTensor& b) {
  bool same = a.rank != kUnknownRank && a.rank == b.rank;
  for (int d = 0; same && d < a.rank; ++d)
    same = a.dims[d] == kUnknownDim || b.dims[d] == kUnknownDim || a.dims[d] == b.dims[d];
  return same;
}

class Grower {
 public:
  Grower(const Graph& graph, const ValueIndex& values, CanLower can_lower)
      : ops_(graph.ops()),
        values_(values),
        can_lower_(can_lower),
        math_mode_(graph.math_mode()),
        shapes_(ops_),
        region_of_(ops_.size()),
        seen_(ops_.size(), 0) {
    std::iota(region_of_.begin(), region_of_.end(), size_t{0});
    first_op_ = region_of_;
    last_op_ = region_of_;
    reach_ = region_of_;
    for (size_t i = 0; i < ops_.size(); ++i) {
      members_.push_back({i});
      reasons_.push_back(fusion_refusal(shapes_.known(ops_[i]), can_lower != nullptr));
      needs_lowering_.push_back(reasons_[i].empty() && needs_lowering(ops_[i]));
      grown_.push_back(reasons_[i].empty() && starts_region(ops_[i]));
    }
    is_attention_.resize(ops_.size(), false);
    kinds_.resize(ops_.size(), kPlainRegion);
  }

  // The regions that are attentions or their backward passes: nothing joins them.
  void find_attentions() {
    if (can_lower_ == nullptr) return;
    const auto is_free = [this](size_t op) {
      return reasons_[op].empty() && !is_attention_[region_of_[op]];
    };
    const auto joins = [&](size_t op) { return is_free(op) && !needs_lowering_[op]; };
    const auto joins_or_sums = [&](size_t op) {
      return is_free(op) &&
             (!needs_lowering_[op] || find_op(ops_[op].kind)->op_class == OpClass::reduction);
    };
    for (size_t op = 0; op < ops_.size(); ++op) {
      if (ops_[op].kind == op_kind::kSoftMax && refusal(ops_[op]).empty())
        make_attention(op, attentions_around(values_, op, joins));
      else if (ops_[op].kind == op_kind::kMatMul && is_free(op))
        make_attention(op, backwards_around(values_, op, joins_or_sums));
    }
  }

  // MatMuls and SoftMaxes that are in no region yet, each with what works point by point behind it.
  void find_primitives() {
    if (can_lower_ == nullptr) return;
    not_lowered_.clear();  // other forms were asked for
    for (size_t op = 0; op < ops_.size(); ++op) {
      const char* const kind = primitive_kind(ops_[op].kind);
      if (kind == kPlainRegion || grown_[region_of_[op]] || !refusal(ops_[op]).empty()) continue;
      kinds_[op] = kind;
      const std::string why = why_not_lowered({op}, ports_of(values_, {&op, 1}), kind);
      if (!why.empty()) {
        kinds_[op] = kPlainRegion;
        refused_.emplace(op, why + ", so it stays with the host");
        continue;
      }
      grown_[op] = true;
      needs_lowering_[op] = true;
      join_followers(op);
    }
  }

  void grow() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (size_t op = 0; op < ops_.size(); ++op)
        if (reasons_[op].empty() && join_neighbours(op)) changed = true;
    }
  }

  std::vector<Region> take() {
    std::vector<Region> regions;
    for (const size_t id : topological_order()) {
      Region region;
      region.ops = std::move(members_[id]);
      std::sort(region.ops.begin(), region.ops.end());
      if (!grown_[id]) region.reason = reason_of(region.ops.front());
      region.kind = kinds_[id];
      regions.push_back(std::move(region));
    }
    return regions;
  }

 private:
  std::string reason_of(size_t op) const {
    if (const auto refused = refused_.find(op); refused != refused_.end()) return refused->second;
    if (!reasons_[op].empty()) return reasons_[op];
    return op_text(ops_[op]) +
           " has no neighbour that computes from coordinates, so it stays with "
           "the host";
  }

  // One region of the first of the sets that can be lowered; `op` is what they were found around.
  void make_attention(size_t op, const std::vector<std::vector<size_t>>& sets) {
    std::string why;
    for (const std::vector<size_t>& set : sets) {
      const std::string refused = attention_obstacle(set);
      if (!refused.empty()) {
        if (why.empty()) why = refused;
        continue;
      }
      for (const size_t member : set)
        if (member != set.front()) merge(set.front(), member);
      is_attention_[set.front()] = true;
      kinds_[set.front()] = kAttention;
      return;
    }
    if (!why.empty()) refused_[op] = op_text(ops_[op]) + " is not fused as an attention: " + why;
  }

  // Why the ops cannot be one attention; "" when they can.
  std::string attention_obstacle(const std::vector<size_t>& set) const {
    if (set.size() > kMaxRegionOps)
      return "it has more than " + std::to_string(kMaxRegionOps) + " ops";
    for (const size_t op : set) {
      if (is_attention_[region_of_[op]]) return op_text(ops_[op]) + " belongs to another attention";
      if (std::string why = refusal(ops_[op]); !why.empty()) return why;
    }
    if (comes_back(set)) return "a path leaves it and comes back";
    return why_not_lowered(set, ports_of(values_, set), kAttention);
  }

  // Whether a path leaves the ops, which are ascending, and comes back; attentions that were found
  // are passed as a whole.
  bool comes_back(const std::vector<size_t>& set) const {
    const auto is_inside = [&](size_t op) {
      return std::binary_search(set.begin(), set.end(), op);
    };
    const size_t end = furthest(set.back());
    std::unordered_set<size_t> seen;  // regions
    std::vector<size_t> left;
    const auto leave = [&](size_t op) {
      for (const LogicalTensor& out : ops_[op].outputs)
        for (const size_t consumer : values_.consumers(out.id)) {
          const size_t region = region_of_[consumer];
          if (!is_inside(consumer) && first_op_[region] <= end && seen.insert(region).second)
            left.push_back(region);
        }
    };
    for (const size_t op : set)
      leave(op);
    while (!left.empty()) {
      const size_t region = left.back();
      left.pop_back();
      for (const size_t op : members_[region]) {
        for (const LogicalTensor& out : ops_[op].outputs)
          for (const size_t consumer : values_.consumers(out.id))
            if (is_inside(consumer)) return true;
        leave(op);
      }
    }
    return false;
  }

  bool join_neighbours(size_t op) {
    if (is_attention_[region_of_[op]]) return false;
    bool joined = false;
    for_each_neighbour(op, [&](size_t other) {
      const size_t a = region_of_[op];
      const size_t b = region_of_[other];
      if (a == b || is_attention_[b] || !reasons_[other].empty() || (!grown_[a] && !grown_[b]))
        return;
      std::string why = obstacle(a, b);
      if (why.empty()) {
        merge(a, b);
        joined = true;
      } else if (!grown_[a]) {
        refused_[op] = op_text(ops_[op]) + " cannot join " + op_text(ops_[other]) + ": " + why;
      }
    });
    return joined;
  }

  // The regions that read what the region gives, as long as all of it is point by point but the op
  // that the region is named by.
  void join_followers(size_t region) {
    const auto joins = [&](size_t consumer) {
      const size_t other = region_of_[consumer];
      if (other == region || needs_lowering_[other] || !reasons_[consumer].empty()) return false;
      return obstacle(region, other).empty();
    };
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<size_t> members = members_[region];
      for (const size_t member : members)
        for (const LogicalTensor& out : ops_[member].outputs)
          for (const size_t consumer : values_.consumers(out.id)) {
            if (!joins(consumer)) continue;
            merge(region, region_of_[consumer]);
            changed = true;
          }
    }
  }

  template <class F>
  void for_each_neighbour(size_t op, F&& f) const {
    for (const LogicalTensor& in : ops_[op].inputs)
      if (const size_t producer = values_.producer(in.id); producer != ValueIndex::kNone)
        f(producer);
    for (const LogicalTensor& out : ops_[op].outputs)
      for (const size_t consumer : values_.consumers(out.id))
        f(consumer);
  }

  // Why the two regions cannot be one; "" when they can.
  std::string obstacle(size_t a, size_t b) {
    std::vector<size_t> both = members_[a];
    both.insert(both.end(), members_[b].begin(), members_[b].end());
    std::sort(both.begin(), both.end());
    if (both.size() > kMaxRegionOps)
      return "a region has at most " + std::to_string(kMaxRegionOps) + " ops";
    const RegionPorts ports = ports_of(values_, both);
    std::unordered_set<size_t> inputs;
    for (const LogicalTensor& in : ports.inputs)
      inputs.insert(in.id);
    if (inputs.size() > kMaxRegionInputs)
      return "a region reads at most " + std::to_string(kMaxRegionInputs) + " tensors";
    if (ports.outputs.size() > kMaxRegionOutputs)
      return "a region hands out at most " + std::to_string(kMaxRegionOutputs) + " tensors";
    if (diagonals_of(both) > kMaxRegionDiagonals)
      return "a region has at most " + std::to_string(kMaxRegionDiagonals) + " different diagonals";
    for (const LogicalTensor& out : ports.outputs) {
      const LogicalTensor& first = shapes_.of(ports.outputs.front());
      const LogicalTensor& other = shapes_.of(out);
      if (!same_shape(first, other))
        return "together they hand out tensors of shapes " + shape_text(first.dims, first.rank) +
               " and " + shape_text(other.dims, other.rank);
    }
    if (std::string why = shaped_by_itself(both); !why.empty()) return why;
    if (leaves_and_returns(a, b)) return "a path between them goes through other ops";
    if (needs_lowering_[a] || needs_lowering_[b]) return not_lowered(a, b, both, ports);
    return "";
  }

  // Different values of the attribute k; diagonals that are inputs count as those.
  size_t diagonals_of(const std::vector<size_t>& both) const {
    std::unordered_set<int64_t> diagonals;
    for (const size_t i : both)
      if (const auto k = ops_[i].attrs.find(attr_id::kK); k != ops_[i].attrs.end())
        if (const auto* value = std::get_if<int64_t>(&k->second)) diagonals.insert(*value);
    return diagonals.size();
  }

  // Asked once for the two regions as they are.
  std::string not_lowered(size_t a, size_t b, const std::vector<size_t>& both,
                          const RegionPorts& ports) {
    const auto asked = not_lowered_.find({a, b, members_[a].size(), members_[b].size()});
    if (asked != not_lowered_.end()) return asked->second;
    std::string why =
        why_not_lowered(both, ports, kinds_[a] == kPlainRegion ? kinds_[b] : kinds_[a]);
    if (!why.empty()) not_lowered_[{a, b, members_[a].size(), members_[b].size()}] = why;
    return why;
  }

  // "" when the ops can be lowered as a region of this kind.
  std::string why_not_lowered(const std::vector<size_t>& ops, const RegionPorts& ports,
                              const char* kind) const {
    Partition partition;
    partition.kind = kind;
    partition.math_mode = math_mode_;
    for (const size_t i : ops)
      partition.ops.push_back(shapes_.known(ops_[i]));
    for (const LogicalTensor& in : ports.inputs)
      partition.inputs.push_back(shapes_.of(in));
    for (const LogicalTensor& out : ports.outputs)
      partition.outputs.push_back(shapes_.of(out));
    return can_lower_(partition).message();
  }

  // Extents must be known before anything is computed, so that no op of a region may make the data
  // from which another's extents follow, unless the user has given these.
  std::string shaped_by_itself(const std::vector<size_t>& both) const {
    for (const size_t i : both) {
      const Op& op = ops_[i];
      const uint32_t shape_inputs = find_op(op.kind)->shape_inputs;
      const LogicalTensor& out = shapes_.of(op.outputs.front());
      if (shape_inputs == 0 || is_known_shape(out.dims, out.rank)) continue;
      for (size_t p = 0; p < op.inputs.size(); ++p)
        if ((shape_inputs >> p & 1u) != 0 &&
            std::binary_search(both.begin(), both.end(), values_.producer(op.inputs[p].id)))
          return "the shape of " + output_text(op, 0) + " follows from data that they compute";
    }
    return "";
  }

  // Ops are in topological order, but a path that passes regions as a whole goes from their last
  // ops to their first: behind this op nothing leads back to `op` or in front of it.
  size_t furthest(size_t op) const {
    while (reach_[op] > op)
      op = reach_[op];
    return op;
  }

  // Whether a path leaves the two regions and comes back, other regions being passed as a whole.
  bool leaves_and_returns(size_t a, size_t b) {
    const size_t end = furthest(std::max(last_op_[a], last_op_[b]));
    ++round_;
    std::vector<size_t> left;  // regions to leave by
    const auto visit = [&](size_t region) {
      bool returns = false;
      for (const size_t op : members_[region]) {
        if (op > end) continue;
        for (const LogicalTensor& out : ops_[op].outputs)
          for (const size_t consumer : values_.consumers(out.id)) {
            const size_t next = region_of_[consumer];
            const bool inside = next == a || next == b;
            if (inside && region != a && region != b) returns = true;
            if (inside || seen_[next] == round_ || first_op_[next] > end) continue;
            seen_[next] = round_;
            left.push_back(next);
          }
      }
      return returns;
    };
    if (visit(a) || visit(b)) return true;
    while (!left.empty()) {
      const size_t region = left.back();
      left.pop_back();
      if (visit(region)) return true;
    }
    return false;
  }

  void merge(size_t a, size_t b) {
    for (const size_t op : members_[b])
      region_of_[op] = a;
    members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
    members_[b].clear();
    first_op_[a] = std::min(first_op_[a], first_op_[b]);
    last_op_[a] = std::max(last_op_[a], last_op_[b]);
    for (size_t op = first_op_[a]; op < last_op_[a]; ++op)
      reach_[op] = std::max(reach_[op], last_op_[a]);
    grown_[a] = true;
    needs_lowering_[a] = needs_lowering_[a] || needs_lowering_[b];
  }

  // Regions by the first op that all before them allow: Kahn's algorithm, smallest first op first.
  std::vector<size_t> topological_order() const {
    std::vector<std::unordered_set<size_t>> next(members_.size());
    std::vector<size_t> waits(members_.size(), 0);
    for (size_t op = 0; op < ops_.size(); ++op)
      for (const LogicalTensor& out : ops_[op].outputs)
        for (const size_t consumer : values_.consumers(out.id)) {
          const size_t from = region_of_[op];
          const size_t to = region_of_[consumer];
          if (from != to && next[from].insert(to).second) ++waits[to];
        }
    const auto later = [this](size_t x, size_t y) { return first_op_[x] > first_op_[y]; };
    std::vector<size_t> ready;  // a heap
    for (size_t region = 0; region < members_.size(); ++region)
      if (!members_[region].empty() && waits[region] == 0) ready.push_back(region);
    std::make_heap(ready.begin(), ready.end(), later);
    std::vector<size_t> order;
    while (!ready.empty()) {
      std::pop_heap(ready.begin(), ready.end(), later);
      order.push_back(ready.back());
      ready.pop_back();
      for (const size_t region : next[order.back()]) {
        if (--waits[region] != 0) continue;
        ready.push_back(region);
        std::push_heap(ready.begin(), ready.end(), later);
      }
    }
    return order;
  }

  const std::vector<Op>& ops_;
  const ValueIndex& values_;
  const CanLower can_lower_;
  const MathMode math_mode_;
  Shapes shapes_;
  std::vector<size_t> region_of_;             // of an op; a region is named by one of its ops
  std::vector<std::vector<size_t>> members_;  // of a region
  std::vector<size_t> first_op_;              // of a region, in the order of the graph
  std::vector<size_t> last_op_;
  std::vector<size_t> reach_;  // of an op: the last op of the regions that begin at it or before it
  std::vector<size_t> seen_;   // of a region: the last round that passed it
  size_t round_ = 0;
  std::vector<std::string> reasons_;  // why an op cannot be in any region
  std::vector<bool> needs_lowering_;  // whether a region has such an op
  std::vector<bool> grown_;           // whether a region has an op to start from
  std::vector<bool> is_attention_;    // whether a region is one
  std::vector<const char*> kinds_;    // of a region
  // Why two regions of so many ops cannot be one; a region only grows.
  std::map<std::array<size_t, 4>, std::string> not_lowered_;
  std::unordered_map<size_t, std::string> refused_;  // why an op could not join a region
};

std::vector<Region> single_ops(const Graph& graph) {
  std::vector<Region> regions;
  regions.reserve(graph.ops().size());
  for (size_t i = 0; i < graph.ops().size(); ++i)
    regions.push_back({{i}, refusal(graph.ops()[i])});
  return regions;
}

}  // namespace

std::vector<Region> regions_of(const Graph& graph, const ValueIndex& values, Policy policy,
                               CanLower can_lower) {
  if (policy == Policy::debug) return single_ops(graph);
  Grower grower(graph, values, can_lower);
  grower.find_attentions();
  grower.grow();
  grower.find_primitives();
  return grower.take();
}

}  // namespace iotadnn::impl
