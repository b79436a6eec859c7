// SPDX-License-Identifier: Apache-2.0
#include "tools/backend_test.h"

#include <algorithm>
#include <filesystem>

#include "frontends/files/load.h"
#include "frontends/model/compare.h"
#include "frontends/model/error.h"
#include "frontends/model/session.h"

namespace iotadnn::tools {
namespace {

namespace fs = std::filesystem;
using models::ModelError;
using models::Tensor;

std::vector<fs::path> data_sets(const fs::path& folder) {
  std::vector<fs::path> sets;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory() && entry.path().filename().string().rfind("test_data_set_", 0) == 0)
      sets.push_back(entry.path());
  std::sort(sets.begin(), sets.end());
  return sets;
}

std::vector<Tensor> tensors(const fs::path& set, const std::string& prefix, size_t count) {
  std::vector<Tensor> found;
  for (size_t i = 0; i < count; ++i) {
    const fs::path path = set / (prefix + std::to_string(i) + ".pb");
    if (!fs::exists(path)) throw ModelError("'" + path.string() + "' is missing");
    found.push_back(models::load_tensor(path.string()));
  }
  return found;
}

void run_set(const models::Model& model, models::Session& session, const fs::path& set) {
  constexpr models::Tolerance kOnnx{1e-3, 1e-7};
  const auto outputs = session.run(tensors(set, "input_", model.inputs.size()));
  const auto wanted = tensors(set, "output_", model.outputs.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string problem = models::difference(outputs[i], wanted[i], kOnnx);
    if (!problem.empty())
      throw ModelError(set.filename().string() + ", output '" + model.output_names[i] +
                       "': " + problem);
  }
}

}  // namespace

std::vector<std::string> find_backend_tests(const std::string& path) {
  std::vector<std::string> found;
  if (!fs::is_directory(path)) throw ModelError("'" + path + "' is not a folder");
  if (fs::exists(fs::path(path) / "model.onnx")) found.push_back(path);
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_directory() && fs::exists(entry.path() / "model.onnx"))
      found.push_back(entry.path().string());
  if (found.empty()) throw ModelError("'" + path + "' and the folders in it have no model.onnx");
  std::sort(found.begin(), found.end());
  return found;
}

BackendResult run_backend_test(const std::string& folder) {
  Verdict otherwise = Verdict::refused;
  try {
    const models::Model model = models::load_model((fs::path(folder) / "model.onnx").string());
    otherwise = Verdict::failed;
    models::Session session(model);
    const auto sets = data_sets(folder);
    if (sets.empty()) throw ModelError("there is no test_data_set_*");
    for (const fs::path& set : sets)
      run_set(model, session, set);
    return {Verdict::passed, ""};
  } catch (const std::exception& error) {
    return {otherwise, error.what()};
  }
}

}  // namespace iotadnn::tools
