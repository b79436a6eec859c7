// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "lower/region.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "ops/relabel.h"

namespace iotadnn::impl {
namespace {

// The coordinates of a value's dimensions, as s64 values of the expression.
using Coords = std::vector<Value>;

// Expands a region from its outputs on: every value is asked for at certain coordinates, which ops
// that relabel or broadcast change on the way to their inputs. So coordinates are never data.
class Expander {
 public:
  Expander(const Partition& partition, ExprRules rules) : partition_(partition), region_(rules) {
    for (const Op& op : partition.ops)
      for (const LogicalTensor& out : op.outputs)
        producers_.emplace(out.id, &op);
  }

  Result<RegionExpr> run() {
    IOTADNN_TRY(check_ranks());
    const LogicalTensor& domain = partition_.outputs.front();
    for (const LogicalTensor& output : partition_.outputs) {
      IOTADNN_TRY(same_shape(domain, output));
      Coords coords;
      for (int d = 0; d < output.rank; ++d)
        coords.push_back(output.dims[d] == 1 ? region_.expr.integer(DataType::s64, 0)
                                             : region_.expr.leaf(Opcode::coord, DataType::s64,
                                                                 static_cast<uint64_t>(d)));
      const auto root = value_at(output.id, coords);
      if (!root.ok()) return root.status();
      region_.roots.push_back(*root);
    }
    if (region_.expr.too_long()) return unimplemented("the region computes too many values");
    return std::move(region_);
  }

 private:
  class Context;

  Status check_ranks() const {
    for (const Op& op : partition_.ops)
      for (const auto* side : {&op.inputs, &op.outputs})
        for (const LogicalTensor& tensor : *side)
          if (tensor.rank == kUnknownRank)
            return unimplemented(op_text(op) + " has a tensor of unknown rank");
    return {};
  }

  Status same_shape(const LogicalTensor& domain, const LogicalTensor& output) {
    bool same = domain.rank == output.rank;
    for (int d = 0; same && d < domain.rank; ++d) {
      const bool known = domain.dims[d] != kUnknownDim && output.dims[d] != kUnknownDim;
      same = !known || domain.dims[d] == output.dims[d];
      if (!known) region_.extent_guards.push_back({domain.id, d, output.id, d});
    }
    if (same) return {};
    return unimplemented("outputs of shapes " + shape_text(domain.dims, domain.rank) + " and " +
                         shape_text(output.dims, output.rank) + " have no common domain");
  }

  Result<Value> value_at(size_t id, const Coords& coords) {
    const auto key = std::make_pair(id, coords);
    const auto found = values_.find(key);
    if (found != values_.end()) return found->second;
    const auto producer = producers_.find(id);
    auto value =
        producer == producers_.end() ? read_input(id, coords) : expand(*producer->second, coords);
    if (value.ok()) values_.emplace(key, *value);
    return value;
  }

  Result<Value> expand(const Op& op, const Coords& coords);

  const LogicalTensor* find_input(size_t id) const {
    for (const LogicalTensor& input : partition_.inputs)
      if (input.id == id) return &input;
    return nullptr;
  }

  Result<Value> read_input(size_t id, const Coords& coords) {
    const LogicalTensor& tensor = *find_input(id);
    if (is_one_element(tensor) && region_.scalars.size() < size_t{kMaxScalars})
      return region_.expr.leaf(Opcode::scalar, tensor.type,
                               scalar({RegionScalar::Kind::input, tensor.type, 0, id}));
    if (tensor.property == Property::host_scalar)
      return unimplemented("the region has more than " + std::to_string(kMaxScalars) + " scalars");
    RegionInput input{id, tensor.rank, {}};
    for (int d = 0; d < tensor.rank; ++d) {
      const Inst& coord = region_.expr[coords[static_cast<size_t>(d)]];
      if (coord.op == Opcode::coord)
        input.axes[static_cast<size_t>(d)] = static_cast<int8_t>(coord.imm);
      else if (coord.op == Opcode::constant && coord.imm == 0)
        input.axes[static_cast<size_t>(d)] = RegionInput::kFixed;
      else
        return unimplemented("tensor " + std::to_string(id) +
                             " would be read at computed coordinates");
    }
    const auto index = position(region_.inputs, input);
    if (index >= size_t{kMaxInputs})
      return unimplemented("the region reads more than " + std::to_string(kMaxInputs) + " tensors");
    return region_.expr.leaf(Opcode::load, tensor.type, index);
  }

  static bool is_one_element(const LogicalTensor& tensor) {
    return tensor.property == Property::host_scalar ||
           std::all_of(tensor.dims.begin(), tensor.dims.begin() + tensor.rank,
                       [](int64_t extent) { return extent == 1; });
  }

  uint64_t scalar(const RegionScalar& scalar) { return position(region_.scalars, scalar); }

  // Where the item is in the list, to which it is added when it is new.
  template <class T>
  static size_t position(std::vector<T>& list, const T& item) {
    const auto found = std::find(list.begin(), list.end(), item);
    if (found != list.end()) return static_cast<size_t>(found - list.begin());
    list.push_back(item);
    return list.size() - 1;
  }

