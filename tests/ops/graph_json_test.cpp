// SPDX-License-Identifier: Apache-2.0
#include "ops/graph_json.h"

#include <limits>

#include <gtest/gtest.h>

#include "ops/op_builder.h"

namespace iotadnn::impl {
namespace {

using test::kUnknown;
using test::make_op;
using test::tensor;
using test::unknown_rank;

std::string json_of(const std::vector<Op>& ops) {
  return graph_json(ops, 1, 0, false, {}, {});
}

std::string version_line() {
  const std::string text = json_of({});
  const size_t at = text.find("\"version\"");
  return text.substr(at, text.find('\n', at) - at);
}

// benchdnn reads its own files only in this order of keys.
TEST(GraphJson, SpellsAGraphAsOneDnnDoes) {
  Op op = make_op("GenIndex", 0, {tensor(0, DataType::f32, {2, 16})},
                  {tensor(1, DataType::s32, {2, 16}, {kUnknown, kUnknown})},
                  {{attr_id::kAxis, int64_t{-1}}});
  op.name = "genindex";
  const std::string expected = "{\n  " + version_line() + R"(
  "engine_kind": "cpu",
  "fpmath_mode": "tf32",
  "fpmath_mode_apply_to_int": "true",
  "input_ports": [
    0,
    0
  ],
  "output_ports": [
    1
  ],
  "graph": [
    {
      "id": 0,
      "name": "genindex",
      "kind": "GenIndex",
      "attrs": {
        "axis": {
          "type": "s64",
          "value": -1
        }
      },
      "inputs": [
        {
          "id": 0,
          "dtype": "f32",
          "shape": [
            2,
            16
          ],
          "stride": [
            16,
            1
          ],
          "layout_type": "strided",
          "property_type": "undef"
        }
      ],
      "outputs": [
        {
          "id": 1,
          "dtype": "s32",
          "shape": [
            2,
            16
          ],
          "stride": [
            -9223372036854775808,
            -9223372036854775808
          ],
          "layout_type": "strided",
          "property_type": "undef"
        }
      ]
    }
  ]
}
)";
  const std::vector<LogicalTensor> inputs = {op.inputs[0], op.inputs[0]};
  const std::vector<Op> ops = {op};
  EXPECT_EQ(graph_json(ops, 1, 4, true, inputs, op.outputs), expected);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GraphJson, EmptyListsStayOnOneLine) {
  const std::string text = json_of({make_op("Wildcard", 0, {tensor(0, DataType::s32, {})}, {})});
  EXPECT_TRUE(has(text, "\"input_ports\": [],")) << text;
  EXPECT_TRUE(has(text, "\"attrs\": {},")) << text;
  EXPECT_TRUE(has(text, "\"shape\": [],")) << text;
  EXPECT_TRUE(has(text, "\"outputs\": []")) << text;
  EXPECT_TRUE(has(json_of({}), "\"graph\": []"));
}

TEST(GraphJson, WritesEveryTypeOfAttribute) {
  const std::string text = json_of({make_op("Wildcard", 0, {}, {},
                                            {{0x1, 0.1f},
                                             {0x20, std::vector<float>{1.0f, 1e-20f}},
                                             {attr_id::kK, std::numeric_limits<int64_t>::min()},
                                             {attr_id::kShape, std::vector<int64_t>{3, -1}},
                                             {0x65, true},
                                             {0x66, false},
                                             {0x84, std::string("none")}})});
  const auto is_written = [&](const std::string& name, const std::string& type,
                              const std::string& value) {
    return has(text, "\"" + name + "\": {\n          \"type\": \"" + type +
                         "\",\n          \"value\": " + value + "\n        }");
  };
  EXPECT_TRUE(is_written("alpha", "f32", "0.1")) << text;
  EXPECT_TRUE(is_written("scales", "f32[]", "[\n            1,\n            1e-20\n          ]"))
      << text;
  EXPECT_TRUE(is_written("k", "s64", "-9223372036854775808")) << text;
  EXPECT_TRUE(is_written("shape", "s64[]", "[\n            3,\n            -1\n          ]"))
      << text;
  EXPECT_TRUE(is_written("transpose_a", "bool", "1")) << text;
  EXPECT_TRUE(is_written("transpose_b", "bool", "0")) << text;
  EXPECT_TRUE(is_written("mode", "string", "\"none\"")) << text;
}

TEST(GraphJson, FloatsThatAreNotFiniteAreText) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::string text =
      json_of({make_op("Clamp", 0, {}, {},
                       {{0x4, inf}, {0x5, -inf}, {0x1, std::numeric_limits<float>::quiet_NaN()}})});
  EXPECT_TRUE(has(text, "\"value\": \"inf\"")) << text;
  EXPECT_TRUE(has(text, "\"value\": \"-inf\"")) << text;
  EXPECT_TRUE(has(text, "\"value\": \"nan\"")) << text;
}

std::string written_name(const std::string& name) {
  Op op = make_op("Wildcard", 0, {}, {});
  op.name = name;
  const std::string text = json_of({op});
  const size_t at = text.find("\"name\": ") + 8;
  return text.substr(at, text.find(",\n", at) - at);
}

TEST(GraphJson, EscapesNames) {
  EXPECT_EQ(written_name("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(written_name("a\nb\tc\x01"), R"("a\u000ab\u0009c\u0001")");
  EXPECT_EQ(written_name(std::string("a\0b", 3)), R"("a\u0000b")");
  EXPECT_EQ(written_name("/layer/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
            "\"/layer/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
}

TEST(GraphJson, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(written_name("a\xff"), R"("a\ufffd")");
  EXPECT_EQ(written_name("\xc3"), R"("\ufffd")");                      // cut short
  EXPECT_EQ(written_name("\xc0\xaf"), R"("\ufffd\ufffd")");            // overlong
  EXPECT_EQ(written_name("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");  // surrogate
  EXPECT_EQ(written_name("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");
}

TEST(GraphJson, SaysWhatTheGrammarHasNoWordsFor) {
  Op op = make_op("Wildcard", std::numeric_limits<size_t>::max(),
                  {unknown_rank(5, DataType::undef)}, {});
  op.kind = 4242;
  const std::string text = json_of({op});
  EXPECT_TRUE(has(text, "\"id\": 18446744073709551615")) << text;
  EXPECT_TRUE(has(text, "\"kind\": \"4242\"")) << text;
  EXPECT_TRUE(has(text, "\"dtype\": \"undef\"")) << text;
  EXPECT_TRUE(has(text, "\"property_type\": \"undef\",\n          \"ndims\": -1")) << text;
}

TEST(GraphJson, PlacesOpsOnRequest) {
  const std::vector<Op> ops = {make_op("Wildcard", 0, {}, {}), make_op("End", 1, {}, {})};
  EXPECT_FALSE(has(json_of(ops), "partition_id"));
  const std::vector<OpPlacement> placements = {{100002, "a"}, {100003, "b"}};
  const std::string text = graph_json(ops, 1, 0, false, {}, {}, placements);
  EXPECT_TRUE(has(text, "\"partition_id\": 100002,\n      \"backend\": \"a\"")) << text;
  EXPECT_TRUE(has(text, "\"partition_id\": 100003,\n      \"backend\": \"b\"")) << text;
}

}  // namespace
}  // namespace iotadnn::impl
