// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"

namespace iotadnn::frontends {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::string& text) {
  try {
    read_benchdnn_json(text);
  } catch (const GraphError& error) {
    return error.what();
  }
  return "accepted";
}

// An EyeLike graph with pieces replaced.
std::string graph_with(const std::string& op_extra, const std::string& input,
                       const std::string& output = R"({"id":1,"dtype":"f32","shape":[2,3]})") {
  return R"({"graph":[{"id":3,"name":"e","kind":"EyeLike")" + op_extra + R"(,"inputs":[)" + input +
         R"(],"outputs":[)" + output + "]}]}";
}

struct Refused {
  const char* name;
  std::string text;
  std::vector<const char*> words;  // all of them are in the sentence
};

std::vector<Refused> refused_texts() {
  const std::string good = R"({"id":0,"dtype":"f32","shape":[2,3]})";
  return {
      {"empty", "", {"not JSON", "line 1"}},
      {"truncated", R"({"graph":[{"id":)", {"not JSON", "line 1"}},
      {"trailing", R"({"graph":[]} x)", {"not JSON"}},
      {"number_overflow", R"({"graph":[1e999]})", {"not JSON"}},
      {"not_object", "[1,2]", {"the file", "an object", "[1,2]"}},
      {"no_graph", R"({"version":"1"})", {"key 'graph' is missing"}},
      {"graph_not_array", R"({"graph":{}})", {"key 'graph'", "an array"}},
      {"no_op", R"({"graph":[]})", {"key 'graph'", "no op"}},
      {"op_not_object", R"({"graph":[5]})", {"entry 0", "an object", "5"}},
      {"no_id", R"({"graph":[{"kind":"Eye"}]})", {"entry 0", "'id' is missing"}},
      {"negative_id", R"({"graph":[{"id":-1,"kind":"Eye"}]})", {"entry 0", "'id'", "-1"}},
      {"no_kind", R"({"graph":[{"id":3,"name":"e"}]})", {"op 3 ('e')", "'kind' is missing"}},
      {"unknown_kind", R"({"graph":[{"id":3,"kind":"Eya"}]})", {"op 3", "'kind'", "'Eya'"}},
      {"version_not_string", R"({"version":3,"graph":[]})", {"'version'", "a string", "3"}},
      {"fpmath", R"({"fpmath_mode":"f8","graph":[]})", {"fpmath_mode", "'f8'"}},
      {"to_int", R"({"fpmath_mode_apply_to_int":"yes","graph":[]})", {"apply_to_int", "yes"}},
      {"ports", R"({"input_ports":["0"],"graph":[]})", {"'input_ports'", "an integer"}},
      {"tensor_not_object", graph_with("", "7"), {"op 3 ('e'), input 0", "an object", "7"}},
      {"tensor_without_id", graph_with("", R"({"shape":[2]})"), {"input 0", "'id' is missing"}},
      {"fractional_extent",
       graph_with("", R"({"id":0,"shape":[2.5]})"),
       {"op 3 ('e'), input 0, tensor 0", "'shape'", "2.5"}},
      {"huge_extent",
       graph_with("", R"({"id":0,"shape":[9223372036854775808]})"),
       {"input 0", "'shape'", "9223372036854775808"}},
      {"rounded_integer", graph_with("", R"({"id":0,"shape":[1e3]})"), {"'shape'", "1000.0"}},
      {"negative_extent", graph_with("", R"({"id":0,"shape":[2,-1]})"), {"'shape'", "-1"}},
      {"rank_13",
       graph_with("", R"({"id":0,"shape":[1,1,1,1,1,1,1,1,1,1,1,1,1]})"),
       {"'shape'", "rank 13", "12"}},
      {"rank_below_unknown",
       graph_with("", R"({"id":0,"shape":[],"ndims":-2})"),
       {"op 3 ('e'), input 0, tensor 0", "'ndims'", "-2", "-1"}},
      {"unknown_rank_with_extents",
       graph_with("", R"({"id":0,"shape":[2,3],"ndims":-1})"),
       {"'ndims'", "-1", "2 extents"}},
      {"another_rank", graph_with("", R"({"id":0,"shape":[2],"ndims":3})"), {"'ndims'", "3 for"}},
      {"fractional_rank",
       graph_with("", R"({"id":0,"shape":[2],"ndims":1.0})"),
       {"'ndims'", "1.0"}},
      {"f32_text",
       graph_with(R"(,"attrs":{"alpha":{"type":"f32","value":"infinite"}})", good),
       {"op 3 ('e'), attribute 'alpha'", "infinite", "-inf"}},
      {"stride_count",
       graph_with("", R"({"id":0,"shape":[2,3],"stride":[1]})"),
       {"'stride'", "1 strides", "rank 2"}},
      {"overflow",
       graph_with("", R"({"id":0,"shape":[4294967296,4294967296]})"),
       {"op 3 ('e'), input 0, tensor 0", "more bytes"}},
      {"stride_overflow",
       graph_with("", R"({"id":0,"shape":[3,1],"stride":[4611686018427387904,1]})"),
       {"tensor 0", "more bytes"}},
      {"dtype", graph_with("", R"({"id":0,"dtype":"f31"})"), {"tensor 0", "'dtype'", "'f31'"}},
      {"layout", graph_with("", R"({"id":0,"layout_type":"flat"})"), {"'layout_type'", "'flat'"}},
      {"property", graph_with("", R"({"id":0,"property_type":"x"})"), {"'property_type'", "'x'"}},
      {"value", graph_with("", R"({"id":0,"value":"seven"})"), {"'value'", "a number", "seven"}},
      {"value_too_large",
       graph_with("", R"({"id":0,"value":18446744073709551615})"),
       {"'value'", "64 signed bits"}},
      {"unknown_attr",
       graph_with(R"(,"attrs":{"kk":{"type":"s64","value":1}})", good),
       {"op 3 ('e')", "attribute 'kk'", "unknown"}},
      {"attr_without_type",
       graph_with(R"(,"attrs":{"k":{"value":1}})", good),
       {"attribute 'k'", "'type' is missing"}},
      {"attr_type",
       graph_with(R"(,"attrs":{"k":{"type":"s65","value":1}})", good),
       {"attribute 'k'", "'s65'"}},
      {"attr_value",
       graph_with(R"(,"attrs":{"k":{"type":"s64","value":"1"}})", good),
       {"op 3 ('e'), attribute 'k'", "an integer"}},
      {"attr_range",
       graph_with(R"(,"attrs":{"k":{"type":"s64","value":9223372036854775808}})", good),
       {"attribute 'k'", "64 signed bits"}},
      {"attr_bool",
       graph_with(R"(,"attrs":{"keep_dims":{"type":"bool","value":2}})", good),
       {"'keep_dims'", "true, false, 0 or 1"}},
      {"two_descriptions",
       graph_with("", good + R"(,{"id":0,"dtype":"f32","shape":[3,2]})"),
       {"op 3 ('e'), input 1", "tensor 0", "another type, shape or property"}},
      {"cycle",
       graph_with("", good, R"({"id":0,"dtype":"f32","shape":[2,3]})"),
       {"not a DAG", "op 3"}},
      {"duplicate_op",
       R"({"graph":[{"id":1,"kind":"End"},{"id":1,"kind":"End"}]})",
       {"op 1", "same id"}},
      {"two_producers",
       R"({"graph":[{"id":1,"kind":"Eye","outputs":[{"id":5}]},
                    {"id":2,"kind":"Eye","outputs":[{"id":5}]}]})",
       {"op 2", "tensor 5", "op 1", "already produces"}},
  };
}