  const Partition& partition_;
  RegionExpr region_;
  std::unordered_map<size_t, const Op*> producers_;
  std::map<std::pair<size_t, Coords>, Value> values_;
};

// One op at one place: what its row's expand function sees.
class Expander::Context final : public ExpandContext {
 public:
  Context(Expander& expander, const Op& expanded, const Coords& coords)
      : ExpandContext(expanded), expander_(expander), coords_(coords) {}

  const Status& status() const { return status_; }

  int rank() const override { return op.outputs[0].rank; }

  DataType type_of(uint16_t value) const override { return expr()[value].type; }

  uint16_t input(size_t port) override {
    const LogicalTensor& in = op.inputs[port];
    const int skipped = rank() - in.rank;
    Coords coords;
    for (int d = 0; d < in.rank; ++d)
      coords.push_back(broadcast(in, d, d + skipped));
    return at(port, coords);
  }

  uint16_t input_without(size_t port, int axis) override {
    const LogicalTensor& in = op.inputs[port];
    Coords coords;
    for (int d = 0; d < in.rank; ++d)
      coords.push_back(coords_[static_cast<size_t>(d < axis ? d : d + 1)]);
    return at(port, coords);
  }

  uint16_t scalar_input(size_t port, DataType type) override {
    return convert(at(port, zeros(op.inputs[port])), type);
  }

  uint16_t diagonal_input(size_t port) override {
    const LogicalTensor& in = op.inputs[port];
    if (expander_.producers_.count(in.id) != 0) return ExpandContext::diagonal_input(port);
    return leaf_scalar({RegionScalar::Kind::diagonal, in.type, 0, in.id}, DataType::s64);
  }

  uint16_t parameter(DataType type, uint64_t bits) override {
    return leaf_scalar({RegionScalar::Kind::parameter, type, bits, 0}, type);
  }

  uint16_t coord(int axis, DataType type) override {
    const Value value = coords_[static_cast<size_t>(axis)];
    const Inst& inst = expr()[value];
    const bool is_integer = !accepts(OperandTypes::floating, type) && type != DataType::boolean;
    if (inst.op == Opcode::coord && is_integer) return expr().leaf(Opcode::coord, type, inst.imm);
    return convert(value, type);
  }

  uint16_t constant_bits(DataType type, uint64_t bits) override {
    return expr().constant(type, bits);
  }

  uint16_t emit(Opcode opcode, DataType type, uint16_t a, uint16_t b, uint16_t c) override {
    return expr().apply(opcode, type, a, b, c);
  }

  // The input at coordinates of its own.
  uint16_t at(size_t port, const Coords& coords) {
    const auto value = expander_.value_at(op.inputs[port].id, coords);
    if (value.ok()) return *value;
    if (status_.ok()) status_ = value.status();
    return expr().constant(op.inputs[port].type, 0);  // of no use, but it has the type
  }

  Coords zeros(const LogicalTensor& tensor) {
    return Coords(static_cast<size_t>(tensor.rank), expr().integer(DataType::s64, 0));
  }

 private:
  Expr& expr() { return expander_.region_.expr; }

  const Expr& expr() const { return expander_.region_.expr; }

  // The coordinate of the input's dimension d, which is aligned with the output's dimension out.
  Value broadcast(const LogicalTensor& in, int d, int out) {
    if (in.dims[d] == 1) return expr().integer(DataType::s64, 0);
    const LogicalTensor& output = op.outputs[0];
    if (in.dims[d] == kUnknownDim && in.property != Property::host_scalar)
      expander_.region_.extent_guards.push_back({in.id, d, output.id, out});
    return coords_[static_cast<size_t>(out)];
  }

  uint16_t leaf_scalar(const RegionScalar& scalar, DataType type) {
    const uint64_t index = expander_.scalar(scalar);
    if (index < uint64_t{kMaxScalars}) return expr().leaf(Opcode::scalar, type, index);
    if (status_.ok())
      status_ =
          unimplemented("the region has more than " + std::to_string(kMaxScalars) + " scalars");
    return expr().constant(type, 0);
  }

  Expander& expander_;
  const Coords& coords_;
  Status status_;
};

Result<Value> Expander::expand(const Op& op, const Coords& coords) {
  const OpDef* def = find_op(op.kind);
  Context context(*this, op, coords);
  if (def != nullptr && def->op_class == OpClass::relabel) {
    const auto axes = relabeled_axes(op);
    if (!axes.ok()) return axes.status();
    Coords inner = context.zeros(op.inputs[0]);
    for (size_t d = 0; d < inner.size(); ++d)
      if ((*axes)[d] != kNoAxis) inner[d] = coords[static_cast<size_t>((*axes)[d])];
    context.result = context.at(0, inner);
  } else if (def == nullptr || def->expand == nullptr) {
    return unimplemented(op_text(op) + " has no form as instructions");
  } else {
    IOTADNN_TRY(def->expand(context));
  }
  if (!context.status().ok()) return context.status();
  return Value{context.result};
}

}  // namespace

Result<RegionExpr> expand_region(const Partition& partition, ExprRules rules) {
  return Expander(partition, rules).run();
}

}  // namespace iotadnn::impl
