// SPDX-License-Identifier: Apache-2.0
// A build without oneDNN's primitives: MatMul and SoftMax stay with the host.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

namespace iotadnn::test {
namespace {

using graph::logical_tensor;
using graph::op;
using type = logical_tensor::data_type;

TEST(WithoutPrimitives, MatMulAndSoftMaxStayWithTheHost) {
  const auto tensor = [](size_t id) {
    return logical_tensor(id, type::f32, {4, 4}, logical_tensor::layout_type::strided);
  };
  graph::graph g(graph::engine::kind::cpu);
  g.add_op(op(0, op::kind::MatMul, {tensor(0), tensor(1)}, {tensor(2)}, "matmul"));
  g.add_op(op(1, op::kind::SoftMax, {tensor(2)}, {tensor(3)}, "softmax"));
  g.finalize();
  for (const graph::partition& partition : g.get_partitions()) {
    EXPECT_FALSE(partition.is_supported());
    EXPECT_NE(partition.get_reason().find("this library was built without oneDNN's primitives"),
              std::string::npos)
        << partition.get_reason();
  }
}

}  // namespace
}  // namespace iotadnn::test
