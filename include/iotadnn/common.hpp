// SPDX-License-Identifier: Apache-2.0
// Errors, handles, engines, streams and settings in C++17 over common.h; header only. Names and
// semantics are those of oneDNN's namespace dnnl. Every failing call throws iotadnn::error.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "iotadnn/common.h"

namespace iotadnn {

// What a status other than success becomes. The message is "<what failed>: <the library's
// sentence>".
struct error : public std::exception {
  iotadnn_status_t status;
  const char* message;  // lives as long as any copy of the error

  error(iotadnn_status_t code, const std::string& text)
      : status(code), message(nullptr), text_(std::make_shared<const std::string>(text)) {
    message = text_->c_str();
  }

  [[nodiscard]] const char* what() const noexcept override { return message; }

  // Throws when `code` is not success; the sentence of the failed call is appended.
  static void wrap_c_api(iotadnn_status_t code, const char* text) {
    if (code != iotadnn_success) fail(code, text);
  }

 private:
  [[noreturn]] static void fail(iotadnn_status_t code, const std::string& text) {
    const std::string sentence = iotadnn_get_last_error();
    throw error(code, sentence.empty() ? text : text + ": " + sentence);
  }

  std::shared_ptr<const std::string> text_;
};

// The destroy function of a C handle type.
template <typename T>
struct handle_traits {};

template <>
struct handle_traits<iotadnn_engine_t> {
  static iotadnn_status_t destructor(iotadnn_engine_t p) { return iotadnn_engine_destroy(p); }
};

template <>
struct handle_traits<iotadnn_stream_t> {
  static iotadnn_status_t destructor(iotadnn_stream_t p) { return iotadnn_stream_destroy(p); }
};

// Shared ownership of a C handle: copies are the same object, the last one destroys it. An empty
// handle converts to false; get() of it throws invalid_arguments, as in oneDNN.
template <typename T, typename Traits = handle_traits<T>>
class handle {
 public:
  handle() = default;

  // `weak`: a reference that does not own.
  explicit handle(T t, bool weak = false) { reset(t, weak); }

  void reset(T t, bool weak = false) { data_.reset(t, weak ? &ignore : Traits::destructor); }

  [[nodiscard]] T get(bool allow_empty = false) const {
    T result = data_.get();
    if (result == nullptr && !allow_empty)
      throw error(iotadnn_invalid_arguments, "object is not initialized");
    return result;
  }

  explicit operator T() const { return get(true); }

  explicit operator bool() const { return get(true) != nullptr; }

  bool operator==(const handle& other) const { return other.data_.get() == data_.get(); }

  bool operator!=(const handle& other) const { return !(*this == other); }

 private:
  static iotadnn_status_t ignore(T) { return iotadnn_success; }

  std::shared_ptr<std::remove_pointer_t<T>> data_;
};

enum class status {
  success = iotadnn_success,
  out_of_memory = iotadnn_out_of_memory,
  invalid_arguments = iotadnn_invalid_arguments,
  unimplemented = iotadnn_unimplemented,
  last_impl_reached = iotadnn_last_impl_reached,
  runtime_error = iotadnn_runtime_error,
  not_required = iotadnn_not_required,
  invalid_graph = iotadnn_invalid_graph,
  invalid_graph_op = iotadnn_invalid_graph_op,
  invalid_shape = iotadnn_invalid_shape,
  invalid_data_type = iotadnn_invalid_data_type,
};

enum class fpmath_mode {
  strict = iotadnn_fpmath_mode_strict,
  bf16 = iotadnn_fpmath_mode_bf16,
  f16 = iotadnn_fpmath_mode_f16,
  any = iotadnn_fpmath_mode_any,
  tf32 = iotadnn_fpmath_mode_tf32,
};

inline iotadnn_fpmath_mode_t convert_to_c(fpmath_mode mode) {
  return static_cast<iotadnn_fpmath_mode_t>(mode);
}

enum class accumulation_mode {
  strict = iotadnn_accumulation_mode_strict,
  relaxed = iotadnn_accumulation_mode_relaxed,
  any = iotadnn_accumulation_mode_any,
  s32 = iotadnn_accumulation_mode_s32,
  f32 = iotadnn_accumulation_mode_f32,
  f16 = iotadnn_accumulation_mode_f16,
};

inline iotadnn_accumulation_mode_t convert_to_c(accumulation_mode mode) {
  return static_cast<iotadnn_accumulation_mode_t>(mode);
}

// An engine; only kind::cpu with index 0 exists. Throws when IOTADNN_MAX_CPU_ISA is unknown.
struct engine : public handle<iotadnn_engine_t> {
  enum class kind {
    any = iotadnn_any_engine,
    cpu = iotadnn_cpu,
    gpu = iotadnn_gpu,
  };

  using handle::handle;

  engine() = default;

  engine(kind akind, size_t index) {
    iotadnn_engine_t c_engine = nullptr;
    error::wrap_c_api(iotadnn_engine_create(&c_engine, convert_to_c(akind), index),
                      "could not create an engine");
    reset(c_engine);
  }

  static size_t get_count(kind akind) { return iotadnn_engine_get_count(convert_to_c(akind)); }

