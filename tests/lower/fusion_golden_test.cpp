// SPDX-License-Identifier: Apache-2.0
// One file per graph of benchdnn_inputs/graph/fusion (and its folder refused) and graph/attention
// in tests/golden: how the graph is partitioned, and what each region is lowered to.
// IOTADNN_UPDATE_GOLDEN=1 rewrites them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/names.h"
#include "lower/attention.h"
#include "ops/op_table.h"
#include "program/text.h"

namespace iotadnn::impl {
namespace {

namespace fs = std::filesystem;
using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;

const fs::path kInputs = fs::path(IOTADNN_SOURCE_DIR) / "benchdnn_inputs/graph";
const fs::path kFolder = fs::path(IOTADNN_SOURCE_DIR) / "tests/golden";

LogicalTensor tensor_of(const TensorDesc& desc) {
  LogicalTensor lt;
  lt.id = desc.id;
  lt.type = static_cast<DataType>(desc.data_type);
  lt.property = static_cast<Property>(desc.property);
  lt.layout = LayoutType::strided;
  lt.rank = static_cast<int>(desc.dims->size());
  std::copy(desc.dims->begin(), desc.dims->end(), lt.dims.begin());
  lt.strides = *dense_strides(lt.dims, lt.rank);
  return lt;
}

Op op_of(const GraphDesc& graph, const OpDesc& desc) {
  Op op;
  op.id = desc.id;
  op.kind = static_cast<OpKind>(desc.kind);
  op.name = desc.name;
  for (const auto& [name, value] : desc.attrs)
    std::visit([&, id = find_attr(name)->id](const auto& v) { op.attrs[id] = v; }, value);
  for (const size_t id : desc.inputs)
    op.inputs.push_back(tensor_of(graph.tensors.at(id)));
  for (const size_t id : desc.outputs)
    op.outputs.push_back(tensor_of(graph.tensors.at(id)));
  return op;
}

std::string affine_text(const Affine& affine) {
  std::string text = std::to_string(affine.imm);
  const auto add = [&text](const auto& coefficients, char letter) {
    for (size_t i = 0; i < coefficients.size(); ++i) {
      if (coefficients[i] == 0) continue;
      text += coefficients[i] < 0 ? " - " : " + ";
      if (std::abs(coefficients[i]) != 1) text += std::to_string(std::abs(coefficients[i])) + " ";
      text += letter + std::to_string(i);
    }
  };
  add(affine.coords, 'c');
  add(affine.scalars, 's');
  return text;
}

std::string scalar_text(const RegionScalar& scalar) {
  if (scalar.kind == RegionScalar::Kind::parameter)
    return "parameter " + std::to_string(scalar.bits);
  if (scalar.kind == RegionScalar::Kind::extent)
    return "extent " + std::to_string(scalar.bits) + " of tensor " + std::to_string(scalar.id);
  const bool clipped = scalar.kind == RegionScalar::Kind::diagonal;
  return (clipped ? "diagonal " : "tensor ") + std::to_string(scalar.id);
}

std::string input_text(const RegionInput& input) {
  if (input.id == LoweredAttention::kScore) return "the score";
  const bool is_counts = input.id >= RegionInput::kCounts;
  std::string text = is_counts
                         ? "counts of check " + std::to_string(input.id - RegionInput::kCounts)
                         : "tensor " + std::to_string(input.id);
  text += "[";
  for (int d = 0; d < input.rank; ++d) {
    const auto dim = static_cast<size_t>(d);
    const int8_t axis = input.axes[dim];
    text += (d == 0 ? "" : ", ");
    text += axis == RegionInput::kFixed ? "0" : "c" + std::to_string(axis);
    if (!input.offsets.empty() && !(input.offsets[dim] == Affine{}))
      text += " + (" + affine_text(input.offsets[dim]) + ")";
  }
  return text + "]";
}

std::string program_text(const RegionProgram& program) {
  std::string text;
  for (size_t i = 0; i < program.inputs.size(); ++i)
    text += "i" + std::to_string(i) + " = " + input_text(program.inputs[i]) + "\n";
  return text + to_text(program.program);
}

std::string guards_text(const LoweredRegion& region) {
  std::string text;
  for (const RangeGuard& guard : region.range_guards)
    text += "guard: " + affine_text(guard.value) + " in [" + std::to_string(guard.lo) + ", " +
            std::to_string(guard.hi) + "]\n";
  for (size_t s = 0; s < region.scalars.size(); ++s) {
    if ((region.assumed.finite_scalars >> s & 1u) != 0)
      text += "guard: s" + std::to_string(s) + " is finite\n";
    if ((region.assumed.unit_scalars >> s & 1u) != 0)
      text += "guard: s" + std::to_string(s) + " is 1\n";
    if ((region.assumed.zero_scalars >> s & 1u) != 0)
      text += "guard: s" + std::to_string(s) + " is 0\n";
  }
  for (const FiniteCheck& check : region.finite_checks)
    text += "looked at: tensor " + std::to_string(check.id) + " is finite\n";
  return text;
}

std::string region_text(const Result<LoweredRegion>& region) {
  if (!region.ok()) return "not lowered: " + region.status().message() + "\n";
  std::string text;
  for (size_t s = 0; s < region->scalars.size(); ++s)
    text += "s" + std::to_string(s) + " = " + scalar_text(region->scalars[s]) + "\n";
  text += guards_text(*region) + program_text(region->split);
  if (region->repair) text += "where something is not finite:\n" + program_text(*region->repair);
  if (!region->pointwise) return text + "otherwise: op by op\n";
  if (region->split.program == region->pointwise->program) return text;
  return text + "otherwise:\n" + program_text(*region->pointwise);
}

std::string partition_text(const Partition& partition) {
  std::string text = "partition:";
  for (const Op& op : partition.ops)
    text += " " + op.name;
  text += "\n";
  if (!partition.supported) return text + "refused: " + partition.reason + "\n";
  // A generator alone has walks of its own; tests/golden/lower has what those are lowered to.
  if (partition.ops.size() == 1 && find_op(partition.ops.front().kind)->lower != nullptr)
    return text + "a generator alone\n";
  if (!looks_like_attention(partition)) return text + region_text(lower_region(partition));
  const auto attention = lower_attention(partition);
  if (!attention.ok()) return text + "not lowered: " + attention.status().message() + "\n";
  text += std::string("an attention") +
          (attention->form.inf_as_zero ? ", rows of -inf are 0" : "") +
          (attention->mask ? ", and its mask:\n" : " without a mask\n");
  return attention->mask ? text + region_text(*attention->mask) : text;
}

Status can_lower(const Partition& partition) {
  if (looks_like_attention(partition)) return lower_attention(partition).status();
  const auto region = lower_region(partition);
  return region.ok() ? Status() : region.status();
}

std::string fused_text(const fs::path& path) {
  const GraphDesc desc = frontends::read_benchdnn_json_file(path.string());
  Graph graph(1);
  for (const OpDesc& op_desc : desc.ops) {
    Op op = op_of(desc, op_desc);
    Status status = check_schema(op);
    if (status.ok()) status = graph.add_op(std::move(op));
    if (!status.ok()) return "not added: " + status.message() + "\n";
  }
  if (const Status status = graph.finalize(); !status.ok())
    return "not finalized: " + status.message() + "\n";
  std::string text;
  for (const Partition& partition : make_partitions(graph, Policy::fusion, can_lower))
    text += (text.empty() ? "" : "\n") + partition_text(partition);
  return text;
}

std::vector<std::string> graph_names() {
  std::vector<std::string> names;
  for (const char* folder : {"fusion", "attention"})
    for (const auto& entry : fs::recursive_directory_iterator(kInputs / folder))
      if (entry.path().extension() == ".json")
        names.push_back(fs::relative(entry.path(), kInputs).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

class FusionGolden : public testing::TestWithParam<std::string> {};

TEST_P(FusionGolden, PartitionsAndProgramsAreAsWritten) {
  const std::string actual = fused_text(kInputs / (GetParam() + ".json"));
  const fs::path path = kFolder / (GetParam() + ".txt");
  if (std::getenv("IOTADNN_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << actual;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path << " is missing; IOTADNN_UPDATE_GOLDEN=1 writes it";
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(actual, expected.str());
}

INSTANTIATE_TEST_SUITE_P(Graphs, FusionGolden, testing::ValuesIn(graph_names()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (const char separator : {'/', '-'})
                             std::replace(name.begin(), name.end(), separator, '_');
                           return name;
                         });

}  // namespace
}  // namespace iotadnn::impl
