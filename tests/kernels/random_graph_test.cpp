// SPDX-License-Identifier: Apache-2.0
// Random graphs of several generator ops, ops of the host and End, on every ISA against the oracle.
// A failure prints its seed; IOTADNN_TEST_CASES sets the number of generator ops.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/random.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using graph::logical_tensor;
using graph::op;
using graph::partition;

constexpr int64_t kMaxElements = 20000;
constexpr int64_t kMaxRank = 12;

std::vector<int64_t> random_dims(Random& random, int64_t rank) {
  std::vector<int64_t> dims;
  int64_t elements = 1;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t room = std::max<int64_t>(1, std::min<int64_t>(300, kMaxElements / elements));
    const int64_t extent =
        random.between(0, 40) == 0
            ? 0
            : random.between(1, random.coin() ? std::min<int64_t>(room, 4) : room);
    dims.push_back(extent);
    elements *= std::max<int64_t>(extent, 1);
  }
  std::shuffle(dims.begin(), dims.end(), random.engine());
  return dims;
}

// Dense, or the dimensions in any order in memory with gaps after some of them: about two gaps
// whatever the rank, since each multiplies the span.
std::vector<int64_t> random_strides(Random& random, const std::vector<int64_t>& dims) {
  if (random.coin()) return dense_strides(dims);
  std::vector<size_t> inner_first(dims.size());
  std::iota(inner_first.begin(), inner_first.end(), size_t{0});
  std::shuffle(inner_first.begin(), inner_first.end(), random.engine());
  const auto rank = static_cast<int64_t>(dims.size());
  std::vector<int64_t> strides(dims.size());
  int64_t next = random.between(0, 7) == 0 ? 2 : 1;
  for (const size_t d : inner_first) {
    strides[d] = next;
    next *= std::max<int64_t>(dims[d], 1);
    if (random.between(1, rank) <= 2) next += random.between(0, 3);
  }
  return strides;
}

int64_t random_diagonal(Random& random, const std::vector<int64_t>& dims) {
  if (random.between(0, 9) == 0)
    return random.coin() ? std::numeric_limits<int64_t>::min() + random.between(0, 2)
                         : std::numeric_limits<int64_t>::max() - random.between(0, 2);
  const int64_t rows = dims[dims.size() - 2];
  const int64_t columns = dims[dims.size() - 1];
  return random.between(-rows - 1, columns + 1);
}

// What the output is at compile: everything known, the rank alone, not even that. Strides that are
// not given follow from the shape as soon as it is known, so other ones need a shape that is not.
void choose_knowledge(Random& random, OpCase& c) {
  const bool shape_is_given = c.kind == OpCase::Kind::eye && c.form == EyeForm::attributes;
  const bool dense = c.out.strides == dense_strides(c.out.dims);
  if (shape_is_given && !dense) return;
  c.unknown_dims = random.between(0, 2) == 0;
  c.unknown_rank = (c.unknown_dims || dense) && random.coin();
}

OpCase random_case(Random& random) {
  OpCase c;
  c.kind = random.pick<OpCase::Kind>(
      {OpCase::Kind::eye, OpCase::Kind::eye_like, OpCase::Kind::gen_index});
  const bool is_index = c.kind == OpCase::Kind::gen_index;
  const int64_t rank = c.kind == OpCase::Kind::eye_like ? 2
                       : is_index                       ? random.between(1, kMaxRank)
                                                        : random.between(2, kMaxRank);
  c.out.data_type =
      is_index ? random.pick<int>({iotadnn_s32, iotadnn_s64}) : random.pick(oracle_types());
  c.out.dims = random_dims(random, rank);
  c.out.strides = random_strides(random, c.out.dims);
  c.source_type = random.pick(oracle_types());
  if (is_index) {
    c.axis = random.between(-rank, rank - 1);
  } else {
    c.k = random_diagonal(random, c.out.dims);
    c.form = random.pick<EyeForm>({EyeForm::attributes, EyeForm::host_scalars, EyeForm::tensors});
    if (c.k == static_cast<int32_t>(c.k) && random.coin()) c.scalar_type = iotadnn_s32;
  }
  choose_knowledge(random, c);
  return c;
}

// Generators that do not read each other, so that each is a partition of its own; around them ops
// of the host that make what they read and read what they make, and End.
struct RandomGraph {
  std::vector<OpCase> cases;
  std::vector<size_t> host_ops;
  std::vector<op> ops;  // in the order in which they are added
};

RandomGraph random_graph(Random& random, const char* expected_impl) {
  constexpr size_t kIdsOfACase = 1000;
  RandomGraph made;
  const auto host = [&](size_t id, op::kind kind, const std::vector<logical_tensor>& inputs,
                        const std::vector<logical_tensor>& outputs) {
    made.ops.emplace_back(id, kind, inputs, outputs, "host");
    made.host_ops.push_back(id);
  };
  for (int64_t count = random.between(1, 6); count > 0; --count) {
    OpCase c = random_case(random);
    c.expected_impl = expected_impl;
    c.first_id = kIdsOfACase * made.cases.size();
    made.ops.push_back(op_of(c));
    const logical_tensor output = output_of(c);
    if (c.kind != OpCase::Kind::eye && random.coin())
      host(c.first_id + 1, op::kind::Wildcard, {}, inputs_of(c));
    // oneDNN's End takes no boolean.
    if (c.out.data_type != iotadnn_boolean && random.coin())
      host(c.first_id + 2, op::kind::End, {output}, {});
    if (random.coin()) {
      const logical_tensor result(c.first_id + kOutputId + 1, logical_tensor::data_type::f32,
                                  logical_tensor::layout_type::strided);
      host(c.first_id + 3, op::kind::Wildcard, {output}, {result});
    }
    made.cases.push_back(c);
  }
  std::shuffle(made.ops.begin(), made.ops.end(), random.engine());
  return made;
}

// The one partition that holds the op.
testing::AssertionResult partition_of(const std::vector<partition>& partitions, size_t op_id,
                                      partition& found) {
  int holders = 0;
  for (const partition& p : partitions) {
    const std::vector<size_t> ids = p.get_ops();
    if (std::find(ids.begin(), ids.end(), op_id) == ids.end()) continue;
    ++holders;
    found = p;
  }
  if (holders == 1 && found.get_ops_num() == 1) return testing::AssertionSuccess();
  return testing::AssertionFailure() << holders << " partitions hold op " << op_id;
}

class RandomGraphs : public testing::TestWithParam<NamedIsa> {};

TEST_P(RandomGraphs, MatchTheOracle) {
  const ScopedMaxCpuIsa cap(GetParam().isa);
  Random random;
  const int64_t wanted = number_of_cases(1500);
  for (int64_t done = 0; done < wanted;) {
    const RandomGraph made = random_graph(random, GetParam().impl);
    graph::graph g(engine::kind::cpu);
    for (const op& one : made.ops)
      g.add_op(one);
    g.finalize();
    const std::vector<partition> partitions = g.get_partitions();
    ASSERT_EQ(partitions.size(), made.ops.size());
    partition found;
    for (const size_t id : made.host_ops) {
      ASSERT_TRUE(partition_of(partitions, id, found));
      EXPECT_FALSE(found.is_supported());
    }
    for (const OpCase& c : made.cases) {
      ASSERT_TRUE(partition_of(partitions, c.first_id, found)) << c.text();
      ASSERT_TRUE(runs_right(c, found)) << "generator " << done << " of the run";
      ++done;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, RandomGraphs, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
