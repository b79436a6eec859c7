// SPDX-License-Identifier: Apache-2.0
#include "runtime/primitive_plan.h"

#include <algorithm>
#include <string>

#include "ops/contraction_ops.h"
#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "ops/softmax_op.h"
#include "runtime/parallel.h"

namespace iotadnn::impl {
namespace {

using contraction_ops::MatMulForm;

constexpr size_t kBias = 2;
// An exponential takes the time of as many bytes that are moved.
constexpr int64_t kBytesPerExp = 16;

// A tensor's dimension as dimension `axis` of what a primitive sees.
void place(const LogicalTensor& tensor, int d, int axis, PrimitiveTensor& placed) {
  placed.dims[static_cast<size_t>(axis)] = tensor.dims[d];
  placed.strides[static_cast<size_t>(axis)] = tensor.strides[d];
}

PrimitiveTensor of_rank(DataType type, int rank) {
  PrimitiveTensor tensor;
  tensor.type = type;
  tensor.rank = rank;
  std::fill(tensor.dims.begin(), tensor.dims.begin() + rank, 1);
  return tensor;
}

// The stride of an extent of 1 means nothing to a graph, but tells oneDNN of a layout: that of a
// dense tensor is the one its kernels are made for.
PrimitiveTensor settled(PrimitiveTensor tensor) {
  int64_t dense = 1;
  for (auto d = static_cast<size_t>(tensor.rank); d-- > 0;) {
    if (tensor.dims[d] == 1) tensor.strides[d] = dense;
    dense = std::max(dense, tensor.strides[d] * tensor.dims[d]);
  }
  return tensor;
}

PrimitiveTensor as_is(const LogicalTensor& tensor) {
  PrimitiveTensor same = of_rank(tensor.type, tensor.rank);
  for (int d = 0; d < tensor.rank; ++d)
    place(tensor, d, d, same);
  return settled(same);
}

// An operand, whose matrix may lack a dimension or be transposed.
PrimitiveTensor operand(const LogicalTensor& t, const MatMulForm& form, int row, int column) {
  PrimitiveTensor placed = of_rank(t.type, form.batch + 2);
  for (int d = 0; d + 2 < t.rank; ++d)
    place(t, d, form.batch_axis(d, t.rank), placed);
  if (row != MatMulForm::kNone) place(t, row, form.batch, placed);
  if (column != MatMulForm::kNone) place(t, column, form.batch + 1, placed);
  return settled(placed);
}

// The result, or a bias, which is aligned with its last dimensions.
PrimitiveTensor result_like(const LogicalTensor& t, const MatMulForm& form) {
  PrimitiveTensor placed = of_rank(t.type, form.batch + 2);
  for (int d = 0; d < t.rank; ++d) {
    const int axis = d + form.rank() - t.rank;
    if (axis < form.batch)
      place(t, d, axis, placed);
    else if (axis == form.out_row)
      place(t, d, form.batch, placed);
    else
      place(t, d, form.batch + 1, placed);
  }
  return settled(placed);
}

Status make_product_set(const Op& op, PrimitivePlan& plan, int64_t& bytes) {
  const LogicalTensor& a = op.inputs[0];
  const LogicalTensor& b = op.inputs[1];
  const MatMulForm form = contraction_ops::matmul_form(op, a.rank, b.rank);
  ProductTensors tensors{operand(a, form, form.a_row, form.a_inner),
                         operand(b, form, form.b_inner, form.b_column), std::nullopt,
                         result_like(plan.result, form)};
  if (op.inputs.size() > kBias) {
    if (op.inputs[kBias].rank > plan.result.rank)
      return unimplemented(input_text(op, kBias) + " has more dimensions than the result");
    tensors.bias = result_like(op.inputs[kBias], form);
  }
  // Threads are chosen as for what moves as many bytes as take about the same time.
  double products = static_cast<double>(a.dims[form.a_inner]);
  for (int d = 0; d < plan.result.rank; ++d)
    products *= static_cast<double>(plan.result.dims[d]);
  bytes = static_cast<int64_t>(std::min(products / 4, 1e15));
  plan.primitives = std::make_shared<const PrimitiveSet>(std::move(tensors));
  return {};
}

Status make_softmax_set(const Op& op, const RegionShapes& shapes, PrimitivePlan& plan,
                        int64_t& bytes) {
  SoftMaxRows rows;
  rows.in = op.inputs[0];
  rows.out = plan.result;
  rows.axis = softmax_op::softmax_axis(op, rows.in.rank);
  rows.inf_as_zero = softmax_op::has_inf_as_zero(op);
  const auto elements = num_elements(rows.in.dims, rows.in.rank);
  if (!elements.ok()) return elements.status();
  rows.count = *elements / rows.in.dims[rows.axis];
  if (op.outputs.size() > 1)
    if (const size_t o = position_of(shapes.outputs, op.outputs[1].id); o < shapes.outputs.size()) {
      if (rows.out.type != DataType::f32)
        return unimplemented(output_text(op, 0) + " is too coarse to tell the stats from");
      rows.stats = shapes.outputs[o];
      plan.stats = o;
    }
  plan.primitives = std::make_shared<const PrimitiveSet>(
      SoftMaxTensors{as_is(rows.in), as_is(rows.out), rows.axis});
  plan.rows = std::move(rows);
  bytes = checked_mul(*elements, kBytesPerExp).value_or(*elements);
  return {};
}

// Whether the program reads the result only where it writes.
bool reads_in_place(const RegionProgram& program, size_t result) {
  return std::all_of(program.inputs.begin(), program.inputs.end(), [&](const RegionInput& in) {
    return in.id != result || is_read_in_place(in);
  });
}

// Where the result goes, and its strides.
Status set_result(const PrimitiveForm& form, const LoweredRegion& epilogue,
                  const RegionShapes& shapes, PrimitivePlan& plan) {
  plan.result = *shapes.find(form.result);
  const size_t own = position_of(shapes.outputs, form.result);
  if (own < shapes.outputs.size()) {
    plan.output = own;
  } else if (reads_in_place(epilogue.split, form.result) &&
             reads_in_place(*epilogue.pointwise, form.result)) {
    for (size_t o = 0; o < shapes.outputs.size() && !plan.output; ++o)
      if (shapes.outputs[o].type == plan.result.type &&
          same_extents(shapes.outputs[o], plan.result))
        plan.output = o;
  }
  if (plan.output) {
    plan.result.strides = shapes.outputs[*plan.output].strides;
  } else {
    const auto dense = dense_strides(plan.result.dims, plan.result.rank);
    if (!dense.ok()) return dense.status();
    plan.result.strides = *dense;
  }
  plan.result.layout = LayoutType::strided;
  const auto bytes = buffer_bytes(plan.result);
  if (!bytes.ok()) return bytes.status();
  plan.bytes = *bytes;
  return {};
}

Status check_tensors(const Op& op) {
  for (size_t p = 0; p < op.inputs.size(); ++p) {
    if (is_empty(op.inputs[p])) return unimplemented(input_text(op, p) + " has no elements");
    if (op.inputs[p].property == Property::host_scalar)
      return unimplemented(input_text(op, p) + " is a host scalar");
  }
  return {};
}

}  // namespace

Result<PrimitivePtr> PrimitiveSet::get(int threads) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [number, primitive] : made_)
    if (number == threads) return primitive;
  auto made = product_ ? make_product(*product_, threads) : make_softmax(softmax_, threads);
  if (!made.ok()) return made.status();
  if (made_.size() == kKept) made_.erase(made_.begin());
  made_.emplace_back(threads, *made);
  return made;
}

