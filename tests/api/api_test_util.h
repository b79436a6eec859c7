// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

namespace iotadnn::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

using Lt = graph::logical_tensor;
using DataType = Lt::data_type;
using Layout = Lt::layout_type;
using Property = Lt::property_type;
using Op = graph::op;

inline constexpr int64_t kUnknown = IOTADNN_GRAPH_UNKNOWN_DIM;

inline Lt strided(size_t id, DataType type, const Lt::dims& dims) {
  return {id, type, dims, Layout::strided};
}

inline Lt host_scalar_lt(size_t id, DataType type = DataType::s64) {
  return {id, type, 0, Layout::strided, Property::host_scalar};
}

inline engine cpu_engine() {
  return {engine::kind::cpu, 0};
}

// GenIndex of input 0 into output 1.
inline Op gen_index_op(const Lt& src, const Lt& dst, int64_t axis, size_t id = 0) {
  Op op(id, Op::kind::GenIndex, {src}, {dst}, "gen_index");
  op.set_attr<int64_t>(Op::attr::axis, axis);
  return op;
}

// Eye in its attribute form.
inline Op eye_op(const Lt& dst, const std::vector<int64_t>& shape, int64_t k, size_t id = 0) {
  Op op(id, Op::kind::Eye, {}, {dst}, "eye");
  op.set_attr<std::vector<int64_t>>(Op::attr::shape, shape);
  op.set_attr<int64_t>(Op::attr::k, k);
  return op;
}

// The only partition of one op.
inline graph::partition partition_of(const Op& op) {
  return {op, engine::kind::cpu};
}

// Runs `statement`, which must throw iotadnn::error with this status and a message.
template <class Statement>
void expect_error(iotadnn_status_t status, const Statement& statement) {
  try {
    statement();
  } catch (const error& e) {
    EXPECT_EQ(e.status, status) << e.what();
    EXPECT_STREQ(e.message, e.what());
    EXPECT_GT(std::string(e.what()).size(), 10u);
    return;
  }
  ADD_FAILURE() << "nothing was thrown";
}

// The call failed with this status and left a sentence.
inline void expect_status(iotadnn_status_t expected, iotadnn_status_t actual, const char* call) {
  EXPECT_EQ(actual, expected) << call << ": " << iotadnn_get_last_error();
  if (expected == iotadnn_success) return;
  EXPECT_STRNE(iotadnn_get_last_error(), "") << call;
}

#define EXPECT_IOTADNN(status, call) ::iotadnn::test::expect_status(status, call, #call)

}  // namespace iotadnn::test
