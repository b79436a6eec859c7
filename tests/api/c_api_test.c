/* SPDX-License-Identifier: Apache-2.0 */
/* The C API as a C99 program uses it: a graph with the three ops, from logical tensors to results.
 */
#include <stdio.h>
#include <string.h>

#include "iotadnn/debug.h"
#include "iotadnn/graph.h"

static int g_failures = 0;

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      printf("%s:%d: %s failed; last error: %s\n", __FILE__, __LINE__, #condition, \
             iotadnn_get_last_error());                                            \
      ++g_failures;                                                                \
    }                                                                              \
  } while (0)

#define OK(call) CHECK((call) == iotadnn_success)

typedef iotadnn_graph_logical_tensor_t lt_t;

static lt_t matrix(size_t id, iotadnn_data_type_t type) {
  lt_t lt;
  const iotadnn_dims_t dims = {3, 4};
  OK(iotadnn_graph_logical_tensor_init_with_dims(&lt, id, type, 2, dims,
                                                 iotadnn_graph_layout_type_strided,
                                                 iotadnn_graph_tensor_property_undef));
  return lt;
}

static lt_t scalar(size_t id) {
  lt_t lt;
  OK(iotadnn_graph_logical_tensor_init(&lt, id, iotadnn_s64, 0, iotadnn_graph_layout_type_strided,
                                       iotadnn_graph_tensor_property_host_scalar));
  return lt;
}

static void add(iotadnn_graph_graph_t graph, iotadnn_graph_op_t op, const lt_t* inputs, size_t num,
                const lt_t* output) {
  size_t i;
  for (i = 0; i < num; ++i)
    OK(iotadnn_graph_op_add_input(op, &inputs[i]));
  OK(iotadnn_graph_op_add_output(op, output));
  OK(iotadnn_graph_add_op(graph, op));
  OK(iotadnn_graph_op_destroy(op));
}

/* x -> GenIndex(axis 1) -> index; x -> EyeLike(k 1) -> like; (rows, cols, k) -> Eye -> eye */
static iotadnn_graph_graph_t build(void) {
  iotadnn_graph_graph_t graph;
  iotadnn_graph_op_t op;
  const int64_t one = 1;
  const lt_t x = matrix(0, iotadnn_f32);
  const lt_t index = matrix(1, iotadnn_s32);
  const lt_t like = matrix(2, iotadnn_u8);
  const lt_t eye = matrix(3, iotadnn_f64);
  lt_t scalars[3];
  scalars[0] = scalar(4);
  scalars[1] = scalar(5);
  scalars[2] = scalar(6);
  OK(iotadnn_graph_graph_create(&graph, iotadnn_cpu));
  OK(iotadnn_graph_op_create(&op, 10, iotadnn_graph_op_gen_index, "index"));
  OK(iotadnn_graph_op_set_attr_s64(op, iotadnn_graph_op_attr_axis, &one, 1));
  add(graph, op, &x, 1, &index);
  OK(iotadnn_graph_op_create(&op, 11, iotadnn_graph_op_eye_like, ""));
  OK(iotadnn_graph_op_set_attr_s64(op, iotadnn_graph_op_attr_k, &one, 1));
  add(graph, op, &x, 1, &like);
  OK(iotadnn_graph_op_create(&op, 12, iotadnn_graph_op_eye, "eye"));
  add(graph, op, scalars, 3, &eye);
  OK(iotadnn_graph_graph_finalize(graph));
  return graph;
}

static double value_of(const void* data, iotadnn_data_type_t type, int i) {
  switch (type) {
    case iotadnn_s32:
      return ((const int*)data)[i];
    case iotadnn_u8:
      return ((const unsigned char*)data)[i];
    default:
      return ((const double*)data)[i];
  }
}

static iotadnn_graph_tensor_t input_tensor(const lt_t* lt, iotadnn_engine_t engine) {
  iotadnn_graph_tensor_t tensor = NULL;
  const int64_t value = lt->id == 4 ? 3 : lt->id == 5 ? 4 : -1; /* rows, columns, k */
  if (lt->property == iotadnn_graph_tensor_property_host_scalar)
    OK(iotadnn_graph_tensor_create_scalar(&tensor, lt, &value));
  else
    OK(iotadnn_graph_tensor_create(&tensor, lt, engine, IOTADNN_MEMORY_NONE));
  return tensor;
}

