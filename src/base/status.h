// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace iotadnn::impl {

// Numbers are those of iotadnn_status_t (and of oneDNN), so that the API layer converts by a cast.
enum class StatusCode {
  success = 0,
  out_of_memory = 1,
  invalid_arguments = 2,
  unimplemented = 3,
  runtime_error = 5,
  invalid_graph = 7,
  invalid_graph_op = 8,
  invalid_shape = 9,
  invalid_data_type = 10,
};

// Success, or a code with one sentence that says which op, attribute or port, what was given and
// what is allowed.
class [[nodiscard]] Status {
 public:
  Status() = default;

  Status(StatusCode code, std::string message)
      : code_(code), message_(std::make_shared<const std::string>(std::move(message))) {}

  bool ok() const { return code_ == StatusCode::success; }

  StatusCode code() const { return code_; }

  // "" on success.
  const std::string& message() const {
    static const std::string none;
    return message_ ? *message_ : none;
  }

 private:
  StatusCode code_ = StatusCode::success;
  std::shared_ptr<const std::string> message_;  // null on success, which then costs nothing
};

inline Status invalid_arguments(std::string why) {
  return {StatusCode::invalid_arguments, std::move(why)};
}

inline Status invalid_graph(std::string why) {
  return {StatusCode::invalid_graph, std::move(why)};
}

inline Status invalid_graph_op(std::string why) {
  return {StatusCode::invalid_graph_op, std::move(why)};
}

inline Status invalid_shape(std::string why) {
  return {StatusCode::invalid_shape, std::move(why)};
}

inline Status invalid_data_type(std::string why) {
  return {StatusCode::invalid_data_type, std::move(why)};
}

inline Status unimplemented(std::string why) {
  return {StatusCode::unimplemented, std::move(why)};
}

inline Status runtime_error(std::string why) {
  return {StatusCode::runtime_error, std::move(why)};
}

inline Status out_of_memory(std::string why) {
  return {StatusCode::out_of_memory, std::move(why)};
}

// A value or the status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  Result(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }

  const Status& status() const { return status_; }

  T& operator*() { return *value_; }

  const T& operator*() const { return *value_; }

  T* operator->() { return &*value_; }

  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace iotadnn::impl

// Returns the status of `expr` from the enclosing function unless it is success.
#define IOTADNN_TRY(expr)                                                                      \
  do {                                                                                         \
    if (auto iotadnn_try_status = (expr); !iotadnn_try_status.ok()) return iotadnn_try_status; \
  } while (false)
