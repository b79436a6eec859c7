// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "ops/op_builder.h"
#include "support/guarded_buffer.h"
#include "support/numbers.h"
#include "support/oracle.h"

// Runs the reference of one op on lists of elements.
namespace iotadnn::test {

// A tensor and its data; elements in row-major order, wherever the strides put them.
struct Filled {
  impl::LogicalTensor lt;
  std::vector<unsigned char> data;
};

inline Filled filled(size_t id, impl::DataType type, const std::vector<int64_t>& dims,
                     const std::vector<Element>& elements, std::vector<int64_t> strides = {}) {
  if (strides.empty()) strides = dense_strides(dims);
  Filled result{tensor(id, type, dims, strides), {}};
  const auto bytes = static_cast<size_t>(type_bytes(static_cast<int>(type)));
  result.data.resize(static_cast<size_t>(span_of(dims, strides)) * bytes + 1);
  size_t next = 0;
  for_each_element(dims, strides, [&](const std::vector<int64_t>&, int64_t offset) {
    std::memcpy(&result.data[static_cast<size_t>(offset) * bytes], &elements.at(next++).bits,
                bytes);
    return true;
  });
  return result;
}

inline Filled scalar_of(size_t id, impl::DataType type, const Element& value) {
  return filled(id, type, {}, {value});
}

// Integers as elements of a type, for tables of expected values.
inline std::vector<Element> elements_of(impl::DataType type, const std::vector<int64_t>& values) {
  std::vector<Element> elements;
  for (const int64_t value : values)
    elements.push_back(from_integer(static_cast<int>(type), value));
  return elements;
}

struct Outcome {
  impl::Status status;
  std::vector<int64_t> dims;
  std::vector<Element> elements;  // row-major
};

// Checks the schema, infers the shape of the one output and runs the reference into a guarded
// buffer, in both placements; gaps must survive.
inline Outcome run_reference(impl::Op op, const std::vector<Filled>& inputs) {
  Outcome outcome;
  std::vector<impl::TensorView> views;
  for (const Filled& in : inputs)
    views.push_back({&in.lt, const_cast<unsigned char*>(in.data.data())});
  outcome.status = check_schema(op);
  if (!outcome.status.ok()) return outcome;
  impl::ShapeContext shapes{&op, views, op.outputs};
  outcome.status = impl::infer_shapes(shapes);
  if (!outcome.status.ok()) return outcome;
  const impl::LogicalTensor& out = shapes.outputs.at(0);
  const int type = static_cast<int>(out.type);
  const std::vector<int64_t> strides(out.strides.begin(), out.strides.begin() + out.rank);
  outcome.dims.assign(out.dims.begin(), out.dims.begin() + out.rank);
  const TensorSpec spec{type, outcome.dims, strides};
  for (const Placement placement : kPlacements) {
    GuardedBuffer buffer(static_cast<size_t>(spec.span_bytes()), placement);
    const impl::RefContext ctx{&op, views, {{&out, buffer.data()}}};
    outcome.status = impl::find_op(op.kind)->reference(ctx);
    if (!outcome.status.ok()) return outcome;
    const int bytes = type_bytes(type);
    EXPECT_TRUE(buffer.gaps_intact(outcome.dims, strides, bytes)) << op.name;
    outcome.elements.clear();
    for_each_element(outcome.dims, strides, [&](const std::vector<int64_t>&, int64_t offset) {
      Element e{type, 0};
      std::memcpy(&e.bits, static_cast<const unsigned char*>(buffer.data()) + offset * bytes,
                  static_cast<size_t>(bytes));
      outcome.elements.push_back(e);
      return true;
    });
  }
  return outcome;
}

inline testing::AssertionResult gives(const impl::Op& op, const std::vector<Filled>& inputs,
                                      const std::vector<int64_t>& dims,
                                      const std::vector<Element>& want) {
  const Outcome got = run_reference(op, inputs);
  if (!got.status.ok()) return testing::AssertionFailure() << got.status.message();
  if (got.dims != dims)
    return testing::AssertionFailure()
           << "inferred " << dims_text(got.dims) << ", want " << dims_text(dims);
  if (got.elements.size() != want.size())
    return testing::AssertionFailure() << got.elements.size() << " elements";
  for (size_t i = 0; i < want.size(); ++i)
    if (got.elements[i].bits != want[i].bits)
      return testing::AssertionFailure() << "element " << i << " is " << text_of(got.elements[i])
                                         << ", want " << text_of(want[i]);
  return testing::AssertionSuccess();
}

}  // namespace iotadnn::test
