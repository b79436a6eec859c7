// SPDX-License-Identifier: Apache-2.0
#include "base/cpu.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

constexpr Isa kAll[] = {Isa::reference, Isa::portable, Isa::avx2, Isa::avx512_core,
                        Isa::avx512_core_bf16};

TEST(IsaNames, ReadBackInAnyCase) {
  for (const Isa isa : kAll) {
    std::string name(name_of(isa));
    EXPECT_EQ(isa_from_name(name), isa) << name;
    for (char& c : name)
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_EQ(isa_from_name(name), isa) << name;
  }
}

// oneDNN's names (dnnl_cpu_isa_t and ONEDNN_MAX_CPU_ISA), each mapped down to what exists here.
TEST(IsaNames, OneDnnsMapDown) {
  const std::pair<const char*, Isa> expected[] = {
      {"SSE41", Isa::portable},
      {"AVX", Isa::portable},
      {"AVX2", Isa::avx2},
      {"AVX2_VNNI", Isa::avx2},
      {"AVX2_VNNI_2", Isa::avx2},
      {"AVX512_CORE", Isa::avx512_core},
      {"AVX512_CORE_VNNI", Isa::avx512_core},
      {"AVX512_CORE_BF16", Isa::avx512_core_bf16},
      {"AVX512_CORE_FP16", Isa::avx512_core_bf16},
      {"AVX10_1_512", Isa::avx512_core_bf16},
      {"AVX512_CORE_AMX", Isa::avx512_core_bf16},
      {"AVX10_1_512_AMX", Isa::avx512_core_bf16},
      {"AVX512_CORE_AMX_FP16", Isa::avx512_core_bf16},
      {"AVX10_1_512_AMX_FP16", Isa::avx512_core_bf16},
      {"AVX10_2", Isa::avx512_core_bf16},
      {"AVX10_2_512", Isa::avx512_core_bf16},
      {"AVX10_2_AMX_2", Isa::avx512_core_bf16},
      {"AVX10_2_512_AMX_2", Isa::avx512_core_bf16},
      {"AVX10_2_ACE", Isa::avx512_core_bf16},
      {"DEFAULT", Isa::avx512_core_bf16},
  };
  for (const auto& [name, isa] : expected)
    EXPECT_EQ(isa_from_name(name), isa) << name;
}

TEST(IsaNames, OtherTextIsNone) {
  for (const char* name : {"", "avx3", "AVX2 ", " avx2", "avx512", "all", "2"})
    EXPECT_EQ(isa_from_name(name), std::nullopt) << name;
}

std::set<std::string> cpuinfo_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("flags", 0) == 0) {
      std::istringstream words(line.substr(line.find(':') + 1));
      return {std::istream_iterator<std::string>(words), {}};
    }
  return {};
}

TEST(HostIsa, AgreesWithTheKernel) {
  const auto flags = cpuinfo_flags();
  if (flags.empty()) GTEST_SKIP() << "this system has no /proc/cpuinfo with flags";
  const auto has = [&](std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (flags.count(name) == 0) return false;
    return true;
  };
  Isa expected = Isa::portable;
  if (has({"avx2", "fma", "f16c"})) expected = Isa::avx2;
  if (expected == Isa::avx2 && has({"avx512f", "avx512bw", "avx512dq", "avx512vl"}))
    expected = has({"avx512_bf16"}) ? Isa::avx512_core_bf16 : Isa::avx512_core;
  EXPECT_EQ(host_isa(), expected) << name_of(host_isa());
}

TEST(MaxIsa, TheSmallerOfCapAndHostIsEffective) {
  const auto before = max_isa();
  for (const Isa cap : kAll) {
    set_max_isa(cap);
    ASSERT_TRUE(max_isa().ok());
    EXPECT_EQ(*max_isa(), cap);
    ASSERT_TRUE(effective_isa().ok());
    EXPECT_EQ(*effective_isa(), cap < host_isa() ? cap : host_isa());
  }
  set_max_isa(before.ok() ? *before : Isa::avx512_core_bf16);
}

// The environment is read once in a process, so each case has its own.
class MaxIsaFromEnvironment : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static int code_of(const Result<Isa>& isa, Isa expected) {
    return isa.ok() && *isa == expected ? 0 : 1;
  }
};

TEST_F(MaxIsaFromEnvironment, Caps) {
  EXPECT_EXIT((setenv("IOTADNN_MAX_CPU_ISA", "Portable", 1),
               std::exit(code_of(effective_isa(), Isa::portable))),
              testing::ExitedWithCode(0), "");
}

TEST_F(MaxIsaFromEnvironment, ACallWins) {
  EXPECT_EXIT((setenv("IOTADNN_MAX_CPU_ISA", "nonsense", 1), set_max_isa(Isa::reference),
               std::exit(code_of(effective_isa(), Isa::reference))),
              testing::ExitedWithCode(0), "");
}

TEST_F(MaxIsaFromEnvironment, EmptyIsNoCap) {
  EXPECT_EXIT(
      (setenv("IOTADNN_MAX_CPU_ISA", "", 1), std::exit(code_of(effective_isa(), host_isa()))),
      testing::ExitedWithCode(0), "");
}

TEST_F(MaxIsaFromEnvironment, AnUnknownValueIsTold) {
  EXPECT_EXIT((setenv("IOTADNN_MAX_CPU_ISA", "avx9", 1),
               std::fputs(effective_isa().status().message().c_str(), stderr),
               std::exit(static_cast<int>(max_isa().status().code()))),
              testing::ExitedWithCode(static_cast<int>(StatusCode::invalid_arguments)),
              "IOTADNN_MAX_CPU_ISA is 'avx9'.*AVX512_CORE");
}

TEST(CacheSizes, ArePlausibleAndGrow) {
  const CacheSizes& sizes = cache_sizes();
  EXPECT_GE(sizes.l1, 8 << 10);
  EXPECT_LE(sizes.l1, 1 << 20);
  EXPECT_GT(sizes.l2, sizes.l1);
  EXPECT_GE(sizes.last, sizes.l1);
}

}  // namespace
}  // namespace iotadnn::impl
