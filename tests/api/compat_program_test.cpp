// SPDX-License-Identifier: Apache-2.0
// Programs written for namespace dnnl, compiled against the alias headers and nothing else.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oneapi/dnnl/dnnl.hpp"
#include "oneapi/dnnl/dnnl_debug.h"
#include "oneapi/dnnl/dnnl_graph.hpp"

namespace {

using dnnl::engine;
using dnnl::stream;
using dnnl::graph::graph;
using dnnl::graph::logical_tensor;
using dnnl::graph::op;
using dnnl::graph::partition;
using dnnl::graph::tensor;

using data_type = logical_tensor::data_type;
using layout_type = logical_tensor::layout_type;
using property_type = logical_tensor::property_type;
using dims = logical_tensor::dims;

// The implicit causal mask of oneDNN's attention example, bottom right: rows + s_kv - s_q >=
// columns.
struct CausalMask {
  logical_tensor scores, offset, row, shifted, col, keep, minus_inf, masked, probabilities;
  graph g{engine::kind::cpu};
};

// How a program describes what ops produce: by shape, or by id, type and layout alone.
enum class Produced { with_shape, of_unknown_rank };

CausalMask build(const dims& shape, Produced produced = Produced::with_shape) {
  const auto strided = layout_type::strided;
  const auto result = [&](size_t id, data_type type) {
    return produced == Produced::with_shape ? logical_tensor(id, type, shape, strided)
                                            : logical_tensor(id, type, strided);
  };
  size_t id = 0;
  CausalMask m{{id++, data_type::f32, shape, strided},
               {id++, data_type::s32, 0, strided, property_type::host_scalar},
               result(id++, data_type::s32),
               result(id++, data_type::s32),
               result(id++, data_type::s32),
               result(id++, data_type::boolean),
               {id++, data_type::f32, 0, strided, property_type::host_scalar},
               result(id++, data_type::f32),
               result(id++, data_type::f32)};
  op row(id++, op::kind::GenIndex, {m.scores}, {m.row}, "mask_row_idx");
  row.set_attr<int64_t>(op::attr::axis, -2);
  op shift(id++, op::kind::Add, {m.row, m.offset}, {m.shifted}, "mask_add");
  op col(id++, op::kind::GenIndex, "mask_col_idx");
  col.set_attr<int64_t>(op::attr::axis, -1);
  col.add_input(m.scores);
  col.add_outputs({m.col});
  op keep(id++, op::kind::GreaterEqual, {m.shifted, m.col}, {m.keep}, "mask_gt");
  op select(id++, op::kind::Select, {m.keep, m.scores, m.minus_inf}, {m.masked}, "select");
  select.set_attr<std::string>(op::attr::auto_broadcast, "numpy");
  op softmax(id++, op::kind::SoftMax, {m.masked}, {m.probabilities}, "softmax");
  softmax.set_attr<int64_t>(op::attr::axis, -1);
  for (const op& o : {row, shift, col, keep, select, softmax})
    m.g.add_op(o);
  m.g.finalize();
  return m;
}

// What a host does with partitions: the mask runs compiled; SoftMax, which is supported where the
// library was built with oneDNN's primitives, by its own means.
class Host {
 public:
  explicit Host(CausalMask& mask) : mask_(mask) {}

  // The masked scores.
  std::vector<float> run(std::vector<float>& scores, int32_t offset) {
    std::vector<float> masked(scores.size(), 0.0f);
    size_t claimed = 0;
    for (const partition& p : mask_.g.get_partitions()) {
      if (p.get_ops_num() == 1) continue;
      EXPECT_TRUE(p.is_supported());
      ++claimed;
      EXPECT_EQ(p.get_ops_num(), 5u);
      compile_and_run(p, scores, offset, masked);
    }
    EXPECT_EQ(claimed, 1u) << "all of the mask";
    return masked;
  }

