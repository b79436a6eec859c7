// SPDX-License-Identifier: Apache-2.0
// The graph API in C (C99): oneDNN Graph's functions with dnnl_ replaced by iotadnn_, in oneDNN's
// argument order. common.h has the conventions for errors.
//
// Thread safety, unless a function says otherwise: calls on distinct objects are safe from any
// threads, and so are calls on one object that only read it (a const handle). A graph or op is
// changed by one thread at a time. Handles are destroyed by their creator, once, when no call uses
// them; null is accepted by every destroy function but the allocator's.
#pragma once

#include "iotadnn/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Allocator and engine

// Callbacks that serve every buffer that the library allocates for a caller. When either is null,
// the default allocator (64-byte alignment) is used. The callbacks may be called from any thread.
IOTADNN_API iotadnn_status_t iotadnn_graph_allocator_create(
    iotadnn_graph_allocator_t* allocator, iotadnn_graph_host_allocate_f host_malloc,
    iotadnn_graph_host_deallocate_f host_free);

// Null is invalid_arguments. Engines have a copy of the callbacks.
IOTADNN_API iotadnn_status_t iotadnn_graph_allocator_destroy(iotadnn_graph_allocator_t allocator);

// iotadnn_engine_create() with an allocator; a null `alloc` is the default one.
IOTADNN_API iotadnn_status_t
iotadnn_graph_make_engine_with_allocator(iotadnn_engine_t* engine, iotadnn_engine_kind_t kind,
                                         size_t index, const_iotadnn_graph_allocator_t alloc);

// ---- Logical tensor

// A logical tensor of rank `ndims` (-1 unknown, 0 scalar, up to 12) whose dims and strides are
// unknown. A host scalar must have rank 0 and be s32, s64 or f32.
IOTADNN_API iotadnn_status_t iotadnn_graph_logical_tensor_init(
    iotadnn_graph_logical_tensor_t* logical_tensor, size_t tid, iotadnn_data_type_t dtype,
    int32_t ndims, iotadnn_graph_layout_type_t ltype, iotadnn_graph_tensor_property_t ptype);

// The same with `ndims` (0 to 12) extents, each non-negative or unknown; a strided layout with all
// extents known gets dense row-major strides. invalid_shape when those overflow 64 bits.
IOTADNN_API iotadnn_status_t iotadnn_graph_logical_tensor_init_with_dims(
    iotadnn_graph_logical_tensor_t* logical_tensor, size_t tid, iotadnn_data_type_t dtype,
    int32_t ndims, const iotadnn_dims_t dims, iotadnn_graph_layout_type_t ltype,
    iotadnn_graph_tensor_property_t ptype);

// The same with strides in elements, each non-negative or unknown; the layout is strided.
IOTADNN_API iotadnn_status_t iotadnn_graph_logical_tensor_init_with_strides(
    iotadnn_graph_logical_tensor_t* logical_tensor, size_t tid, iotadnn_data_type_t dtype,
    int32_t ndims, const iotadnn_dims_t dims, const iotadnn_dims_t strides,
    iotadnn_graph_tensor_property_t ptype);

// Bytes of a buffer for a strided logical tensor with all dims and strides known: the largest
// dims[d] * strides[d] (stride 1 where the extent is 1) times the element size, 0 when an extent is
// 0, one element for a scalar; 4-bit types round up to whole bytes. SIZE_MAX for the layouts any
// and undef. invalid_shape on overflow.
IOTADNN_API iotadnn_status_t iotadnn_graph_logical_tensor_get_mem_size(
    const iotadnn_graph_logical_tensor_t* logical_tensor, size_t* size);

// 1 when id, rank, dims, type, property and layout agree, else 0.
IOTADNN_API iotadnn_status_t
iotadnn_graph_logical_tensor_is_equal(const iotadnn_graph_logical_tensor_t* lt1,
                                      const iotadnn_graph_logical_tensor_t* lt2, uint8_t* is_equal);

// ---- Tensor

