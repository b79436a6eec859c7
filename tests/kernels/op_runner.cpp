// SPDX-License-Identifier: Apache-2.0
#include "kernels/op_runner.h"

#include "support/strided.h"

namespace iotadnn::test {
namespace {

using graph::logical_tensor;
using graph::op;

logical_tensor::data_type type_of(int data_type) {
  return static_cast<logical_tensor::data_type>(data_type);
}

logical_tensor strided(size_t id, const TensorSpec& spec) {
  return {id, type_of(spec.data_type), spec.dims, spec.strides};
}

logical_tensor with_rank_only(size_t id, int data_type, size_t rank) {
  return {id, type_of(data_type), static_cast<int>(rank), logical_tensor::layout_type::strided};
}

std::vector<int64_t> batch_of(const TensorSpec& out) {
  return {out.dims.begin(), out.dims.end() - 2};
}

// Eye's inputs: rows, columns, diagonal, and the batch shape when there is one.
std::vector<logical_tensor> eye_inputs(const OpCase& c) {
  std::vector<logical_tensor> inputs;
  for (size_t id = 0; id < 3; ++id) {
    if (c.form == EyeForm::host_scalars)
      inputs.emplace_back(c.first_id + id, type_of(c.scalar_type), 0,
                          logical_tensor::layout_type::strided,
                          logical_tensor::property_type::host_scalar);
    else
      inputs.emplace_back(c.first_id + id, type_of(c.scalar_type), logical_tensor::dims{1},
                          logical_tensor::layout_type::strided);
  }
  const auto batch = static_cast<int64_t>(c.out.dims.size()) - 2;
  if (batch > 0)
    inputs.emplace_back(c.first_id + 3, type_of(c.scalar_type), logical_tensor::dims{batch},
                        logical_tensor::layout_type::strided);
  return inputs;
}

}  // namespace

logical_tensor output_of(const OpCase& c) {
  if (c.unknown_rank)
    return {c.first_id + kOutputId, type_of(c.out.data_type), logical_tensor::layout_type::strided};
  if (c.unknown_dims)
    return with_rank_only(c.first_id + kOutputId, c.out.data_type, c.out.dims.size());
  return strided(c.first_id + kOutputId, c.out);
}

std::vector<logical_tensor> inputs_of(const OpCase& c) {
  if (c.kind == OpCase::Kind::eye)
    return c.form == EyeForm::attributes ? std::vector<logical_tensor>{} : eye_inputs(c);
  if (c.unknown_dims) return {with_rank_only(c.first_id, c.source_type, c.out.dims.size())};
  return {strided(c.first_id, dense_spec(c.source_type, c.out.dims))};
}

op op_of(const OpCase& c) {
  const std::vector<logical_tensor> inputs = inputs_of(c);
  const logical_tensor output = output_of(c);
  switch (c.kind) {
    case OpCase::Kind::gen_index: {
      op node(c.first_id, op::kind::GenIndex, inputs, {output}, "gen_index");
      node.set_attr<int64_t>(op::attr::axis, c.axis);
      return node;
    }
    case OpCase::Kind::eye_like: {
      op node(c.first_id, op::kind::EyeLike, inputs, {output}, "eye_like");
      node.set_attr<int64_t>(op::attr::k, c.k);
      return node;
    }
    case OpCase::Kind::eye:
      break;
  }
  op node(c.first_id, op::kind::Eye, inputs, {output}, "eye");
  if (c.form == EyeForm::attributes) {
    node.set_attr<std::vector<int64_t>>(op::attr::shape, c.out.dims);
    node.set_attr<int64_t>(op::attr::k, c.k);
  }
  return node;
}

std::string OpCase::text() const {
  std::string text = kind == Kind::eye ? "Eye" : kind == Kind::eye_like ? "EyeLike" : "GenIndex";
  text += " " + type_name(out.data_type) + " " + dims_text(out.dims) + " strides " +
          dims_text(out.strides);
  if (kind == Kind::gen_index) return text + " axis " + std::to_string(axis);
  return text + " k " + std::to_string(k);
}

ExpectedElement OpCase::expected() const {
  return kind == Kind::gen_index ? expect_gen_index(out.data_type, axis)
                                 : expect_eye(out.data_type, k);
}

CompiledCase::CompiledCase(const OpCase& op_case)
    : case_(op_case), engine_(engine::kind::cpu, 0), inputs_(inputs_of(op_case)) {
  graph::graph g(engine::kind::cpu);
  g.add_op(op_of(op_case));
  g.finalize();
  const auto partitions = g.get_partitions();
  if (partitions.size() != 1 || !partitions[0].is_supported())
    throw std::runtime_error("not one supported partition: " + op_case.text());
  compiled_ = partitions[0].compile(inputs_, {output_of(op_case)}, engine_);
}

CompiledCase::CompiledCase(const OpCase& op_case, const graph::partition& partition)
    : case_(op_case),
      engine_(engine::kind::cpu, 0),
      inputs_(inputs_of(op_case)),
      compiled_(partition.compile(inputs_, {output_of(op_case)}, engine_)) {}

std::vector<graph::tensor> CompiledCase::input_tensors(const TensorSpec& out, int64_t k) const {
  std::vector<graph::tensor> tensors;
  if (case_.kind != OpCase::Kind::eye) {
    // The source is never read: a null handle serves.
    tensors.emplace_back(strided(case_.first_id, dense_spec(case_.source_type, out.dims)), engine_,
                         nullptr);
    return tensors;
  }
  const size_t rank = out.dims.size();
  // Kept until the next call: tensors refer to them.
  static thread_local std::vector<int64_t> wide;
  static thread_local std::vector<int32_t> narrow;
  wide = {out.dims[rank - 2], out.dims[rank - 1], k};
  for (const int64_t extent : batch_of(out))
    wide.push_back(extent);
  narrow.assign(wide.begin(), wide.end());
  const bool is_wide = case_.scalar_type == iotadnn_s64;
  for (size_t p = 0; p < inputs_.size(); ++p) {
    void* value = is_wide ? static_cast<void*>(&wide[p]) : static_cast<void*>(&narrow[p]);
    if (p < 3 && case_.form == EyeForm::host_scalars)
      tensors.push_back(graph::tensor::make_scalar_tensor(inputs_[p], value));
    else
      tensors.emplace_back(inputs_[p], engine_, value);
  }
  return tensors;
}

void CompiledCase::execute(const TensorSpec& out, int64_t k, void* data) const {
  stream s(engine_);
  const graph::tensor output(strided(case_.first_id + kOutputId, out), engine_, data);
  compiled_.execute(s, input_tensors(out, k), {output});
  s.wait();
}

namespace {

testing::AssertionResult compiled_runs_right(const OpCase& op_case, const CompiledCase& compiled) {
  if (!op_case.expected_impl.empty() && compiled.impl() != op_case.expected_impl)
    return testing::AssertionFailure() << op_case.text() << ": " << compiled.impl()
                                       << " ran instead of " << op_case.expected_impl;
  for (const Placement placement : kPlacements) {
    const GuardedBuffer buffer(static_cast<size_t>(op_case.out.span_bytes()), placement);
    compiled.execute(op_case.out, op_case.k, buffer.data());
    const auto values = holds(buffer.data(), op_case.out, op_case.expected());
    if (!values) return testing::AssertionFailure() << op_case.text() << ": " << values.message();
    const auto gaps = buffer.gaps_intact(op_case.out.dims, op_case.out.strides,
                                         type_bytes(op_case.out.data_type));
    if (!gaps) return testing::AssertionFailure() << op_case.text() << ": " << gaps.message();
  }
  return testing::AssertionSuccess();
}

}  // namespace

testing::AssertionResult runs_right(const OpCase& op_case) {
  try {
    return compiled_runs_right(op_case, CompiledCase(op_case));
  } catch (const std::exception& refused) {
    return testing::AssertionFailure() << op_case.text() << ": " << refused.what();
  }
}

testing::AssertionResult runs_right(const OpCase& op_case, const graph::partition& partition) {
  try {
    return compiled_runs_right(op_case, CompiledCase(op_case, partition));
  } catch (const std::exception& refused) {
    return testing::AssertionFailure() << op_case.text() << ": " << refused.what();
  }
}

}  // namespace iotadnn::test
