// SPDX-License-Identifier: Apache-2.0
// One file per case in tests/golden/lower: an op and its tensors, then the program that it lowers
// to in the output's physical order. IOTADNN_UPDATE_GOLDEN=1 rewrites the second part.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lower/layout.h"
#include "lower/lower.h"
#include "ops/op_table.h"
#include "program/text.h"

namespace iotadnn::impl {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(IOTADNN_SOURCE_DIR) / "tests/golden/lower";

struct Golden {
  std::vector<std::string> comments;
  std::vector<std::pair<std::string, std::string>> input;  // "key: value" lines in order
  std::string expected;
};

Golden read_golden(const fs::path& path) {
  std::ifstream file(path);
  Golden golden;
  bool in_program = false;
  for (std::string line; std::getline(file, line);) {
    if (in_program) {
      golden.expected += line + "\n";
    } else if (line == "--") {
      in_program = true;
    } else if (!line.empty() && line[0] == '#') {
      golden.comments.push_back(line);
    } else if (const size_t colon = line.find(": "); colon != std::string::npos) {
      golden.input.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  return golden;
}

void write_golden(const fs::path& path, const Golden& golden, const std::string& program) {
  std::ofstream file(path);
  for (const std::string& comment : golden.comments)
    file << comment << "\n";
  for (const auto& [key, value] : golden.input)
    file << key << ": " << value << "\n";
  file << "--\n" << program;
}

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> values;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, 'x');)
    values.push_back(std::stoll(part));
  return values;
}

// "f32 3x4" or "f32 3x4 strides 4x1"; dense without strides.
LogicalTensor tensor_from(const std::string& text, size_t id) {
  std::istringstream in(text);
  std::string type;
  std::string dims;
  std::string word;
  std::string strides;
  in >> type >> dims >> word >> strides;
  LogicalTensor lt;
  lt.id = id;
  lt.type = data_type_from_name(type);
  lt.layout = LayoutType::strided;
  const auto extents = numbers(dims);
  lt.rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), lt.dims.begin());
  lt.strides = *dense_strides(lt.dims, lt.rank);
  const auto given = numbers(strides);
  std::copy(given.begin(), given.end(), lt.strides.begin());
  return lt;
}

void add_line(Op& op, const std::string& key, const std::string& value) {
  if (key == "op") op.kind = find_op(value)->kind;
  if (key == "input") op.inputs.push_back(tensor_from(value, op.inputs.size()));
  if (key == "output") op.outputs.push_back(tensor_from(value, 100));
  if (key == "k" || key == "axis") op.attrs[find_attr(key)->id] = int64_t{std::stoll(value)};
  if (key == "shape") op.attrs[find_attr(key)->id] = numbers(value);
}

std::string scalars_text(const std::vector<ScalarSource>& scalars) {
  std::string text;
  for (size_t s = 0; s < scalars.size(); ++s) {
    text += "# s" + std::to_string(s) + " = ";
    text += scalars[s].kind == ScalarSource::Kind::attribute
                ? "attribute " + std::to_string(scalars[s].value)
                : "input " + std::to_string(scalars[s].port);
    text += "\n";
  }
  return text;
}

std::string lowered_text(const Golden& golden) {
  Partition partition;
  partition.supported = true;
  partition.ops.resize(1);
  Op& op = partition.ops.front();
  for (const auto& [key, value] : golden.input)
    add_line(op, key, value);
  op.name = "op";
  const Status schema = check_schema(op);
  if (!schema.ok()) return "refused: " + schema.message() + "\n";
  const auto lowered = lower(partition);
  if (!lowered.ok()) return "refused: " + lowered.status().message() + "\n";
  const LogicalTensor& out = op.outputs.front();
  const PhysicalShape shape = physical_shape(lowered->program, out.dims, out.strides);
  return scalars_text(lowered->scalars) + to_text(to_physical(lowered->program, shape.order));
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class LowerGolden : public testing::TestWithParam<std::string> {};

TEST_P(LowerGolden, ProgramIsAsWritten) {
  const fs::path path = kFolder / (GetParam() + ".txt");
  const Golden golden = read_golden(path);
  const std::string actual = lowered_text(golden);
  if (std::getenv("IOTADNN_UPDATE_GOLDEN") != nullptr) {
    write_golden(path, golden, actual);
    return;
  }
  EXPECT_EQ(actual, golden.expected) << path;
}

INSTANTIATE_TEST_SUITE_P(Files, LowerGolden, testing::ValuesIn(golden_names()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace iotadnn::impl