// A tensor over the caller's buffer `handle` (element (0, ..., 0)), over none yet
// (IOTADNN_MEMORY_NONE), or over one that the engine's allocator gives (IOTADNN_MEMORY_ALLOCATE,
// 64-byte aligned, freed with the tensor; out_of_memory when there is none). Not for host scalars.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_create(
    iotadnn_graph_tensor_t* tensor, const iotadnn_graph_logical_tensor_t* logical_tensor,
    iotadnn_engine_t engine, void* handle);

// A host scalar: copies the s32, s64 or f32 value that `handle` points to.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_create_scalar(
    iotadnn_graph_tensor_t* tensor, const iotadnn_graph_logical_tensor_t* logical_tensor,
    const void* handle);

// Frees the buffer when the library allocated it.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_destroy(iotadnn_graph_tensor_t tensor);

// The buffer; null for a host scalar.
IOTADNN_API iotadnn_status_t
iotadnn_graph_tensor_get_data_handle(const_iotadnn_graph_tensor_t tensor, void** handle);

// A buffer that the library allocated for the tensor is freed. invalid_arguments for a host scalar.
// Changes the tensor: by one thread at a time, and not while an execution or another call uses it.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_set_data_handle(iotadnn_graph_tensor_t tensor,
                                                                  void* handle);

// The engine that the tensor was made with; null for a host scalar.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_get_engine(const_iotadnn_graph_tensor_t tensor,
                                                             iotadnn_engine_t* engine);

// A copy of the tensor's metadata.
IOTADNN_API iotadnn_status_t iotadnn_graph_tensor_get_logical_tensor(
    const_iotadnn_graph_tensor_t tensor, iotadnn_graph_logical_tensor_t* logical_tensor);

// ---- Op

// An op without inputs, outputs and attributes. `verbose_name` may be empty (then "<Kind>_<id>")
// but not null. A number that no op kind has is invalid_arguments.
IOTADNN_API iotadnn_status_t iotadnn_graph_op_create(iotadnn_graph_op_t* op, size_t id,
                                                     iotadnn_graph_op_kind_t kind,
                                                     const char* verbose_name);

// Graphs and partitions have copies: the op may go once it is added.
IOTADNN_API iotadnn_status_t iotadnn_graph_op_destroy(iotadnn_graph_op_t op);

// Appends a copy of an input or output; the order is the port order. By one thread at a time.
IOTADNN_API iotadnn_status_t
iotadnn_graph_op_add_input(iotadnn_graph_op_t op, const iotadnn_graph_logical_tensor_t* input);
IOTADNN_API iotadnn_status_t
iotadnn_graph_op_add_output(iotadnn_graph_op_t op, const iotadnn_graph_logical_tensor_t* output);

// Sets an attribute to `value_len` elements that are copied; the attribute's number decides whether
// one value (value_len must be 1) or a list (any length, null allowed when it is 0) is kept.
// Setting again replaces. A string's value_len is its length and must not be 0. A number that no
// attribute has is invalid_arguments; whether the op allows the attribute, and a value of this
// type, is checked by iotadnn_graph_add_op(). By one thread at a time.
IOTADNN_API iotadnn_status_t iotadnn_graph_op_set_attr_f32(iotadnn_graph_op_t op,
                                                           iotadnn_graph_op_attr_t name,
                                                           const float* value, size_t value_len);
IOTADNN_API iotadnn_status_t iotadnn_graph_op_set_attr_bool(iotadnn_graph_op_t op,
                                                            iotadnn_graph_op_attr_t name,
                                                            const uint8_t* value, size_t value_len);
IOTADNN_API iotadnn_status_t iotadnn_graph_op_set_attr_s64(iotadnn_graph_op_t op,
                                                           iotadnn_graph_op_attr_t name,
                                                           const int64_t* value, size_t value_len);
IOTADNN_API iotadnn_status_t iotadnn_graph_op_set_attr_str(iotadnn_graph_op_t op,
                                                           iotadnn_graph_op_attr_t name,
                                                           const char* value, size_t value_len);

