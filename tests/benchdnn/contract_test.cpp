// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/contract.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

#include "iotadnn/debug.h"

#include "benchdnn/driver_run.h"
#include "benchdnn/errors.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kFolder = IOTADNN_SOURCE_DIR "/benchdnn_inputs/contract/";

std::string text_of(const std::string& name) {
  std::ifstream stream(kFolder + name);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(Contract, EveryCasePasses) {
  const size_t cases = read_contract("test.json", text_of("test.json")).size();
  ASSERT_GT(cases, 40u);
  const DriverRun run = run_driver({"--graph", "--contract=" + kFolder + "test.json"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_THAT(run.text, HasSubstr("passed:" + std::to_string(cases) + " "));
}

// The driver's oracle agrees with the library; it is the file's value that does not.
TEST(Contract, AWrongValueFails) {
  const std::string path = testing::TempDir() + "iotadnn_contract.json";
  std::ofstream(path) << R"({"cases": [
    {"name": "right", "op": "EyeLike", "attributes": {"k": 0}, "inputs": [{"type": "f32",
     "shape": [2, 2]}], "outputs": [{"type": "s8", "shape": [2, 2], "value": [1, 0, 0, 1]}]},
    {"name": "wrong", "op": "EyeLike", "inputs": [{"type": "f32", "shape": [2, 2]}],
     "outputs": [{"type": "s8", "shape": [2, 2], "value": [1, 0, 1, 1]}]}]})";
  const DriverRun run = run_driver({"--graph", "--contract=" + path});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.text, AllOf(HasSubstr("passed:1 "), HasSubstr("failed:1 ")));
  EXPECT_EQ(run_driver({"--graph", "--contract=" + path + "#right"}).exit_code, 0);
  EXPECT_EQ(run_driver({"--graph", "--contract=" + path + "#wrong"}).exit_code, 1);
  EXPECT_THAT(run_driver({"--graph", "--contract=" + path + "#none"}).text,
              HasSubstr("has no case 'none'"));
}

TEST(Contract, BenchCasesAreMeasured) {
  const DriverRun run =
      run_driver({"--mode=P", "--fix-times-per-prb=2", "--graph",
                  "--contract=" + kFolder + "bench.json#eyelike_f32_f32_64x64_k0"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_THAT(run.text, HasSubstr("perf,cpu"));
}

// The manifest is what the library says of its ops.
TEST(Contract, ManifestIsTheTables) {
  const auto manifest = nlohmann::json::parse(text_of("manifest.json"));
  ASSERT_EQ(manifest.at("ops").size(), 3u);
  for (const auto& op : manifest.at("ops")) {
    const auto kind = frontends::op_kind_from_name(op.at("name").get<std::string>());
    ASSERT_TRUE(kind);
    EXPECT_EQ(op, nlohmann::json::parse(iotadnn_op_contract(*kind))) << op.at("name");
  }
}

TEST(Contract, DamagedFilesAreRefused) {
  const auto refusal = [](const std::string& text) {
    try {
      (void)read_contract("bad.json", text);
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto one = [](const std::string& fields) {
    return "{\"cases\": [{\"name\": \"c\", " + fields + "}]}";
  };
  EXPECT_THAT(refusal("{"), HasSubstr("Contract bad.json cannot be read"));
  EXPECT_THAT(refusal("{}"), HasSubstr("cases"));
  EXPECT_THAT(refusal("{\"cases\": [{}]}"), AllOf(HasSubstr("case number 0"), HasSubstr("name")));
  EXPECT_THAT(refusal(one("\"op\": \"Aye\", \"outputs\": []")),
              AllOf(HasSubstr("('c')"), HasSubstr("no op 'Aye'")));
  EXPECT_THAT(refusal(one("\"op\": \"Eye\", \"attributes\": {\"q\": 1}, \"outputs\": []")),
              HasSubstr("no attribute 'q'"));
  EXPECT_THAT(refusal(one("\"op\": \"Eye\", \"outputs\": [{\"type\": \"x\", \"shape\": []}]")),
              HasSubstr("no type 'x'"));
  EXPECT_THAT(refusal(one("\"op\": \"Eye\", \"outputs\": [{\"type\": \"f32\", \"shape\": 3}]")),
              HasSubstr("('c')"));
}

}  // namespace
}  // namespace iotadnn::benchdnn
