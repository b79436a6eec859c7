/* SPDX-License-Identifier: Apache-2.0 */
/* An index tensor through the installed C API; exits with 0 when it is right. */
#include <stdint.h>
#include <stdio.h>

#include <iotadnn/graph.h>

#define CHECK(call)                                                       \
  do {                                                                    \
    if ((call) != iotadnn_success) {                                      \
      fprintf(stderr, "%s: %s\n", #call, iotadnn_get_last_error());       \
      return 1;                                                           \
    }                                                                     \
  } while (0)

static int run(int32_t* out, iotadnn_engine_t engine, iotadnn_stream_t stream) {
  const iotadnn_dims_t dims = {2, 3};
  const int64_t axis = 1;
  iotadnn_graph_logical_tensor_t src, dst;
  const iotadnn_graph_logical_tensor_t* srcs[1] = {&src};
  const iotadnn_graph_logical_tensor_t* dsts[1] = {&dst};
  iotadnn_graph_op_t op = NULL;
  iotadnn_graph_partition_t partition = NULL;
  iotadnn_graph_compiled_partition_t compiled = NULL;
  iotadnn_graph_tensor_t src_tensor = NULL, dst_tensor = NULL;
  const_iotadnn_graph_tensor_t inputs[1], outputs[1];

  CHECK(iotadnn_graph_logical_tensor_init_with_dims(&src, 0, iotadnn_f32, 2, dims,
                                                    iotadnn_graph_layout_type_strided,
                                                    iotadnn_graph_tensor_property_undef));
  CHECK(iotadnn_graph_logical_tensor_init_with_dims(&dst, 1, iotadnn_s32, 2, dims,
                                                    iotadnn_graph_layout_type_strided,
                                                    iotadnn_graph_tensor_property_undef));
  CHECK(iotadnn_graph_op_create(&op, 0, iotadnn_graph_op_gen_index, "index"));
  CHECK(iotadnn_graph_op_set_attr_s64(op, iotadnn_graph_op_attr_axis, &axis, 1));
  CHECK(iotadnn_graph_op_add_input(op, &src));
  CHECK(iotadnn_graph_op_add_output(op, &dst));
  CHECK(iotadnn_graph_partition_create_with_op(&partition, op, iotadnn_cpu));
  CHECK(iotadnn_graph_compiled_partition_create(&compiled, partition));
  CHECK(iotadnn_graph_partition_compile(partition, compiled, 1, srcs, 1, dsts, engine));
  CHECK(iotadnn_graph_tensor_create(&src_tensor, &src, engine, NULL));
  CHECK(iotadnn_graph_tensor_create(&dst_tensor, &dst, engine, out));
  inputs[0] = src_tensor;
  outputs[0] = dst_tensor;
  CHECK(iotadnn_graph_compiled_partition_execute(compiled, stream, 1, inputs, 1, outputs));

  iotadnn_graph_tensor_destroy(dst_tensor);
  iotadnn_graph_tensor_destroy(src_tensor);
  iotadnn_graph_compiled_partition_destroy(compiled);
  iotadnn_graph_partition_destroy(partition);
  iotadnn_graph_op_destroy(op);
  return 0;
}

int main(void) {
  int32_t out[6] = {9, 9, 9, 9, 9, 9};
  iotadnn_engine_t engine = NULL;
  iotadnn_stream_t stream = NULL;
  int failed, i;
  CHECK(iotadnn_engine_create(&engine, iotadnn_cpu, 0));
  CHECK(iotadnn_stream_create(&stream, engine, iotadnn_stream_default_flags));
  failed = run(out, engine, stream);
  for (i = 0; i < 6; ++i) failed |= out[i] != i % 3;
  iotadnn_stream_destroy(stream);
  iotadnn_engine_destroy(engine);
  return failed;
}
