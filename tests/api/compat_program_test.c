/* SPDX-License-Identifier: Apache-2.0 */
/* A C program written for oneDNN's graph API, compiled against the alias headers: an implicit
   causal mask, Select(GreaterEqual(GenIndex(rows), GenIndex(columns)), scores, -inf), and SoftMax.
   The mask comes back as one supported partition; SoftMax is another one where the library was
   built with oneDNN's primitives, and the host runs it by its own means here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oneapi/dnnl/dnnl_debug.h"
#include "oneapi/dnnl/dnnl_graph.h"

#define S 4

static int g_failures = 0;

#define CHECK(condition)                                            \
  do {                                                              \
    if (!(condition)) {                                             \
      printf("%s:%d: %s failed\n", __FILE__, __LINE__, #condition); \
      ++g_failures;                                                 \
    }                                                               \
  } while (0)

#define OK(call)                                                                     \
  do {                                                                               \
    const dnnl_status_t status = (call);                                             \
    if (status != dnnl_success) {                                                    \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, dnnl_status2str(status)); \
      ++g_failures;                                                                  \
    }                                                                                \
  } while (0)

typedef dnnl_graph_logical_tensor_t lt_t;

static lt_t scores_like(size_t id, dnnl_data_type_t type) {
  lt_t lt;
  dnnl_dims_t dims = {S, S};
  OK(dnnl_graph_logical_tensor_init_with_dims(
      &lt, id, type, 2, dims, dnnl_graph_layout_type_strided, dnnl_graph_tensor_property_undef));
  return lt;
}

static dnnl_graph_op_t new_op(size_t id, dnnl_graph_op_kind_t kind, const lt_t* const* inputs,
                              size_t num, const lt_t* output) {
  dnnl_graph_op_t op;
  size_t i;
  OK(dnnl_graph_op_create(&op, id, kind, ""));
  for (i = 0; i < num; ++i)
    OK(dnnl_graph_op_add_input(op, inputs[i]));
  OK(dnnl_graph_op_add_output(op, output));
  return op;
}

static void add_gen_index(dnnl_graph_graph_t graph, size_t id, const lt_t* src, const lt_t* dst,
                          int64_t axis) {
  dnnl_graph_op_t op = new_op(id, dnnl_graph_op_gen_index, &src, 1, dst);
  OK(dnnl_graph_op_set_attr_s64(op, dnnl_graph_op_attr_axis, &axis, 1));
  OK(dnnl_graph_add_op(graph, op));
  OK(dnnl_graph_op_destroy(op));
}

static dnnl_graph_graph_t build(void) {
  const lt_t scores = scores_like(0, dnnl_f32);
  const lt_t rows = scores_like(1, dnnl_s32);
  const lt_t cols = scores_like(2, dnnl_s32);
  const lt_t keep = scores_like(3, dnnl_boolean);
  const lt_t masked = scores_like(5, dnnl_f32);
  const lt_t probabilities = scores_like(6, dnnl_f32);
  lt_t minus_inf;
  const lt_t* compared[2];
  const lt_t* selected[3];
  const lt_t* normalized[1];
  dnnl_graph_graph_t graph;
  dnnl_graph_op_t op;
  OK(dnnl_graph_logical_tensor_init(&minus_inf, 4, dnnl_f32, 0, dnnl_graph_layout_type_strided,
                                    dnnl_graph_tensor_property_host_scalar));
  compared[0] = &rows;
  compared[1] = &cols;
  selected[0] = &keep;
  selected[1] = &scores;
  selected[2] = &minus_inf;
  normalized[0] = &masked;
  OK(dnnl_graph_graph_create(&graph, dnnl_cpu));
  add_gen_index(graph, 10, &scores, &rows, 0);
  add_gen_index(graph, 11, &scores, &cols, -1);
  op = new_op(12, dnnl_graph_op_greater_equal, compared, 2, &keep);
  OK(dnnl_graph_op_set_attr_str(op, dnnl_graph_op_attr_auto_broadcast, "numpy", 5));
  OK(dnnl_graph_add_op(graph, op));
  OK(dnnl_graph_op_destroy(op));
  op = new_op(13, dnnl_graph_op_select, selected, 3, &masked);
  OK(dnnl_graph_add_op(graph, op));
  OK(dnnl_graph_op_destroy(op));
  op = new_op(14, dnnl_graph_op_softmax, normalized, 1, &probabilities);
  OK(dnnl_graph_add_op(graph, op));
  OK(dnnl_graph_op_destroy(op));
  OK(dnnl_graph_graph_finalize(graph));
  return graph;
}

enum { MAX_PORTS = 8 };

/* The ports are the scores, as often as ops read them, and the scalar. */
static void run_mask(dnnl_graph_partition_t partition, dnnl_engine_t engine, dnnl_stream_t stream,
                     float* scores, float* result) {
  lt_t input[MAX_PORTS];
  lt_t output;
  const lt_t* inputs[MAX_PORTS];
  const lt_t* outputs[1];
  dnnl_graph_compiled_partition_t compiled;
  dnnl_graph_tensor_t in[MAX_PORTS];
  dnnl_graph_tensor_t out;
  const_dnnl_graph_tensor_t ins[MAX_PORTS];
  const_dnnl_graph_tensor_t outs[1];
  float minus_inf = -INFINITY;
  size_t num = 0;
  size_t i;
  OK(dnnl_graph_partition_get_input_ports_num(partition, &num));
  CHECK(num <= MAX_PORTS);
  OK(dnnl_graph_partition_get_input_ports(partition, num, input));
  OK(dnnl_graph_partition_get_output_ports(partition, 1, &output));
  for (i = 0; i < num; ++i)
    inputs[i] = &input[i];
  outputs[0] = &output;
  OK(dnnl_graph_compiled_partition_create(&compiled, partition));
  OK(dnnl_graph_partition_compile(partition, compiled, num, inputs, 1, outputs, engine));
  for (i = 0; i < num; ++i) {
    if (input[i].property == dnnl_graph_tensor_property_host_scalar)
      OK(dnnl_graph_tensor_create_scalar(&in[i], &input[i], &minus_inf));
    else
      OK(dnnl_graph_tensor_create(&in[i], &input[i], engine, scores));
    ins[i] = in[i];
  }
  OK(dnnl_graph_tensor_create(&out, &output, engine, result));
  outs[0] = out;
  OK(dnnl_graph_compiled_partition_execute(compiled, stream, num, ins, 1, outs));
  OK(dnnl_stream_wait(stream));
  for (i = 0; i < num; ++i)
    OK(dnnl_graph_tensor_destroy(in[i]));
  OK(dnnl_graph_tensor_destroy(out));
  OK(dnnl_graph_compiled_partition_destroy(compiled));
}