 private:
  void compile_and_run(const partition& p, std::vector<float>& scores, int32_t offset,
                       std::vector<float>& masked) {
    const auto inputs = p.get_input_ports();
    const auto outputs = p.get_output_ports();
    ASSERT_EQ(outputs.size(), 1u);
    const auto compiled = p.compile(inputs, outputs, eng_);
    const logical_tensor queried = compiled.query_logical_tensor(outputs[0].get_id());
    ASSERT_EQ(queried.get_mem_size(), masked.size() * sizeof(float));
    float minus_inf = -std::numeric_limits<float>::infinity();
    std::vector<tensor> tensors;
    for (const logical_tensor& in : inputs) {
      if (in.get_id() == mask_.offset.get_id())
        tensors.push_back(tensor::make_scalar_tensor(in, &offset));
      else if (in.get_id() == mask_.minus_inf.get_id())
        tensors.push_back(tensor::make_scalar_tensor(in, &minus_inf));
      else
        tensors.emplace_back(in, eng_, scores.data());
    }
    compiled.execute(strm_, tensors, {tensor(queried, eng_, masked.data())});
    strm_.wait();
  }

  CausalMask& mask_;
  engine eng_{engine::kind::cpu, 0};
  stream strm_{eng_};
};

void expect_bottom_right_mask(Produced produced) {
  const int64_t s_q = 3;
  const int64_t s_kv = 5;
  CausalMask mask = build({1, 2, s_q, s_kv}, produced);
  std::vector<float> scores(static_cast<size_t>(2 * s_q * s_kv), 0.5f);
  const auto result = Host(mask).run(scores, static_cast<int32_t>(s_kv - s_q));
  for (size_t i = 0; i < result.size(); ++i) {
    const auto row = static_cast<int64_t>(i) / s_kv % s_q;
    const auto col = static_cast<int64_t>(i) % s_kv;
    EXPECT_EQ(result[i], row + s_kv - s_q >= col ? 0.5f : -std::numeric_limits<float>::infinity());
  }
}

TEST(CompatProgram, BottomRightCausalMask) {
  expect_bottom_right_mask(Produced::with_shape);
}

TEST(CompatProgram, BottomRightCausalMaskOfUnknownRanks) {
  expect_bottom_right_mask(Produced::of_unknown_rank);
}

// A source whose rank alone is known; the output's comes with the tensors.
TEST(CompatProgram, AnOutputOfUnknownRankAndExtents) {
  const engine eng(engine::kind::cpu, 0);
  stream strm(eng);
  const logical_tensor src(0, data_type::f32, 2, layout_type::strided);
  const logical_tensor dst(1, data_type::s32, layout_type::strided);
  op index(0, op::kind::GenIndex, {src}, {dst}, "index");
  index.set_attr<int64_t>(op::attr::axis, 1);
  graph g(engine::kind::cpu);
  g.add_op(index);
  g.finalize();
  const auto compiled = g.get_partitions().at(0).compile({src}, {dst}, eng);
  const logical_tensor queried = compiled.query_logical_tensor(1);
  EXPECT_EQ(queried.get_dims(), dims(2, DNNL_GRAPH_UNKNOWN_DIM));
  EXPECT_EQ(queried.get_strides(), dims(2, DNNL_GRAPH_UNKNOWN_DIM));
  std::vector<int32_t> data(6, -1);
  const logical_tensor full_src(0, data_type::f32, dims{2, 3}, layout_type::strided);
  const logical_tensor full_dst(1, data_type::s32, dims{2, 3}, layout_type::strided);
  compiled.execute(strm, {tensor(full_src, eng, nullptr)}, {tensor(full_dst, eng, data.data())});
  EXPECT_EQ(data, (std::vector<int32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(CompatProgram, EveryOpIsInExactlyOnePartition) {
  CausalMask mask = build({2, 2});
  const auto partitions = mask.g.get_partitions(partition::policy::fusion);
  size_t ops = 0;
  for (const partition& p : partitions)
    ops += p.get_ops_num();
  EXPECT_EQ(ops, 6u);
  for (const partition& p : mask.g.get_partitions(partition::policy::debug))
    EXPECT_EQ(p.get_ops_num(), 1u);
}

TEST(CompatProgram, HostScalarsAndErrors) {
  const logical_tensor lt{0, data_type::s32, 0, layout_type::strided, property_type::host_scalar};
  int32_t value = 7;
  tensor scalar = tensor::make_scalar_tensor(lt, &value);
  EXPECT_EQ(scalar.get_data_handle(), nullptr);
  try {
    scalar.set_data_handle(&value);
    FAIL() << "a host scalar has no data handle";
  } catch (const dnnl::error& e) {
    EXPECT_EQ(e.status, dnnl_invalid_arguments);
    EXPECT_STREQ(dnnl_status2str(e.status), "invalid_arguments");
    const char* message = e.message;
    EXPECT_STREQ(message, e.what());
  }
}

}  // namespace