// What iotadnn_graph_op_create() was given.
IOTADNN_API iotadnn_status_t iotadnn_graph_op_get_id(const_iotadnn_graph_op_t op, size_t* id);
IOTADNN_API iotadnn_status_t iotadnn_graph_op_get_kind(const_iotadnn_graph_op_t op,
                                                       iotadnn_graph_op_kind_t* kind);

// ---- Partition

// The partition of one op, without a graph; unsupported for an op that is not ours.
// invalid_graph_op as iotadnn_graph_add_op().
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_create_with_op(
    iotadnn_graph_partition_t* partition, const_iotadnn_graph_op_t op, iotadnn_engine_kind_t ekind);

// Compiled partitions keep what they need of it.
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_destroy(iotadnn_graph_partition_t partition);

// The number of ops, 1 or more.
IOTADNN_API iotadnn_status_t
iotadnn_graph_partition_get_op_num(const_iotadnn_graph_partition_t partition, size_t* num);

// `num` ids in topological order; `num` must be what get_op_num() says. The same holds for the
// ports.
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_get_ops(iotadnn_graph_partition_t partition,
                                                             size_t num, size_t* ids);

// Unique in the process; graphs and partitions share one counter.
IOTADNN_API iotadnn_status_t
iotadnn_graph_partition_get_id(const_iotadnn_graph_partition_t partition, size_t* id);

// Compiles a supported partition for these logical tensors, matched to the ports by id, in any
// order, with or without repeats for ports that repeat; their order becomes the order of the
// tensors at execute. A null array is legal when its count is 0. Dims may be unknown (the rank of
// inputs must be known): then one compilation serves every size, filled in by the tensors at
// execute. An output's rank and dims may be unknown; known ones must agree with the inferred ones
// (invalid_shape); unknown strides of strided outputs become dense. invalid_arguments: unsupported
// partition, missing port, attribute out of range, engine of another kind. The partition is only
// read: several threads may compile it at once, each into a shell of its own; two that compile into
// one shell, or compile into it while it is executed, race.
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_compile(
    iotadnn_graph_partition_t partition, iotadnn_graph_compiled_partition_t compiled_partition,
    size_t in_num, const iotadnn_graph_logical_tensor_t** inputs, size_t out_num,
    const iotadnn_graph_logical_tensor_t** outputs, iotadnn_engine_t engine);

// Input ports: every edge from outside, by op and port order; an edge that feeds several ports
// appears several times. Output ports: values that are used outside, or nowhere, or by an End op.
// As the graph has them: dims may be unknown.
IOTADNN_API iotadnn_status_t
iotadnn_graph_partition_get_input_ports_num(const_iotadnn_graph_partition_t partition, size_t* num);
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_get_input_ports(
    const_iotadnn_graph_partition_t partition, size_t num, iotadnn_graph_logical_tensor_t* inputs);
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_get_output_ports_num(
    const_iotadnn_graph_partition_t partition, size_t* num);
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_get_output_ports(
    const_iotadnn_graph_partition_t partition, size_t num, iotadnn_graph_logical_tensor_t* outputs);

// 1 when the partition can be compiled, else 0 (then get_reason() says why).
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_is_supported(
    const_iotadnn_graph_partition_t partition, uint8_t* is_supported);

// The engine kind of the graph or, without a graph, of create_with_op().
IOTADNN_API iotadnn_status_t iotadnn_graph_partition_get_engine_kind(
    const_iotadnn_graph_partition_t partition, iotadnn_engine_kind_t* kind);

// Why the partition is unsupported, in one sentence; "" when it is supported. Owned by the
// partition.
IOTADNN_API iotadnn_status_t
iotadnn_graph_partition_get_reason(const_iotadnn_graph_partition_t partition, const char** reason);

// ---- Compiled partition

// A shell that iotadnn_graph_partition_compile() fills; until then every use of it but destroy is
// invalid_arguments.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_create(
    iotadnn_graph_compiled_partition_t* compiled_partition, iotadnn_graph_partition_t partition);

