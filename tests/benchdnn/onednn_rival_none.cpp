// SPDX-License-Identifier: Apache-2.0
// In the place of onednn_rival.cpp where there is no oneDNN.
#include "benchdnn/onednn_rival.h"

namespace iotadnn::benchdnn {

bool has_onednn() {
  return false;
}

OneDnnRival onednn_rival(const PlainAttention& /*attention*/) {
  return {nullptr, nullptr, "this build has no oneDNN"};
}

}  // namespace iotadnn::benchdnn
