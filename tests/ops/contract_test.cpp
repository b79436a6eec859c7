// SPDX-License-Identifier: Apache-2.0
#include "ops/contract.h"

#include <gtest/gtest.h>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

TEST(Contract, EveryOpThatIsComputedHasOne) {
  for (const OpDef& def : op_table())
    EXPECT_EQ(contract_json(def).empty(), def.op_class == OpClass::unsupported) << def.name;
}

// Against what ONNX says of EyeLike: k is an int, 0 by default; its input's data are not read.
TEST(Contract, EyeLike) {
  EXPECT_EQ(contract_json(*find_op("EyeLike")), R"({
  "name": "EyeLike",
  "kind": 4097,
  "class": "generator",
  "inputs": [
    {
      "name": "input",
      "optional": false,
      "types": [
        "f16",
        "bf16",
        "f32",
        "s32",
        "s8",
        "u8",
        "f64",
        "boolean",
        "f8_e5m2",
        "f8_e4m3",
        "s4",
        "u4",
        "e8m0",
        "f4_e2m1",
        "f4_e3m0",
        "s64",
        "s16",
        "u16",
        "u32",
        "u64"
      ],
      "read": "type and shape only"
    }
  ],
  "outputs": [
    {
      "name": "output",
      "optional": false,
      "types": [
        "f16",
        "bf16",
        "f32",
        "s32",
        "s8",
        "u8",
        "f64",
        "boolean",
        "s64",
        "s16",
        "u16",
        "u32",
        "u64"
      ]
    }
  ],
  "attributes": [
    {
      "name": "k",
      "type": "s64",
      "required": false,
      "default": 0
    }
  ],
  "output_shape": "the shape of the input, of rank 2"
})");
}

}  // namespace
}  // namespace iotadnn::impl
