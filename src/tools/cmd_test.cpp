// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "tools/backend_test.h"
#include "tools/command.h"
#include "tools/subcommands.h"

namespace iotadnn::tools {
namespace {

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "pass";
    case Verdict::refused:
      return "refused";
    case Verdict::failed:
      break;
  }
  return "FAIL";
}

}  // namespace

void add_test(CLI::App& app, const Streams& streams) {
  CLI::App* command = app.add_subcommand(
      "test", "Runs ONNX backend test folders (model.onnx and test_data_set_*) at and below DIR.");
  auto folders = std::make_shared<std::vector<std::string>>();
  command->add_option("DIR", *folders, "Folders of tests")->required();
  command->callback([folders, streams] {
    std::map<Verdict, size_t> counts;
    for (const std::string& path : *folders) {
      for (const std::string& folder : find_backend_tests(path)) {
        const BackendResult result = run_backend_test(folder);
        const std::string name = std::filesystem::path(folder).filename().string();
        ++counts[result.verdict];
        streams.out << word_of(result.verdict) << ' ' << name
                    << (result.reason.empty() ? "" : ": " + result.reason) << std::endl;
      }
    }
    streams.out << counts[Verdict::passed] << " passed, " << counts[Verdict::refused]
                << " refused, " << counts[Verdict::failed] << " failed\n";
    if (counts[Verdict::refused] > 0) streams.result = kBadInput;
    if (counts[Verdict::failed] > 0) streams.result = kFailed;
  });
}

}  // namespace iotadnn::tools