int main(void) {
  dnnl_graph_graph_t graph = build();
  dnnl_graph_partition_t partitions[2];
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  float scores[S * S];
  float masked[S * S];
  size_t num = 0;
  size_t masks = 0;
  size_t i;
  for (i = 0; i < S * S; ++i) {
    scores[i] = 1.0f + (float)i;
    masked[i] = 0.0f;
  }
  OK(dnnl_engine_create(&engine, dnnl_cpu, 0));
  OK(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
  OK(dnnl_graph_graph_filter(graph, dnnl_graph_partition_policy_fusion));
  OK(dnnl_graph_graph_get_partition_num(graph, &num));
  CHECK(num == 2);
  OK(dnnl_graph_graph_get_partitions(graph, num, partitions));
  for (i = 0; i < num; ++i) {
    uint8_t supported = 0;
    size_t ops = 0;
    OK(dnnl_graph_partition_is_supported(partitions[i], &supported));
    OK(dnnl_graph_partition_get_op_num(partitions[i], &ops));
    CHECK(ops == 1 || supported);
    if (ops == 4) {
      run_mask(partitions[i], engine, stream, scores, masked);
      ++masks;
    }
    OK(dnnl_graph_partition_destroy(partitions[i]));
  }
  CHECK(masks == 1);
  for (i = 0; i < S * S; ++i)
    CHECK(masked[i] == (i / S >= i % S ? scores[i] : -INFINITY));
  OK(dnnl_graph_graph_destroy(graph));
  OK(dnnl_stream_destroy(stream));
  OK(dnnl_engine_destroy(engine));
  if (g_failures == 0) printf("a C program for oneDNN runs\n");
  return g_failures != 0;
}
