// SPDX-License-Identifier: Apache-2.0
#include "primitives/primitive.h"

// Of a build without oneDNN, or with a threading runtime that is not oneDNN's.
namespace iotadnn::impl {

std::string primitive_refusal(DataType) {
  return "this library was built without oneDNN's primitives";
}

Result<PrimitivePtr> make_product(const ProductTensors& tensors, int) {
  return unimplemented(primitive_refusal(tensors.out.type));
}

Result<PrimitivePtr> make_softmax(const SoftMaxTensors& tensors, int) {
  return unimplemented(primitive_refusal(tensors.out.type));
}

}  // namespace iotadnn::impl
