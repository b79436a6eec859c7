// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "benchdnn/settings.h"

namespace iotadnn::benchdnn {

// Sets what the library takes process-wide: ISA cap, strategy, threads. "" when the machine can do
// as asked, else the reason to skip the case. UsageError for a strategy that the library does not
// know.
std::string apply_process_settings(const GlobalSettings& global);

// What the cap and the machine allow now, as --isa spells it.
std::string isa_in_force();

// Threads that the library may use now.
int64_t thread_count();

}  // namespace iotadnn::benchdnn
