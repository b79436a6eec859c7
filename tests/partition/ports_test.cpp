// SPDX-License-Identifier: Apache-2.0
#include "partition/ports.h"

#include <gtest/gtest.h>

#include "ops/op_builder.h"

namespace iotadnn::impl {
namespace {

using Ids = std::vector<size_t>;

Op op_of(std::string_view kind, const Ids& reads, const Ids& writes) {
  Op op = test::make_op(kind, 0, {}, {});
  for (const size_t v : reads)
    op.inputs.push_back(test::tensor(v, DataType::f32, {2}));
  for (const size_t v : writes)
    op.outputs.push_back(test::tensor(v, DataType::f32, {2}));
  return op;
}

Ids ids(const std::vector<LogicalTensor>& tensors) {
  Ids all;
  for (const LogicalTensor& t : tensors)
    all.push_back(t.id);
  return all;
}

void expect_ports(const std::vector<Op>& ops, const Ids& region, const Ids& inputs,
                  const Ids& outputs) {
  const RegionPorts ports = ports_of(ValueIndex(ops), region);
  EXPECT_EQ(ids(ports.inputs), inputs);
  EXPECT_EQ(ids(ports.outputs), outputs);
}

// A mask as attention writes it: scores 0; 1, 2 = GenIndex; 3 = 1 >= 2; 4 = Select(3, 0, 9).
std::vector<Op> mask() {
  return {op_of("GenIndex", {0}, {1}), op_of("GenIndex", {0}, {2}),
          op_of("GreaterEqual", {1, 2}, {3}), op_of("Select", {3, 0, 9}, {4})};
}

TEST(Ports, OfOneOp) {
  expect_ports(mask(), {0}, {0}, {1});
  expect_ports(mask(), {2}, {1, 2}, {3});
  expect_ports(mask(), {3}, {3, 0, 9}, {4});
}

TEST(Ports, InputsRepeatOncePerReadingPort) {
  expect_ports(mask(), {0, 1, 2, 3}, {0, 0, 0, 9}, {4});
  expect_ports({op_of("Add", {5, 5}, {6})}, {0}, {5, 5}, {6});
}

TEST(Ports, ValuesThatLeaveAreOutputs) {
  expect_ports(mask(), {0, 1}, {0, 0}, {1, 2});
  expect_ports(mask(), {0, 1, 2}, {0, 0}, {3});
  // Value 1 is read inside and outside.
  auto ops = mask();
  ops.push_back(op_of("Wildcard", {1}, {}));
  expect_ports(ops, {0, 1, 2}, {0, 0}, {1, 3});
}

TEST(Ports, AnEndExportsWhetherItIsInsideOrNot) {
  auto ops = mask();
  ops.push_back(op_of("End", {3}, {}));
  expect_ports(ops, {0, 1, 2, 3}, {0, 0, 0, 9}, {3, 4});
  expect_ports(ops, {0, 1, 2, 3, 4}, {0, 0, 0, 9}, {3, 4});
}

TEST(Ports, OpsWithSeveralOutputs) {
  const std::vector<Op> ops = {op_of("SoftMax", {0}, {1, 2}), op_of("Exp", {2}, {3})};
  expect_ports(ops, {0}, {0}, {1, 2});
  expect_ports(ops, {0, 1}, {0}, {1, 3});
}

TEST(ValueIndex, FindsProducersAndConsumers) {
  const std::vector<Op> ops = mask();
  const ValueIndex values(ops);
  EXPECT_EQ(values.producer(3), 2u);
  EXPECT_EQ(values.producer(9), SIZE_MAX);
  EXPECT_EQ(values.producer(12345), SIZE_MAX);
  const auto readers = values.consumers(0);
  EXPECT_EQ(Ids(readers.begin(), readers.end()), (Ids{0, 1, 3}));
  EXPECT_TRUE(values.consumers(4).empty());
}

}  // namespace
}  // namespace iotadnn::impl
