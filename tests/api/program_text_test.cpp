// SPDX-License-Identifier: Apache-2.0
// What compiled partitions say of themselves: row programs as text, and the machine code that runs.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/api_test_util.h"
#include "support/isa_param.h"

namespace iotadnn::test {
namespace {

using graph::compiled_partition;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

compiled_partition gen_index(const Lt::dims& dims, int64_t axis) {
  const Lt src = strided(0, DataType::f32, dims);
  const Lt dst = strided(1, DataType::s32, dims);
  return partition_of(gen_index_op(src, dst, axis)).compile({src}, {dst}, cpu_engine());
}

compiled_partition eye(const Lt::dims& dims, int64_t k) {
  const Lt dst = strided(1, DataType::s32, dims);
  return partition_of(eye_op(dst, dims, k)).compile({}, {dst}, cpu_engine());
}

// max(x, the column).
compiled_partition fused(const Lt::dims& dims) {
  const Lt x = strided(0, DataType::s32, dims);
  const Lt column = strided(1, DataType::s32, dims);
  const Lt y = strided(2, DataType::s32, dims);
  graph::graph g(engine::kind::cpu);
  g.add_op(gen_index_op(x, column, 1));
  g.add_op(Op(1, Op::kind::Maximum, {x, column}, {y}, "max"));
  g.finalize();
  return g.get_partitions().at(0).compile({x}, {y}, cpu_engine());
}

class ProgramText : public testing::TestWithParam<NamedIsa> {
 protected:
  bool is_reference() const { return GetParam().isa == iotadnn_cpu_isa_reference; }

  bool has_machine_code() const { return std::string(GetParam().impl).rfind("jit:", 0) == 0; }

  void expect_code(const compiled_partition& cp, const char* name) const {
    const auto kernels = cp.get_kernels();
    if (!has_machine_code()) {
      EXPECT_TRUE(kernels.empty());
      return;
    }
    ASSERT_FALSE(kernels.empty());
    EXPECT_THAT(kernels[0].name, StartsWith(name));
    EXPECT_THAT(cp.get_program_text(), HasSubstr(std::string("kernel ") + kernels[0].name));
    for (const iotadnn_graph_kernel_t& kernel : kernels) {
      ASSERT_NE(kernel.code, nullptr);
      EXPECT_GT(kernel.instructions_size, 0u);
      EXPECT_LE(kernel.instructions_size, kernel.size);
      EXPECT_NE(std::memchr(kernel.code, 0xc3, kernel.instructions_size), nullptr) << "no ret";
    }
  }

