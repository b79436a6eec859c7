// SPDX-License-Identifier: Apache-2.0
// Engines, streams and process-wide settings (C99).
//
// Every function that returns a status answers a null pointer where one is required, a value
// outside an enum, or a count that does not fit with iotadnn_invalid_arguments, unless it says
// otherwise, and then iotadnn_get_last_error() has a sentence. Output arguments are written only on
// success. No function prints (except as IOTADNN_VERBOSE asks), aborts or throws.
#pragma once

#include "iotadnn/iotadnn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The sentence of the calling thread's last call that failed, "" when none has. Valid until the
// next failing call of the same thread. Successful calls leave it alone. Thread safe.
IOTADNN_API const char* iotadnn_get_last_error(void);

// Number of engines of a kind: 1 for iotadnn_cpu, 0 for all others. Thread safe.
IOTADNN_API size_t iotadnn_engine_get_count(iotadnn_engine_kind_t kind);

// An engine with the default allocator. `kind` must be iotadnn_cpu and `index` 0. invalid_arguments
// when IOTADNN_MAX_CPU_ISA holds an unknown name. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_engine_create(iotadnn_engine_t* engine,
                                                   iotadnn_engine_kind_t kind, size_t index);

// iotadnn_cpu. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_engine_get_kind(iotadnn_engine_t engine,
                                                     iotadnn_engine_kind_t* kind);

// Gives up the handle; null is accepted. Streams, tensors and compiled partitions made with the
// engine keep what they need of it. Once, when no other call uses this handle.
IOTADNN_API iotadnn_status_t iotadnn_engine_destroy(iotadnn_engine_t engine);

// A stream of `engine`. `flags`: iotadnn_stream_in_order or iotadnn_stream_out_of_order (both run
// synchronously, in order); with iotadnn_stream_profiling: unimplemented. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_stream_create(iotadnn_stream_t* stream,
                                                   iotadnn_engine_t engine, unsigned flags);

// The engine that the stream was made with; owned by whoever created it, valid while either lives.
// Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_stream_get_engine(const_iotadnn_stream_t stream,
                                                       iotadnn_engine_t* engine);

// Returns at once: executions are synchronous. Thread safe, as are executions that share a stream.
IOTADNN_API iotadnn_status_t iotadnn_stream_wait(iotadnn_stream_t stream);

// Null is accepted. Once, when no other call uses the stream.
IOTADNN_API iotadnn_status_t iotadnn_stream_destroy(iotadnn_stream_t stream);

// The mode that iotadnn_graph_graph_create() gives a graph: the last one set, else
// IOTADNN_DEFAULT_FPMATH_MODE (STRICT, BF16, F16, ANY, TF32), else strict. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_get_default_fpmath_mode(iotadnn_fpmath_mode_t* mode);
IOTADNN_API iotadnn_status_t iotadnn_set_default_fpmath_mode(iotadnn_fpmath_mode_t mode);

// 0 nothing, 1 a line per execution, 2 per compilation and execution. Wins over IOTADNN_VERBOSE.
// Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_set_verbose(int level);

// 1 when executions or compilations are logged, else 0. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_verbose_profiling_enabled(int* enabled);

// A constant. Thread safe.
IOTADNN_API const iotadnn_version_t* iotadnn_version(void);

// Caps what partitions compiled from now on run with; wins over IOTADNN_MAX_CPU_ISA; may be called
// at any time and again. Partitions that are compiled already keep what they have. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_t isa);

// The best that the cap and the machine allow. When IOTADNN_MAX_CPU_ISA holds an unknown name (no
// engine can be created then) it is the best of the machine. Thread safe.
IOTADNN_API iotadnn_cpu_isa_t iotadnn_get_effective_cpu_isa(void);

// The cap that a name stands for, case-insensitive: REFERENCE, PORTABLE, DEFAULT (which is
// iotadnn_cpu_isa_default), and oneDNN's names from SSE41 to AVX10_2_ACE, each mapped down to what
// this library has. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_cpu_isa_from_name(const char* name, iotadnn_cpu_isa_t* isa);

// Non-zero: every kernel's bytes into iotadnn_dump_cpu_<name>.<n>.bin in the current directory.
// Wins over IOTADNN_JIT_DUMP. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_set_jit_dump(int enable);

// 0 off, 2 perf map, 4 jitdump, 6 both; other bits are invalid_arguments. Wins over
// IOTADNN_JIT_PROFILE. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_set_jit_profiling_flags(unsigned flags);

// Forces the runtime's choices, for measuring: comma-separated walk=rows|ring|points,
// store=normal|nontemporal|rep, template=on|off, threads=N (1 to 1024); "" is automatic. Wins over
// IOTADNN_STRATEGY. A choice that is not legal for an output is ignored there. Results never depend
// on it. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_set_strategy(const char* text);

#ifdef __cplusplus
}
#endif