  [[nodiscard]] kind get_kind() const {
    iotadnn_engine_kind_t c_kind = iotadnn_any_engine;
    error::wrap_c_api(iotadnn_engine_get_kind(get(), &c_kind), "could not get kind of an engine");
    return static_cast<kind>(c_kind);
  }

  static iotadnn_engine_kind_t convert_to_c(kind akind) {
    return static_cast<iotadnn_engine_kind_t>(akind);
  }
};

inline iotadnn_engine_kind_t convert_to_c(engine::kind akind) {
  return engine::convert_to_c(akind);
}

// A stream of an engine; executions are synchronous and in order.
struct stream : public handle<iotadnn_stream_t> {
  using handle::handle;

  enum class flags : unsigned {
    in_order = iotadnn_stream_in_order,
    out_of_order = iotadnn_stream_out_of_order,
    default_flags = iotadnn_stream_default_flags,
    profiling = iotadnn_stream_profiling,
  };

  stream() = default;

  stream(const engine& aengine, flags aflags = flags::default_flags) {  // NOLINT: as in oneDNN
    iotadnn_stream_t c_stream = nullptr;
    error::wrap_c_api(
        iotadnn_stream_create(&c_stream, aengine.get(), static_cast<unsigned>(aflags)),
        "could not create a stream");
    reset(c_stream);
  }

  // A reference to the engine, which must outlive it or the stream.
  [[nodiscard]] engine get_engine() const {
    iotadnn_engine_t c_engine = nullptr;
    error::wrap_c_api(iotadnn_stream_get_engine(get(), &c_engine),
                      "could not get an engine from a stream object");
    return engine(c_engine, true);
  }

  stream& wait() {
    error::wrap_c_api(iotadnn_stream_wait(get()), "could not wait on a stream");
    return *this;
  }
};

inline stream::flags operator|(stream::flags a, stream::flags b) {
  return static_cast<stream::flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

inline stream::flags operator&(stream::flags a, stream::flags b) {
  return static_cast<stream::flags>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

inline stream::flags operator^(stream::flags a, stream::flags b) {
  return static_cast<stream::flags>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b));
}

inline stream::flags operator~(stream::flags a) {
  return static_cast<stream::flags>(~static_cast<unsigned>(a));
}

inline stream::flags& operator|=(stream::flags& a, stream::flags b) {
  return a = a | b;
}

inline stream::flags& operator&=(stream::flags& a, stream::flags b) {
  return a = a & b;
}

inline stream::flags& operator^=(stream::flags& a, stream::flags b) {
  return a = a ^ b;
}

// Settings: see the C function of the same name in common.h. Those that return a status do not
// throw, as in oneDNN.

inline fpmath_mode get_default_fpmath_mode() {
  iotadnn_fpmath_mode_t mode = iotadnn_fpmath_mode_strict;
  error::wrap_c_api(iotadnn_get_default_fpmath_mode(&mode), "could not get a default fpmath mode");
  return static_cast<fpmath_mode>(mode);
}

inline status set_default_fpmath_mode(fpmath_mode mode) {
  return static_cast<status>(iotadnn_set_default_fpmath_mode(convert_to_c(mode)));
}

inline status set_verbose(int level) {
  return static_cast<status>(iotadnn_set_verbose(level));
}

inline bool verbose_profiling_enabled() {
  int enabled = 0;
  error::wrap_c_api(iotadnn_verbose_profiling_enabled(&enabled), "could not get the verbose mode");
  return enabled != 0;
}

using version_t = iotadnn_version_t;

inline const version_t* version() {
  return iotadnn_version();
}

enum class cpu_isa {
  isa_default = iotadnn_cpu_isa_default,
  reference = iotadnn_cpu_isa_reference,
  portable = iotadnn_cpu_isa_portable,
  avx2 = iotadnn_cpu_isa_avx2,
  avx512_core = iotadnn_cpu_isa_avx512_core,
  avx512_core_bf16 = iotadnn_cpu_isa_avx512_core_bf16,
};

inline status set_max_cpu_isa(cpu_isa isa) {
  return static_cast<status>(iotadnn_set_max_cpu_isa(static_cast<iotadnn_cpu_isa_t>(isa)));
}

inline cpu_isa get_effective_cpu_isa() {
  return static_cast<cpu_isa>(iotadnn_get_effective_cpu_isa());
}

inline cpu_isa cpu_isa_from_name(const std::string& name) {
  iotadnn_cpu_isa_t isa = iotadnn_cpu_isa_default;
  error::wrap_c_api(iotadnn_cpu_isa_from_name(name.c_str(), &isa),
                    "could not find the instruction set");
  return static_cast<cpu_isa>(isa);
}

inline status set_jit_dump(int enable) {
  return static_cast<status>(iotadnn_set_jit_dump(enable));
}

inline status set_jit_profiling_flags(unsigned flags) {
  return static_cast<status>(iotadnn_set_jit_profiling_flags(flags));
}

inline status set_strategy(const std::string& text) {
  return static_cast<status>(iotadnn_set_strategy(text.c_str()));
}

}  // namespace iotadnn