Result<LoweredPrimitive> lower_for_primitive(const Partition& partition) {
  auto lowered = lower_primitive(partition);
  if (!lowered.ok()) return lowered;
  const Op& op = partition.ops[lowered->form.op];
  const auto refused = [](const std::string& port, DataType type) {
    const std::string why = primitive_refusal(type);
    if (why.empty()) return Status();
    return unimplemented(port + " is " + std::string(name_of(type)) + ", and " + why);
  };
  for (size_t p = 0; p < op.inputs.size(); ++p)
    IOTADNN_TRY(refused(input_text(op, p), op.inputs[p].type));
  IOTADNN_TRY(refused(output_text(op, 0), op.outputs[0].type));
  return lowered;
}

Result<PrimitivePlan> make_primitive_plan(const PrimitiveForm& form, const LoweredRegion& epilogue,
                                          const RegionShapes& shapes,
                                          const ForcedStrategy& forced) {
  PrimitivePlan plan;
  const Op& op = shapes.ops[form.op];
  IOTADNN_TRY(check_tensors(op));
  for (const LogicalTensor& in : op.inputs)
    plan.inputs.push_back(position_of(shapes.inputs, in.id));
  IOTADNN_TRY(set_result(form, epilogue, shapes, plan));
  int64_t bytes = 0;
  IOTADNN_TRY(op.kind == op_kind::kMatMul ? make_product_set(op, plan, bytes)
                                          : make_softmax_set(op, shapes, plan, bytes));
  plan.threads = choose_threads(bytes, available_threads(), forced);
  auto first = plan.primitives->get(std::min(plan.threads, available_threads()));
  if (!first.ok()) return first.status();
  return plan;
}

Status run_primitive(const PrimitivePlan& plan, const void* const* inputs, void* result,
                     void* stats) {
  const int threads = std::min(plan.threads, available_threads());
  const auto primitive = plan.primitives->get(threads);
  if (!primitive.ok()) return primitive.status();
  IOTADNN_TRY((*primitive)->run(inputs, result));
  if (plan.rows) finish_softmax(*plan.rows, inputs[0], result, static_cast<float*>(stats), threads);
  return {};
}

}  // namespace iotadnn::impl
