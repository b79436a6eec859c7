// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ops/op_builder.h"
#include "support/eye_vectors.h"
#include "support/guarded_buffer.h"
#include "support/oracle.h"

namespace iotadnn::test {

// The inputs of an Eye in tensor form, with ids 0, 1, ... and their data. Must outlive its views.
class EyeInputs {
 public:
  explicit EyeInputs(const std::vector<EyePort>& ports) {
    for (const EyePort& port : ports) {
      const auto type = static_cast<impl::DataType>(port.data_type);
      std::vector<int64_t> dims = port.dims;
      for (int64_t& dim : dims)
        if (dim < 0) dim = kUnknown;
      tensors.push_back(port.rank < 0 ? unknown_rank(tensors.size(), type)
                                      : tensor(tensors.size(), type, dims));
      std::vector<unsigned char> bytes;
      for (const int64_t value : port.data) {
        const size_t at = bytes.size();
        const auto narrow = static_cast<int32_t>(value);
        bytes.resize(at + (type == impl::DataType::s32 ? 4 : 8));
        if (type == impl::DataType::s32)
          std::memcpy(&bytes[at], &narrow, 4);
        else
          std::memcpy(&bytes[at], &value, 8);
      }
      bytes.reserve(1);  // an empty list has an address too
      data_.push_back(std::move(bytes));
      is_known_.push_back(port.is_known);
    }
  }

  std::vector<impl::TensorView> views() {
    std::vector<impl::TensorView> all;
    for (size_t p = 0; p < tensors.size(); ++p)
      all.push_back({&tensors[p], is_known_[p] ? data_[p].data() : nullptr});
    return all;
  }

  std::vector<impl::LogicalTensor> tensors;

 private:
  std::vector<std::vector<unsigned char>> data_;
  std::vector<bool> is_known_;
};

// The inputs that an EyeVector describes, as s32 or s64.
inline std::vector<EyePort> ports_of(const EyeVector& v, int index_type) {
  std::vector<EyePort> ports;
  const int64_t values[] = {v.rows, v.columns, v.k};
  for (size_t p = 0; p < 3; ++p)
    ports.push_back(v.ranks[p] == 0 ? eye_scalar(values[p], index_type)
                                    : eye_list({values[p]}, index_type));
  if (v.batch) ports.push_back(eye_list(*v.batch, index_type));
  return ports;
}

// Infers the shape of `op` (one output, whose logical tensor may know more or less), runs its
// reference into a guarded buffer in both placements and compares each element and each gap.
inline testing::AssertionResult reference_gives(const impl::Op& op,
                                                const std::vector<impl::TensorView>& inputs,
                                                const std::vector<int64_t>& dims,
                                                const ExpectedElement& expected) {
  impl::ShapeContext shapes{&op, inputs, op.outputs};
  if (const auto status = impl::infer_shapes(shapes); !status.ok())
    return testing::AssertionFailure() << "infer_shapes: " << status.message();
  const impl::LogicalTensor& out = shapes.outputs.at(0);
  const std::vector<int64_t> inferred(out.dims.begin(), out.dims.begin() + out.rank);
  if (inferred != dims)
    return testing::AssertionFailure()
           << "inferred " << dims_text(inferred) << ", want " << dims_text(dims);
  TensorSpec spec;
  spec.data_type = static_cast<int>(out.type);
  spec.dims = dims;
  spec.strides.assign(out.strides.begin(), out.strides.begin() + out.rank);
  for (const Placement placement : kPlacements) {
    GuardedBuffer buffer(static_cast<size_t>(spec.span_bytes()), placement);
    const impl::RefContext ctx{&op, inputs, {{&out, buffer.data()}}};
    if (const auto status = impl::find_op(op.kind)->reference(ctx); !status.ok())
      return testing::AssertionFailure() << "reference: " << status.message();
    if (const auto right = holds(buffer.data(), spec, expected); !right) return right;
    const auto intact = buffer.gaps_intact(spec.dims, spec.strides, type_bytes(spec.data_type));
    if (!intact) return intact;
  }
  return testing::AssertionSuccess();
}

// One in the listed cells of every matrix, zero elsewhere.
inline ExpectedElement expect_cells(int data_type, const Cells& ones) {
  return [=](const std::vector<int64_t>& index) {
    const std::pair<int64_t, int64_t> cell(index[index.size() - 2], index[index.size() - 1]);
    const bool is_one = std::find(ones.begin(), ones.end(), cell) != ones.end();
    return is_one ? eye_element(data_type, 0, 0, 0) : uint64_t{0};
  };
}

}  // namespace iotadnn::test
