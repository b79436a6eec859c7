// SPDX-License-Identifier: Apache-2.0
// One program per target; IOTADNN_FUZZ_TARGET is its name.
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const iotadnn::fuzz::Target& target = *iotadnn::fuzz::find_target(IOTADNN_FUZZ_TARGET);
  (void)target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
