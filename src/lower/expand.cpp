// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lower/expander.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "ops/relabel.h"

namespace iotadnn::impl {
namespace {

bool is_one_element(const LogicalTensor& tensor) {
  return tensor.property == Property::host_scalar ||
         std::all_of(tensor.dims.begin(), tensor.dims.begin() + tensor.rank,
                     [](int64_t extent) { return extent == 1; });
}

}  // namespace

Expander::Expander(const Partition& partition, ExprRules rules, SumForm form)
    : partition_(partition), rules_(rules), form_(form), region_(rules) {
  for (const Op& op : partition.ops)
    for (const LogicalTensor& out : op.outputs)
      producers_.emplace(out.id, &op);
}

Result<RegionExpr> Expander::run() {
  IOTADNN_TRY(check_ranks());
  const LogicalTensor& domain = partition_.outputs.front();
  for (const LogicalTensor& output : partition_.outputs) {
    IOTADNN_TRY(same_shape(domain, output));
    Coords coords;
    for (int d = 0; d < output.rank; ++d)
      coords.push_back(output.dims[d] == 1 ? zero()
                                           : region_.expr.leaf(Opcode::coord, DataType::s64,
                                                               static_cast<uint64_t>(d)));
    const auto root = value_at(output.id, coords);
    if (!root.ok()) return root.status();
    region_.roots.push_back(*root);
  }
  if (region_.expr.too_long()) return unimplemented("the region computes too many values");
  return std::move(region_);
}

Status Expander::check_ranks() const {
  for (const Op& op : partition_.ops)
    for (const auto* side : {&op.inputs, &op.outputs})
      for (const LogicalTensor& tensor : *side)
        if (tensor.rank == kUnknownRank)
          return unimplemented(op_text(op) + " has a tensor of unknown rank");
  return {};
}

Status Expander::same_shape(const LogicalTensor& domain, const LogicalTensor& output) {
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

Result<Value> Expander::value_at(size_t id, const Coords& coords) {
  if (!failure_.ok()) return failure_;
  const auto key = std::make_pair(id, coords);
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  const auto producer = producers_.find(id);
  auto value =
      producer == producers_.end() ? read_input(id, coords) : expand(*producer->second, coords);
  if (value.ok())
    values_.emplace(key, *value);
  else if (failure_.ok())
    failure_ = value.status();
  return value;
}

const LogicalTensor* Expander::find_tensor(size_t id) const {
  for (const LogicalTensor& input : partition_.inputs)
    if (input.id == id) return &input;
  return nullptr;
}

Result<Value> Expander::read_input(size_t id, const Coords& coords) {
  const LogicalTensor& tensor = *find_tensor(id);
  if (is_one_element(tensor) &&
      (tensor.property == Property::host_scalar || region_.scalars.size() < size_t{kMaxScalars}))
    return leaf_scalar({RegionScalar::Kind::input, tensor.type, 0, id}, tensor.type);
  RegionInput input{id, tensor.rank, {}, {}};
  std::vector<Value> ranges;
  for (int d = 0; d < tensor.rank; ++d) {
    const Value coord = coords[static_cast<size_t>(d)];
    IOTADNN_TRY(set_coordinate(input, d, coord));
    if (const auto range = ranges_.find(coord); range != ranges_.end())
      ranges.insert(ranges.end(), range->second.begin(), range->second.end());
  }
  const size_t index = position(region_.inputs, input);
  if (index >= size_t{kMaxInputs}) {
    region_.inputs.pop_back();
    return unimplemented("the region reads more than " + std::to_string(kMaxInputs) + " tensors");
  }
  region_.ranges.resize(region_.inputs.size());
  region_.ranges[index] = std::move(ranges);
  return region_.expr.leaf(Opcode::load, tensor.type, index);
}

// A coordinate of the domain, 0, or one that a sum has made of a coordinate and scalars.
Status Expander::set_coordinate(RegionInput& input, int dim, Value coord) {
  const auto computed = [&input] {
    return unimplemented("tensor " + std::to_string(input.id) +
                         " would be read at computed coordinates");
  };
  const auto d = static_cast<size_t>(dim);
  const Inst& inst = region_.expr[coord];
  input.axes[d] = RegionInput::kFixed;
  if (inst.op == Opcode::coord) {
    input.axes[d] = static_cast<int8_t>(inst.imm);
    return {};
  }
  if (inst.op == Opcode::constant && inst.imm == 0) return {};
  if (ranges_.count(coord) == 0) return computed();
  auto affine = affine_value(region_.expr, coord);
  if (!affine || affine->elements != Affine{}.elements) return computed();
  for (size_t axis = 0; axis < affine->coords.size(); ++axis) {
    if (affine->coords[axis] == 0) continue;
    if (affine->coords[axis] != 1 || input.axes[d] != RegionInput::kFixed) return computed();
    input.axes[d] = static_cast<int8_t>(axis);
  }
  affine->coords = {};
  input.offsets.resize(static_cast<size_t>(input.rank));
  input.offsets[d] = *affine;
  return {};
}

Result<Value> Expander::leaf_scalar(const RegionScalar& scalar, DataType type) {
  const size_t index = position(region_.scalars, scalar);
  if (index < size_t{kMaxScalars}) return region_.expr.leaf(Opcode::scalar, type, index);
  region_.scalars.pop_back();
  return unimplemented("the region has more than " + std::to_string(kMaxScalars) + " scalars");
}

Result<Value> Expander::extent(const LogicalTensor& tensor, int dim) {
  const int64_t known = tensor.dims[dim];
  if (known != kUnknownDim) return region_.expr.integer(DataType::s64, known);
  return leaf_scalar(
      {RegionScalar::Kind::extent, DataType::s64, static_cast<uint64_t>(dim), tensor.id},
      DataType::s64);
}

// The coordinate of the input's dimension d, which is aligned with dimension `axis` of the output
// at `coords`.
Value Expander::broadcast(const LogicalTensor& in, int d, const LogicalTensor& out, int axis,
                          const Coords& coords) {
  if (in.dims[d] == 1) return zero();
  if (in.dims[d] == kUnknownDim && in.property != Property::host_scalar)
    region_.extent_guards.push_back({in.id, d, out.id, axis});
  return coords[static_cast<size_t>(axis)];
}

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
      coords.push_back(expander_.broadcast(in, d, op.outputs[0], d + skipped, coords_));
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
    return checked(expander_.value_at(op.inputs[port].id, coords), op.inputs[port].type);
  }