// Runs synchronously. The tensors stand in the order of the logical tensors at compile, host
// scalars in their slots; a null array is legal when its count is 0. Their own logical tensors fill
// what was unknown at compile; what was known must agree (invalid_shape). A null buffer is legal
// for an input that the op never reads and for an empty output. Outputs must not overlap inputs
// (except in-place pairs). invalid_arguments: wrong counts, a null tensor or a missing buffer, a
// stream of another engine than the one at compile. One compiled partition may be executed from
// many threads at once, into distinct outputs.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_execute(
    const_iotadnn_graph_compiled_partition_t compiled_partition, iotadnn_stream_t stream,
    size_t num_inputs, const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    const_iotadnn_graph_tensor_t* outputs);

// The same with a scratchpad of the caller's (null: the library's own), at least as large as
// get_scratchpad_logical_tensor() says, not shared by executions that run at once.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_execute_v2(
    const_iotadnn_graph_compiled_partition_t compiled_partition, iotadnn_stream_t stream,
    size_t num_inputs, const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    const_iotadnn_graph_tensor_t* outputs, const_iotadnn_graph_tensor_t scratchpad);

// The code that it shares with others stays as long as one of them or the cache holds it.
IOTADNN_API iotadnn_status_t
iotadnn_graph_compiled_partition_destroy(iotadnn_graph_compiled_partition_t compiled_partition);

// The logical tensor of an input or output as compiled (shapes and strides inferred as far as
// known). An id that is no port is invalid_arguments.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_query_logical_tensor(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t tid,
    iotadnn_graph_logical_tensor_t* lt);

// Pairs of an input and an output that may share a buffer; the array lives as long as the handle.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_get_inplace_ports(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* num_inplace_pairs,
    const iotadnn_graph_inplace_pair_t** inplace_pairs);

// A u8 logical tensor of rank 1, id SIZE_MAX, whose extent is the bytes needed (0: none).
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_get_scratchpad_logical_tensor(
    const_iotadnn_graph_compiled_partition_t compiled_partition,
    iotadnn_graph_logical_tensor_t* lt);

// The outputs' logical tensors (compile order, `num_outputs` of them) that these inputs lead to:
// what to allocate when shapes were unknown at compile. Reads the data of inputs that a shape
// depends on (Eye's sizes). Errors as execute.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_infer_shapes(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t num_inputs,
    const const_iotadnn_graph_tensor_t* inputs, size_t num_outputs,
    iotadnn_graph_logical_tensor_t* outputs);

// What will run: "jit:avx512_core", "jit:avx2", "portable" or "reference". Owned by the handle.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_get_impl(
    const_iotadnn_graph_compiled_partition_t compiled_partition, const char** impl);

// For people: the row programs in their text form, each under comments (lines that start with '#')
// that say when and how it runs; one comment where there is no program. With `text` null, *size
// becomes the bytes needed, the zero at the end included; otherwise it says how many `text` has,
// and becomes how many were written. invalid_arguments: too few, and *size becomes what is needed.
// Made when called; thread safe.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_get_program_text(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* size, char* text);

// The machine code that runs, in the same way: with `kernels` null, *num becomes their number;
// otherwise it says for how many there is room. 0 for "portable" and "reference", for empty
// outputs, and where kernels are chosen per execution because shapes come with the tensors. Names
// and code are owned by the handle. Thread safe.
IOTADNN_API iotadnn_status_t iotadnn_graph_compiled_partition_get_kernels(
    const_iotadnn_graph_compiled_partition_t compiled_partition, size_t* num,
    iotadnn_graph_kernel_t* kernels);

// ---- Graph

// An empty graph for iotadnn_cpu, with the default or a given floating-point math mode.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_create(iotadnn_graph_graph_t* graph,
                                                        iotadnn_engine_kind_t engine_kind);
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_create_with_fpmath_mode(
    iotadnn_graph_graph_t* graph, iotadnn_engine_kind_t engine_kind, iotadnn_fpmath_mode_t mode);

// Partitions made from the graph live on.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_destroy(iotadnn_graph_graph_t graph);

// invalid_graph once finalized.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_set_fpmath_mode(iotadnn_graph_graph_t graph,
                                                                 iotadnn_fpmath_mode_t mode,
                                                                 int apply_to_int);

