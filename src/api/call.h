// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <string>

#include "iotadnn/iotadnn_types.h"

#include "base/status.h"

namespace iotadnn::impl {

// The calling thread's last error, in a buffer of fixed size: even out-of-memory has its sentence.
void set_last_error(const char* text) noexcept;
const char* last_error() noexcept;

// Status to C: remembers the sentence of a failure.
inline iotadnn_status_t report(const Status& status) noexcept {
  if (!status.ok()) set_last_error(status.message().c_str());
  return static_cast<iotadnn_status_t>(status.code());
}

// The barrier at every C entry point: runs `body` (which returns a Status) and turns what it throws
// into a status.
template <class Body>
iotadnn_status_t guarded(const Body& body) noexcept {
  try {
    return report(body());
  } catch (const std::bad_alloc&) {
    set_last_error("out of memory");
    return iotadnn_out_of_memory;
  } catch (const std::exception& e) {
    set_last_error(e.what());
    return iotadnn_runtime_error;
  } catch (...) {
    set_last_error("an exception of unknown type was thrown");
    return iotadnn_runtime_error;
  }
}

inline Status null_argument(const char* name) {
  return invalid_arguments(std::string("argument ") + name + " is null");
}

}  // namespace iotadnn::impl

// Returns invalid_arguments from the enclosing function when the pointer argument is null.
#define IOTADNN_REQUIRE(argument)                               \
  do {                                                          \
    if ((argument) == nullptr) return null_argument(#argument); \
  } while (false)
