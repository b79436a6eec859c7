// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

namespace iotadnn::benchdnn {

// Bytes by which `work` raises the peak of the process's resident set above what is resident when
// it starts; nullopt where the system does not tell (Linux does: /proc/self/clear_refs and VmHWM).
// `prepare` runs before, and both run on a new thread: what earlier work left in allocators or in a
// thread's own variables is not there to be used without being counted. Everything counts that
// becomes resident: buffers, but also code that runs for the first time. The kernel's peak is
// not exact: it may be some ten pages of each processor too high. Rethrows what they throw.
std::optional<double> peak_raise(const std::function<void()>& prepare,
                                 const std::function<void()>& work);

}  // namespace iotadnn::benchdnn
