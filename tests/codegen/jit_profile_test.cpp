// SPDX-License-Identifier: Apache-2.0
#include "codegen/jit_profile.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace iotadnn::test {
namespace {

const std::vector<uint8_t> kCode = {0xb8, 1, 0, 0, 0, 0xc3};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs in a directory of its own and leaves all reports off.
class JitProfile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/iotadnn-test-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory_ = name;
    char before[4096];
    ASSERT_NE(getcwd(before, sizeof before), nullptr);
    before_ = before;
    ASSERT_EQ(chdir(name), 0);
  }

  void TearDown() override {
    impl::set_kernel_dump(false);
    EXPECT_TRUE(impl::set_kernel_profiling(0).ok());
    EXPECT_EQ(chdir(before_.c_str()), 0);
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    DIR* directory = opendir(directory_.c_str());
    while (const dirent* entry = readdir(directory))
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    closedir(directory);
    return names;
  }

  std::string directory_;
  std::string before_;
};

TEST_F(JitProfile, WritesNothingWhenOff) {
  impl::set_kernel_dump(false);
  ASSERT_TRUE(impl::set_kernel_profiling(0).ok());
  impl::report_kernel("quiet", kCode.data(), kCode.size());
  EXPECT_TRUE(files().empty());
}

TEST_F(JitProfile, DumpsTheBytesOfAKernel) {
  impl::set_kernel_dump(true);
  impl::report_kernel("some_kernel", kCode.data(), kCode.size());
  const auto names = files();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].rfind("iotadnn_dump_cpu_some_kernel.", 0), 0u) << names[0];
  EXPECT_EQ(names[0].substr(names[0].size() - 4), ".bin");
  EXPECT_EQ(contents(directory_ + "/" + names[0]), std::string(kCode.begin(), kCode.end()));
}

TEST_F(JitProfile, AddsALineToThePerfMap) {
  ASSERT_TRUE(impl::set_kernel_profiling(2).ok());
  impl::report_kernel("mapped_kernel", kCode.data(), kCode.size());
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  char line[100];
  std::snprintf(line, sizeof line, "%zx %zx mapped_kernel\n",
                reinterpret_cast<size_t>(kCode.data()), kCode.size());
  EXPECT_NE(contents(path).find(line), std::string::npos) << contents(path);
  std::remove(path.c_str());
}

TEST_F(JitProfile, AddsARecordToTheJitDumpFile) {
  impl::set_kernel_jitdump_directory(directory_);
  ASSERT_TRUE(impl::set_kernel_profiling(4).ok());
  impl::report_kernel("dumped_kernel", kCode.data(), kCode.size());
  const std::string pid = std::to_string(getpid());
  const std::string file =
      contents(directory_ + "/.debug/jit/iotadnn." + pid + "/jit-" + pid + ".dump");
  constexpr size_t kHeader = 40, kRecord = 56;
  const std::string name("dumped_kernel\0", 14);
  ASSERT_EQ(file.size(), kHeader + kRecord + name.size() + kCode.size());
  EXPECT_EQ(file.substr(0, 4), "DTiJ");  // 0x4A695444, little-endian
  EXPECT_EQ(file.substr(kHeader + kRecord, name.size()), name);
  EXPECT_EQ(file.substr(kHeader + kRecord + name.size()), std::string(kCode.begin(), kCode.end()));
  uint64_t address = 0;
  std::memcpy(&address, file.data() + kHeader + 32, sizeof address);
  EXPECT_EQ(address, reinterpret_cast<uintptr_t>(kCode.data()));
}

TEST_F(JitProfile, RefusesUnknownFlagsWithASentence) {
  EXPECT_TRUE(impl::set_kernel_profiling(14).ok());
  const auto status = impl::set_kernel_profiling(1);
  EXPECT_EQ(status.code(), impl::StatusCode::invalid_arguments);
  EXPECT_NE(status.message().find("1"), std::string::npos);
  EXPECT_NE(status.message().find("perf map"), std::string::npos);
}

}  // namespace
}  // namespace iotadnn::test
