// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "benchdnn/plain_attention.h"

namespace iotadnn::benchdnn {

// Whether this build has oneDNN's primitives (CMake: IOTADNN_WITH_ONEDNN).
bool has_onednn();

// Attention by oneDNN's primitives, one after another: the first product with the scale as an
// attribute, softmax, the second product; with the types of the graph and as many threads as there
// are when it is made. All buffers are allocated then.
struct OneDnnRival {
  std::function<void()> run;  // empty when it cannot be
  std::shared_ptr<TensorMemory> output;
  std::string reason;  // why it cannot
};

OneDnnRival onednn_rival(const PlainAttention& attention);

}  // namespace iotadnn::benchdnn
