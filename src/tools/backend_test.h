// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace iotadnn::tools {

// Folders of ONNX backend tests (model.onnx and test_data_set_*/{input,output}_N.pb) at `path` and
// below it, sorted. ModelError when there is none.
std::vector<std::string> find_backend_tests(const std::string& path);

enum class Verdict {
  passed,
  refused,  // the reader does not support the model
  failed,
};

struct BackendResult {
  Verdict verdict;
  std::string reason;  // "" when it passed
};

// Runs all data sets of one folder and compares with the outputs within the tolerance of ONNX's own
// runner (1e-3 relative, 1e-7 absolute).
BackendResult run_backend_test(const std::string& folder);

}  // namespace iotadnn::tools
