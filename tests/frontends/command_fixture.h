// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontends/files/file.h"
#include "frontends/model_fixture.h"
#include "tools/command.h"

// For tests that call the iotadnn command as a shell does.
namespace iotadnn::models_test {

namespace fs = std::filesystem;

// What the command did.
struct Result {
  int code;
  std::string out;
  std::string err;
};

inline Result call(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = tools::run_command(arguments, out, err);
  return {code, out.str(), err.str()};
}

// With a new folder for each test.
class Command : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "iotadnn_command_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (fs::path(folder_) / name).string(); }

  // y = x + EyeLike(x), of an unknown number of rows.
  std::string model() const {
    OnnxModel model;
    model.input("x", iotadnn_f32, {-1, 3}).node("EyeLike", {"x"}, {"e"});
    model.node("Add", {"x", "e"}, {"y"}).output("y");
    return write(model, "model.onnx");
  }

  std::string write(const OnnxModel& model, const std::string& name) const {
    models::write_file(path(name), model.proto.SerializeAsString());
    return path(name);
  }

  std::string folder_;
};

}  // namespace iotadnn::models_test
