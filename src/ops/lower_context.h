// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/op.h"
#include "program/program.h"

namespace iotadnn::impl {

// Where the value of a program's scalar comes from at execute.
struct ScalarSource {
  enum class Kind : uint8_t { attribute, input };
  Kind kind = Kind::attribute;
  int64_t value = 0;  // attribute: the value itself
  int port = 0;       // input: the op's port that holds one element (s32 or s64)

  bool operator==(const ScalarSource& o) const {
    return kind == o.kind && value == o.value && port == o.port;
  }
};

// What a row's lowering function fills in: a program over the output's *logical* dimensions in
// order (rank, elem_bytes are set by the caller). lower/layout turns it into physical order.
class LowerContext {
 public:
  const Op* op = nullptr;
  RowProgram program;
  std::vector<ScalarSource> scalars;  // program.num_scalars of them
};

}  // namespace iotadnn::impl
