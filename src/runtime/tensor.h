// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// Metadata and a buffer of the caller's, or the copied value of a host scalar.
struct Tensor {
  LogicalTensor lt;
  void* data = nullptr;  // element (0, ..., 0); for a host scalar null: the value is in `scalar`
  alignas(8) unsigned char scalar[8] = {};

  void* address() { return lt.property == Property::host_scalar ? scalar : data; }

  const void* address() const { return lt.property == Property::host_scalar ? scalar : data; }
};

}  // namespace iotadnn::impl
