// SPDX-License-Identifier: Apache-2.0
#include "codegen/exec_memory.h"

#include <unistd.h>

#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/kernel_check.h"
#include "support/layer_isa_param.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using impl::ExecMemory;

// mov eax, value; ret
std::vector<uint8_t> code_that_returns(uint8_t value) {
  return {0xb8, value, 0, 0, 0, 0xc3};
}

int call(const impl::ExecCode& code) {
  return reinterpret_cast<int (*)()>(reinterpret_cast<uintptr_t>(code.entry()))();
}

std::unique_ptr<const impl::ExecCode> publish(uint8_t value) {
  const auto bytes = code_that_returns(value);
  auto code = impl::publish_code(bytes.data(), bytes.size());
  EXPECT_TRUE(code.ok()) << code.status().message();
  return code.ok() ? std::move(*code) : nullptr;
}

std::string mapping_that_is_writable_and_executable() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::string rights = line.substr(line.find(' ') + 1, 4);
    if (rights.find('w') != std::string::npos && rights.find('x') != std::string::npos) return line;
  }
  return "";
}

std::string exec_memory_name(const testing::TestParamInfo<ExecMemory>& info) {
  return info.param == ExecMemory::automatic ? "automatic" : "private_pages";
}

class ExecMemoryTest : public testing::TestWithParam<ExecMemory> {
 protected:
  void SetUp() override { impl::set_exec_memory_for_test(GetParam()); }

  void TearDown() override { impl::set_exec_memory_for_test(ExecMemory::automatic); }
};

TEST_P(ExecMemoryTest, RunsWhatWasPublished) {
  std::vector<std::unique_ptr<const impl::ExecCode>> codes;
  for (int i = 0; i < 200; i++)
    codes.push_back(publish(static_cast<uint8_t>(i)));
  for (int i = 0; i < 200; i++) {
    ASSERT_NE(codes[static_cast<size_t>(i)], nullptr);
    EXPECT_EQ(call(*codes[static_cast<size_t>(i)]), i);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(codes[static_cast<size_t>(i)]->entry()) % 64, 0u);
  }
}

TEST_P(ExecMemoryTest, NoMappingIsWritableAndExecutable) {
  const auto code = publish(1);
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(mapping_that_is_writable_and_executable(), "");
}

TEST_P(ExecMemoryTest, ReusesPlacesOfCodeThatWent) {
  for (int i = 0; i < 20000; i++) {
    const auto code = publish(static_cast<uint8_t>(i));
    ASSERT_NE(code, nullptr);
    ASSERT_EQ(call(*code), i % 256);
  }
}

TEST_P(ExecMemoryTest, ServesThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); t++)
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 500; i++) {
        const auto value = static_cast<uint8_t>(t * 50 + static_cast<size_t>(i) % 50);
        const auto bytes = code_that_returns(value);
        const auto code = impl::publish_code(bytes.data(), bytes.size());
        if (!code.ok() || call(**code) != value) wrong[t]++;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// Both sides of a fork go on publishing; neither may see the other's code.
TEST_P(ExecMemoryTest, ParentAndChildDoNotShareCode) {
  const auto before = publish(1);
  auto gone = publish(2);
  ASSERT_NE(before, nullptr);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    gone.reset();
    bool ok = true;
    std::vector<std::unique_ptr<const impl::ExecCode>> mine;
    for (int i = 0; i < 50; i++)
      mine.push_back(publish(3));
    const char byte = 0;
    ok = write(ready[1], &byte, 1) == 1 && ok;
    for (const auto& code : mine)
      ok = ok && code != nullptr && call(*code) == 3;
    ok = ok && call(*before) == 1;
    _exit(ok ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(call(*gone), 2);
  gone.reset();
  std::vector<std::unique_ptr<const impl::ExecCode>> mine;
  for (int i = 0; i < 50; i++)
    mine.push_back(publish(4));
  for (const auto& code : mine)
    EXPECT_EQ(call(*code), 4);
  EXPECT_EQ(call(*before), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_P(ExecMemoryTest, LargeCodeHasItsOwnPlace) {
  std::vector<uint8_t> bytes = code_that_returns(9);
  bytes.resize(size_t{1} << 20, 0xcc);
  const auto code = impl::publish_code(bytes.data(), bytes.size());
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(call(**code), 9);
}

INSTANTIATE_TEST_SUITE_P(All, ExecMemoryTest,
                         testing::Values(ExecMemory::automatic, ExecMemory::private_pages),
                         exec_memory_name);

TEST(RefusedExecMemory, IsAStatusWithASentence) {
  impl::set_exec_memory_for_test(ExecMemory::refused);
  const auto kernel = impl::compile_kernel(eye_program(2, 4, 0, 1), impl::KernelConfig());
  impl::set_exec_memory_for_test(ExecMemory::automatic);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.status().code(), impl::StatusCode::runtime_error);
  EXPECT_NE(kernel.status().message().find("executable memory is refused"), std::string::npos)
      << kernel.status().message();
}

TEST(ExecMemory, KernelsAreNeverWritableAndExecutable) {
  std::vector<std::shared_ptr<const impl::Kernel>> kernels;
  for (const impl::Isa isa : host_jit_isas())
    kernels.push_back(compile(eye_program(2, 4, 0, 1), isa, impl::Walk::rows));
  EXPECT_EQ(mapping_that_is_writable_and_executable(), "");
}

}  // namespace
}  // namespace iotadnn::test
