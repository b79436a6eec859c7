// SPDX-License-Identifier: Apache-2.0
#include "frontends/names.h"

#include <string>

#include <gtest/gtest.h>

namespace iotadnn::frontends {
namespace {

TEST(Names, OpKindsOfOneDnnByNumber) {
  EXPECT_EQ(op_kind_from_name("Abs"), iotadnn_graph_op_abs);
  EXPECT_EQ(op_kind_from_name("BatchNormTrainingBackward"), iotadnn_graph_op_batch_norm_backward);
  EXPECT_EQ(op_kind_from_name("End"), iotadnn_graph_op_end);
  EXPECT_EQ(op_kind_from_name("MatMul"), iotadnn_graph_op_matmul);
  EXPECT_EQ(op_kind_from_name("SoftMax"), iotadnn_graph_op_softmax);
  EXPECT_EQ(op_kind_from_name("Wildcard"), iotadnn_graph_op_wildcard);
  EXPECT_EQ(op_kind_from_name("Select"), iotadnn_graph_op_select);
  EXPECT_EQ(op_kind_from_name("GenIndex"), iotadnn_graph_op_gen_index);
  EXPECT_EQ(op_kind_from_name("GreaterEqual"), iotadnn_graph_op_greater_equal);
  EXPECT_EQ(op_kind_from_name("Dropout"), iotadnn_graph_op_dropout);
  EXPECT_EQ(op_kind_from_name("Eye"), iotadnn_graph_op_eye);
  EXPECT_EQ(op_kind_from_name("EyeLike"), iotadnn_graph_op_eye_like);
  for (int kind = iotadnn_graph_op_eye; kind <= iotadnn_graph_op_gather; ++kind) {
    const auto name = name_of(static_cast<iotadnn_graph_op_kind_t>(kind));
    EXPECT_EQ(op_kind_from_name(name), static_cast<iotadnn_graph_op_kind_t>(kind)) << name;
  }
  EXPECT_EQ(op_kind_from_name("OneHot"), iotadnn_graph_op_one_hot);
  EXPECT_FALSE(op_kind_from_name("eye").has_value()) << "spellings are exact";
  for (int kind = 0; kind < iotadnn_graph_op_last_symbol; ++kind) {
    const auto name = name_of(static_cast<iotadnn_graph_op_kind_t>(kind));
    EXPECT_EQ(op_kind_from_name(name), static_cast<iotadnn_graph_op_kind_t>(kind)) << name;
  }
  EXPECT_EQ(name_of(static_cast<iotadnn_graph_op_kind_t>(5000)), "unknown");
}

TEST(Names, DataTypes) {
  EXPECT_EQ(data_type_from_name("bf16"), iotadnn_bf16);
  EXPECT_EQ(data_type_from_name("u64"), iotadnn_u64);
  EXPECT_EQ(data_type_from_name("undef"), iotadnn_data_type_undef);
  EXPECT_FALSE(data_type_from_name("f128").has_value());
  EXPECT_EQ(computed_types().size(), 13u);
  for (const auto type : computed_types()) {
    EXPECT_EQ(data_type_from_name(name_of(type)), type);
    EXPECT_GT(bytes_of(type), 0);
  }
  EXPECT_EQ(bytes_of(iotadnn_f16), 2);
  EXPECT_EQ(bytes_of(iotadnn_f64), 8);
  EXPECT_EQ(bytes_of(iotadnn_s4), 0);
}

TEST(Names, AttributesHaveTheTypeOfTheirNumber) {
  ASSERT_NE(attr_from_name("k"), nullptr);
  EXPECT_EQ(type_of(*attr_from_name("k")), AttrType::s64);
  EXPECT_EQ(type_of(*attr_from_name("alpha")), AttrType::f32);
  EXPECT_EQ(type_of(*attr_from_name("scales")), AttrType::f32_vector);
  EXPECT_EQ(type_of(*attr_from_name("axis")), AttrType::s64);
  EXPECT_EQ(type_of(*attr_from_name("shape")), AttrType::s64_vector);
  EXPECT_EQ(type_of(*attr_from_name("transpose_b")), AttrType::boolean);
  EXPECT_EQ(type_of(*attr_from_name("mode")), AttrType::string);
  EXPECT_EQ(type_of(*attr_from_name("upper")), AttrType::boolean);
  EXPECT_EQ(type_of(*attr_from_name("depth")), AttrType::s64);
  EXPECT_EQ(type_of(*attr_from_name("on_value")), AttrType::f32);
  EXPECT_EQ(type_of(*attr_from_name("value")), AttrType::f32);
  EXPECT_EQ(attr_from_name("dtype"), nullptr);
}

}  // namespace
}  // namespace iotadnn::frontends