static void check_values(const lt_t* lt, const void* data) {
  int i;
  for (i = 0; i < 12; ++i) {
    const int row = i / 4;
    const int col = i % 4;
    double expected = col;                      /* GenIndex */
    if (lt->id == 2) expected = col == row + 1; /* EyeLike, k = 1 */
    if (lt->id == 3) expected = col == row - 1; /* Eye, k = -1 */
    CHECK(value_of(data, lt->data_type, i) == expected);
  }
}

static void run(iotadnn_graph_partition_t partition, iotadnn_engine_t engine,
                iotadnn_stream_t stream) {
  lt_t inputs[3];
  lt_t output;
  const lt_t* input_list[3];
  const lt_t* output_list[1];
  const_iotadnn_graph_tensor_t input_tensors[3];
  iotadnn_graph_tensor_t owned[3];
  iotadnn_graph_tensor_t result;
  const_iotadnn_graph_tensor_t results[1];
  iotadnn_graph_compiled_partition_t compiled;
  const char* impl = NULL;
  const char* reason = NULL;
  size_t text_size = 0;
  size_t num_kernels = 0;
  uint8_t supported = 0;
  size_t num = 0;
  size_t i;
  void* data = NULL;
  OK(iotadnn_graph_partition_is_supported(partition, &supported));
  OK(iotadnn_graph_partition_get_reason(partition, &reason));
  CHECK(supported == 1 && strcmp(reason, "") == 0);
  OK(iotadnn_graph_partition_get_input_ports_num(partition, &num));
  CHECK(num == 1 || num == 3);
  OK(iotadnn_graph_partition_get_input_ports(partition, num, inputs));
  OK(iotadnn_graph_partition_get_output_ports(partition, 1, &output));
  for (i = 0; i < num; ++i) {
    input_list[i] = &inputs[i];
    owned[i] = input_tensor(&inputs[i], engine);
    input_tensors[i] = owned[i];
  }
  output_list[0] = &output;
  OK(iotadnn_graph_compiled_partition_create(&compiled, partition));
  OK(iotadnn_graph_partition_compile(partition, compiled, num, input_list, 1, output_list, engine));
  OK(iotadnn_graph_compiled_partition_get_impl(compiled, &impl));
  CHECK(impl != NULL && strlen(impl) > 0);
  OK(iotadnn_graph_compiled_partition_get_program_text(compiled, &text_size, NULL));
  CHECK(text_size > 1);
  OK(iotadnn_graph_compiled_partition_get_kernels(compiled, &num_kernels, NULL));
  CHECK(num_kernels == 0 || strncmp(impl, "jit:", 4) == 0);
  OK(iotadnn_graph_tensor_create(&result, &output, engine, IOTADNN_MEMORY_ALLOCATE));
  results[0] = result;
  OK(iotadnn_graph_compiled_partition_execute(compiled, stream, num, input_tensors, 1, results));
  OK(iotadnn_stream_wait(stream));
  OK(iotadnn_graph_tensor_get_data_handle(result, &data));
  check_values(&output, data);
  OK(iotadnn_graph_tensor_destroy(result));
  for (i = 0; i < num; ++i)
    OK(iotadnn_graph_tensor_destroy(owned[i]));
  OK(iotadnn_graph_compiled_partition_destroy(compiled));
}

int main(void) {
  iotadnn_graph_graph_t graph = build();
  iotadnn_graph_partition_t partitions[3];
  iotadnn_engine_t engine;
  iotadnn_stream_t stream;
  size_t num = 0;
  size_t i;
  CHECK(strcmp(iotadnn_status2str(iotadnn_success), "success") == 0);
  OK(iotadnn_engine_create(&engine, iotadnn_cpu, 0));
  OK(iotadnn_stream_create(&stream, engine, iotadnn_stream_default_flags));
  OK(iotadnn_graph_graph_filter(graph, iotadnn_graph_partition_policy_debug));
  OK(iotadnn_graph_graph_get_partition_num(graph, &num));
  CHECK(num == 3);
  OK(iotadnn_graph_graph_get_partitions(graph, num, partitions));
  for (i = 0; i < num; ++i) {
    run(partitions[i], engine, stream);
    OK(iotadnn_graph_partition_destroy(partitions[i]));
  }
  OK(iotadnn_graph_graph_destroy(graph));
  OK(iotadnn_stream_destroy(stream));
  OK(iotadnn_engine_destroy(engine));
  if (g_failures == 0) printf("the C API works from C99\n");
  return g_failures != 0;
}