class Refuses : public testing::TestWithParam<Refused> {};

TEST_P(Refuses, WithOneSentence) {
  const std::string sentence = refusal_of(GetParam().text);
  for (const char* word : GetParam().words)
    EXPECT_THAT(sentence, HasSubstr(word));
  EXPECT_THAT(sentence, Not(HasSubstr("\n")));
  EXPECT_THAT(sentence, Not(HasSubstr("json.exception")));
}

INSTANTIATE_TEST_SUITE_P(BenchdnnJson, Refuses, testing::ValuesIn(refused_texts()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(BenchdnnJsonLimits, DepthIsBounded) {
  const std::string deep(100000, '[');
  EXPECT_THAT(refusal_of(deep), HasSubstr("64 levels"));
  const std::string skipped = R"({"x":)" + std::string(60, '[') + std::string(60, ']') +
                              R"(,"y":"[[[[","graph":[{"id":1,"kind":"End"}]})";
  EXPECT_EQ(refusal_of(skipped), "accepted");
}

TEST(BenchdnnJsonLimits, MissingFile) {
  EXPECT_THROW(read_benchdnn_json_file("/nonexistent/graph.json"), GraphError);
}

// Every prefix and every single-byte change of a good file is read or refused, never a crash.
TEST(BenchdnnJsonLimits, DamagedTextIsReadOrRefused) {
  const std::string good = graph_with(
      R"(,"attrs":{"k":{"type":"s64","value":-1},"shape":{"type":"s64[]","value":[2,3]}})",
      R"({"id":0,"dtype":"f32","shape":[2,3],"stride":[3,1],"property_type":"undef","value":[1,2.5]})");
  ASSERT_EQ(refusal_of(good), "accepted");
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(refusal_of(good.substr(0, size)), "accepted") << size;
  int refused = 0;
  for (size_t at = 0; at < good.size(); ++at) {
    for (const char c : {'\0', '"', '{', ']', '9', '-', 'e', ',', '\\', '\xff'}) {
      std::string damaged = good;
      damaged[at] = c;
      refused += refusal_of(damaged) != "accepted" ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace iotadnn::frontends