// Either output may be null. Works before and after finalize.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_get_fpmath_mode(iotadnn_graph_graph_t graph,
                                                                 iotadnn_fpmath_mode_t* mode,
                                                                 int* apply_to_int);

// What fused ops may do to results; iotadnn_graph_math_mode_default in a new graph. invalid_graph
// once finalized.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_set_math_mode(iotadnn_graph_graph_t graph,
                                                               iotadnn_graph_math_mode_t mode);
// Works before and after finalize.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_get_math_mode(const_iotadnn_graph_graph_t graph,
                                                               iotadnn_graph_math_mode_t* mode);

// Adds a copy of the op. invalid_graph once finalized. invalid_graph_op: an op with this id is
// there already, or the op breaks its schema: numbers and types of inputs and outputs, attributes
// that are missing, unknown or of another type, ranks and values out of range as far as they are
// known.
IOTADNN_API iotadnn_status_t iotadnn_graph_add_op(iotadnn_graph_graph_t graph,
                                                  iotadnn_graph_op_t op);

// Ends building; a second call does nothing. invalid_graph: one id with two different logical
// tensors or two producers, or a cycle.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_finalize(iotadnn_graph_graph_t graph);

// 1 once iotadnn_graph_graph_finalize() has succeeded, else 0.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_is_finalized(iotadnn_graph_graph_t graph,
                                                              uint8_t* finalized);

// Partitions the graph; again with another policy replaces the graph's list (handles that were
// handed out stay valid). Changes the graph: by one thread at a time, with no other call that uses
// it. invalid_graph: null or not finalized.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_filter(iotadnn_graph_graph_t graph,
                                                        iotadnn_graph_partition_policy_t policy);

// 0 before the first filter. invalid_graph: null graph.
IOTADNN_API iotadnn_status_t
iotadnn_graph_graph_get_partition_num(const_iotadnn_graph_graph_t graph, size_t* num);

// All partitions in topological order, each a handle of the caller's; `num` must be their number.
// invalid_graph: null graph or num 0.
IOTADNN_API iotadnn_status_t iotadnn_graph_graph_get_partitions(
    iotadnn_graph_graph_t graph, size_t num, iotadnn_graph_partition_t* partitions);

// ---- Process-wide settings, all thread safe

// Number of compiled partitions that the cache keeps (least recently used go first): default 1024
// or IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY; 0 empties and disables it; negative:
// invalid_arguments.
IOTADNN_API iotadnn_status_t iotadnn_graph_get_compiled_partition_cache_capacity(int* capacity);
IOTADNN_API iotadnn_status_t iotadnn_graph_set_compiled_partition_cache_capacity(int capacity);

// The constant tensor cache as oneDNN has it: the settings are kept and answered, but nothing that
// this library computes has a constant input worth keeping. Negative flags and engine kinds other
// than cpu and gpu: invalid_arguments. Capacity in MB; default 0 (off); the flag is on when the
// capacity of the CPU is not 0.
IOTADNN_API iotadnn_status_t iotadnn_graph_set_constant_tensor_cache(int flag);
IOTADNN_API iotadnn_status_t iotadnn_graph_get_constant_tensor_cache(int* flag);
IOTADNN_API iotadnn_status_t
iotadnn_graph_set_constant_tensor_cache_capacity(iotadnn_engine_kind_t eng_kind, size_t size);
IOTADNN_API iotadnn_status_t
iotadnn_graph_get_constant_tensor_cache_capacity(iotadnn_engine_kind_t eng_kind, size_t* size);

// Which JSON files are written into the current directory, a mask of iotadnn_graph_dump_mode_t:
// graph-<graph id>.json at filter and graph-<graph id>-partitioning.json at get_partitions (graph),
// graph-<partition id>-<hash>.json at compile (subgraph). Wins over IOTADNN_GRAPH_DUMP. A file that
// cannot be written is not an error. Other bits: invalid_arguments.
IOTADNN_API iotadnn_status_t iotadnn_graph_set_dump_mode(iotadnn_graph_dump_mode_t mode);

#ifdef __cplusplus
}
#endif