  Coords zeros(const LogicalTensor& tensor) {
    return Coords(static_cast<size_t>(tensor.rank), expr().integer(DataType::s64, 0));
  }

 private:
  Expr& expr() { return expander_.region_.expr; }

  const Expr& expr() const { return expander_.region_.expr; }

  uint16_t leaf_scalar(const RegionScalar& scalar, DataType type) {
    return checked(expander_.leaf_scalar(scalar, type), type);
  }

  // The value, or one of no use that has the type, and the status is kept.
  uint16_t checked(const Result<Value>& value, DataType type) {
    if (value.ok()) return *value;
    if (status_.ok()) status_ = value.status();
    return expr().constant(type, 0);
  }

  Expander& expander_;
  const Coords& coords_;
  Status status_;
};

Result<Value> Expander::expand(const Op& op, const Coords& coords) {
  const OpDef* def = find_op(op.kind);
  if (def == nullptr) return unimplemented(op_text(op) + " has no form as instructions");
  Context context(*this, op, coords);
  switch (def->op_class) {
    case OpClass::gather:
      return expand_gather(op, coords);
    case OpClass::reduction:
      return expand_reduction(op, coords);
    case OpClass::contraction:
      return expand_contraction(op, coords);
    case OpClass::relabel: {
      const auto axes = relabeled_axes(op);
      if (!axes.ok()) return axes.status();
      Coords inner = context.zeros(op.inputs[0]);
      for (size_t d = 0; d < inner.size(); ++d)
        if ((*axes)[d] != kNoAxis) inner[d] = coords[static_cast<size_t>((*axes)[d])];
      context.result = context.at(0, inner);
      break;
    }
    default:
      if (def->expand == nullptr)
        return unimplemented(op_text(op) + " has no form as instructions");
      IOTADNN_TRY(def->expand(context));
  }
  if (!context.status().ok()) return context.status();
  return Value{context.result};
}

Result<RegionExpr> expand_region(const Partition& partition, ExprRules rules, SumForm form) {
  return Expander(partition, rules, form).run();
}

}  // namespace iotadnn::impl
