// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

namespace iotadnn::benchdnn {

// Bytes by which `work` raises the peak of the process's resident set above what is resident when
// it starts, memory that allocators kept from earlier given back first; nullopt where the system
// does not tell (Linux does: /proc/self/clear_refs and VmHWM). Everything counts that becomes
// resident: buffers, but also code that runs for the first time. The kernel counts pages in
// batches, so that some ten KiB a thread are noise.
std::optional<double> peak_raise(const std::function<void()>& work);

}  // namespace iotadnn::benchdnn