  ScopedMaxCpuIsa cap_{GetParam().isa};
};

TEST_P(ProgramText, SaysWhichCoordinateIsWritten) {
  const compiled_partition rows = gen_index({8, 16}, 0);
  const compiled_partition columns = gen_index({8, 16}, 1);
  if (is_reference()) {
    EXPECT_EQ(rows.get_program_text(), "# no row program: the reference runs op by op\n");
  } else {
    EXPECT_THAT(rows.get_program_text(),
                AllOf(StartsWith("# over 8x16, by "),
                      HasSubstr("program rank=2 width=4 scalars=0\nbody 0: v0 = coord c0\n")));
    EXPECT_THAT(columns.get_program_text(), HasSubstr("body 0: v0 = coord c1\n"));
    EXPECT_EQ(rows.get_program_text().find("portable") != std::string::npos, !has_machine_code());
  }
  expect_code(rows, "iotadnn_");
}

TEST_P(ProgramText, SaysWhatScalarsAre) {
  const compiled_partition cp = eye({6, 6}, -2);
  if (!is_reference()) {
    EXPECT_THAT(cp.get_program_text(),
                AllOf(HasSubstr("# s0: -2\n"), HasSubstr("predicate p0: c1 in [c0 + s0, "),
                      HasSubstr("body 1: v0 = constant 0x1\n")));
  }
  expect_code(cp, "iotadnn_");
}

TEST_P(ProgramText, RegionsNameTheirForms) {
  const compiled_partition cp = fused({4, 8});
  if (is_reference()) {
    EXPECT_THAT(cp.get_program_text(), StartsWith("# no row program"));
  } else {
    EXPECT_THAT(cp.get_program_text(),
                AllOf(StartsWith("# split"), HasSubstr("# i0: input 0\n# over 4x8, by "),
                      HasSubstr("inputs=s32 outputs=s32"), HasSubstr("maximum s32 ")));
  }
  expect_code(cp, "iotadnn_pointwise_r2_w4_p");
}

TEST_P(ProgramText, ShapesThatComeWithTheTensors) {
  for (const compiled_partition& cp :
       {gen_index({kUnknown, kUnknown}, 1), fused({kUnknown, kUnknown})}) {
    EXPECT_TRUE(cp.get_kernels().empty());
    if (is_reference()) continue;
    EXPECT_THAT(cp.get_program_text(),
                AllOf(StartsWith("# shapes are known when it runs"), HasSubstr("\nprogram rank=2"),
                      Not(HasSubstr("# over"))));
  }
}

TEST_P(ProgramText, EmptyOutputs) {
  for (const compiled_partition& cp : {gen_index({0, 5}, 1), fused({0, 5})}) {
    EXPECT_TRUE(cp.get_kernels().empty());
    if (!is_reference()) {
      EXPECT_THAT(cp.get_program_text(), StartsWith("# the output is empty: nothing runs\n"));
    }
  }
}

TEST_P(ProgramText, RoomForTheAnswer) {
  const compiled_partition cp = fused({4, 8});
  const std::string expected = cp.get_program_text();
  const auto text_of = iotadnn_graph_compiled_partition_get_program_text;
  size_t size = 12345;
  EXPECT_IOTADNN(iotadnn_success, text_of(cp.get(), &size, nullptr));
  ASSERT_EQ(size, expected.size() + 1);
  std::vector<char> text(size + 8, '#');
  size_t room = size - 1;
  EXPECT_IOTADNN(iotadnn_invalid_arguments, text_of(cp.get(), &room, text.data()));
  EXPECT_THAT(iotadnn_get_last_error(), HasSubstr("room for " + std::to_string(size - 1)));
  EXPECT_EQ(room, size);
  EXPECT_EQ(text[0], '#') << "written to all the same";
  room = size + 8;
  EXPECT_IOTADNN(iotadnn_success, text_of(cp.get(), &room, text.data()));
  EXPECT_EQ(room, size);
  EXPECT_STREQ(text.data(), expected.c_str());
  EXPECT_EQ(text[size], '#');
}

TEST_P(ProgramText, RoomForTheKernels) {
  const compiled_partition cp = fused({4, 8});
  const auto kernels_of = iotadnn_graph_compiled_partition_get_kernels;
  size_t num = 77;
  EXPECT_IOTADNN(iotadnn_success, kernels_of(cp.get(), &num, nullptr));
  EXPECT_EQ(num, cp.get_kernels().size());
  iotadnn_graph_kernel_t kernels[8] = {};
  size_t room = 0;
  EXPECT_IOTADNN(num == 0 ? iotadnn_success : iotadnn_invalid_arguments,
                 kernels_of(cp.get(), &room, kernels));
  EXPECT_EQ(room, num);
  EXPECT_EQ(kernels[0].code, nullptr);
}

TEST_P(ProgramText, FromManyThreads) {
  const compiled_partition cp = fused({16, 16});
  const std::string expected = cp.get_program_text();
  const size_t kernels = cp.get_kernels().size();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(cp.get_program_text(), expected);
        EXPECT_EQ(cp.get_kernels().size(), kernels);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

// A copy by templates runs a function of its own behind the kernel.
TEST_P(ProgramText, TemplatesHaveTwoKernels) {
  if (!has_machine_code()) GTEST_SKIP() << "templates are copied by machine code";
  ASSERT_EQ(iotadnn_set_strategy("template=on"), iotadnn_success);
  const compiled_partition cp = gen_index({512, 512}, 1);
  ASSERT_EQ(iotadnn_set_strategy(""), iotadnn_success);
  const auto kernels = cp.get_kernels();
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_THAT(kernels[1].name, StartsWith("iotadnn_replicate"));
  EXPECT_GT(kernels[1].instructions_size, 0u);
  EXPECT_THAT(cp.get_program_text(), HasSubstr("which are copied on"));
}

INSTANTIATE_TEST_SUITE_P(Isas, ProgramText, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
