// SPDX-License-Identifier: Apache-2.0
#include "runtime/verbose_text.h"

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

LogicalTensor tensor(size_t id, DataType type) {
  LogicalTensor lt;
  lt.id = id;
  lt.rank = 4;
  lt.dims = {1, 16, 32, 32};
  lt.strides = {16384, 1024, 32, 1};
  lt.type = type;
  lt.layout = LayoutType::strided;
  return lt;
}

// The lines of oneDNN's grammar (section 2.7 of its graph API notes), with our prefix and backend.
TEST(VerboseText, WritesTheGrammarOfOneDnn) {
  const VerboseHeader header{100002, "misc_post_ops", "genindex", 0, false};
  const std::vector<LogicalTensor> in = {tensor(0, DataType::f32)};
  const std::vector<LogicalTensor> out = {tensor(1, DataType::s32)};
  const std::string tensors =
      "in0_f32:0:strided:undef:1x16x32x32:16384s1024s32s1 "
      "out0_s32:1:strided:undef:1x16x32x32:16384s1024s32s1";
  EXPECT_EQ(exec_line(header, in, out, "jit:avx2", 0.054),
            "graph,exec,cpu,100002,misc_post_ops,genindex,," + tensors +
                ",fpm:strict,scratchpad:library:0,jit:avx2,iotadnn_backend,0.054");
  EXPECT_EQ(compile_line(header, {in.data(), 1}, {out.data(), 1}, "jit:avx2", false, 0.21),
            "graph,compile:cache_miss,cpu,100002,misc_post_ops,genindex,," + tensors +
                ",fpm:strict,scratchpad:0,jit:avx2,iotadnn_backend,0.21");
  EXPECT_EQ(compile_line(header, {in.data(), 1}, {out.data(), 1}, "portable", true, 1)
                .rfind("graph,compile:compiled_partition_cache_hit,cpu,", 0),
            0u);
}

TEST(VerboseText, ShowsTheFpmathModeOfTheGraph) {
  const VerboseHeader header{1, "misc_post_ops", "x", 2, true};
  EXPECT_NE(exec_line(header, {}, {}, "portable", 1).find(",fpm:f16:true,"), std::string::npos);
}

}  // namespace
}  // namespace iotadnn::impl
