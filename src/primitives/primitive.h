// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/data_type.h"
#include "base/shape.h"
#include "base/status.h"

// oneDNN's primitives behind types of our own: nothing of dnnl.hpp is seen outside of this folder,
// and none of its exceptions leaves it.
namespace iotadnn::impl {

struct PrimitiveTensor {
  DataType type = DataType::f32;
  int rank = 0;
  Dims dims{};
  Dims strides{};  // in elements
};

// The operands have the result's rank, at least 2, and extents in front of their matrices that are
// the result's or 1. So has the bias.
struct ProductTensors {
  PrimitiveTensor a;  // rows by inner
  PrimitiveTensor b;  // inner by columns
  std::optional<PrimitiveTensor> bias;
  PrimitiveTensor out;
};

// The softmax of one axis; rows with NaN or infinities give whatever oneDNN makes of them.
struct SoftMaxTensors {
  PrimitiveTensor in;
  PrimitiveTensor out;
  int axis = 0;
};

// Made for tensors and a number of threads. Immutable; thread safe on distinct outputs.
class Primitive {
 public:
  virtual ~Primitive() = default;

  // `inputs` in the order of the struct that it was made for. out_of_memory when there is none for
  // the scratchpad, which is of this call only.
  virtual Status run(const void* const* inputs, void* output) const = 0;
};

using PrimitivePtr = std::shared_ptr<const Primitive>;

// Why no primitive can be made of tensors of this type on this processor; "" where one can.
std::string primitive_refusal(DataType type);

// unimplemented, with oneDNN's words, for what it refuses. They run on as many threads as they are
// made for, whatever the caller's number is then.
Result<PrimitivePtr> make_product(const ProductTensors& tensors, int threads);
Result<PrimitivePtr> make_softmax(const SoftMaxTensors& tensors, int threads);

}  // namespace iotadnn::impl
