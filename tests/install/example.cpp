// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "iotadnn/graph.hpp"

int main() {
  using namespace iotadnn::graph;
  using lt = logical_tensor;
  const lt like(0, lt::data_type::f32, {3, 4}, lt::layout_type::strided);
  const lt eye(1, lt::data_type::s32, {3, 4}, lt::layout_type::strided);

  const engine cpu(engine::kind::cpu, 0);
  stream work(cpu);
  graph g(engine::kind::cpu);
  g.add_op(op(0, op::kind::EyeLike, {like}, {eye}, "eye").set_attr<int64_t>(op::attr::k, 1));
  g.finalize();
  const auto compiled = g.get_partitions().at(0).compile({like}, {eye}, cpu);

  std::vector<int> out(3 * 4);
  compiled.execute(work, {tensor(like, cpu, nullptr)}, {tensor(eye, cpu, out.data())});
  for (size_t i = 0; i < out.size(); ++i)
    std::printf("%d%c", out[i], i % 4 == 3 ? '\n' : ' ');
  std::printf("computed by %s\n", compiled.get_impl().c_str());
}
