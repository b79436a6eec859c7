// SPDX-License-Identifier: Apache-2.0
// Random graphs over all ops that are fused, on every ISA against the reference. A failure prints
// the seed that makes the graph alone and the graph with all that it fails without taken away, as
// JSON; a crash prints the seed. IOTADNN_TEST_CASES sets the number of graphs.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <gtest/gtest.h>

#include "kernels/random_region.h"
#include "kernels/region_runner.h"
#include "kernels/shrink_region.h"

namespace iotadnn::test {
namespace {

#ifdef IOTADNN_QUICK_TESTS
constexpr int64_t kGraphs = 1500;
#else
constexpr int64_t kGraphs = 20000;
#endif

// The graph that runs, for a crash.
std::atomic<uint64_t> running_seed{0};

// Says which graph crashed the program, and lets it crash. Only what is safe in a signal handler.
[[maybe_unused]] void tell_the_seed(int signal) {
  char text[] = "crashed; to repeat: IOTADNN_TEST_SEED=00000000000000000000 IOTADNN_TEST_CASES=1\n";
  char* digit = std::strchr(text, '0') + 20;
  for (uint64_t rest = running_seed; rest != 0; rest /= 10)
    *--digit = static_cast<char>('0' + rest % 10);
  if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0) _exit(1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// What goes wrong with the graph under any ISA; "" when nothing does.
std::string fault_of(const RandomRegion& region, ImplCounts& impls) {
  const char* isa_name = "no ISA";
  try {
    const RegionRunner runner(
        region, region.values.size() % 3 != 0 ? Placement::end_flush : Placement::start_flush);
    RegionResults want;
    for (const NamedIsa& isa : host_named_isas()) {
      isa_name = isa.name;
      const RegionResults got = runner.run(isa, impls, want);
      if (isa.isa == iotadnn_cpu_isa_reference)
        want = got;
      else if (std::string text = differences(region, want, got); !text.empty())
        return std::string(isa.name) + ": " + text;
    }
    return "";
  } catch (const std::exception& refused) {
    return std::string(isa_name) + ": " + refused.what();
  }
}

TEST(FusionRandom, EveryIsaAgreesWithTheReference) {
#ifndef __SANITIZE_ADDRESS__  // which says more about a crash
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, tell_the_seed);
#endif
  const uint64_t seed = Random().seed();
  const int64_t wanted = number_of_cases(kGraphs);
  ImplCounts impls;
  int64_t failures = 0;
  for (int64_t i = 0; i < wanted && failures < 3; ++i) {
    const uint64_t own = seed + static_cast<uint64_t>(i);
    running_seed = own;
    Random random(own);
    const RandomRegion region = random_region(random);
    const std::string fault = fault_of(region, impls);
    if (fault.empty()) continue;
    ++failures;
    ImplCounts unused;
    const RandomRegion least =
        shrunk(region, [&](const RandomRegion& r) { return !fault_of(r, unused).empty(); });
    ADD_FAILURE() << fault << "\nto repeat: IOTADNN_TEST_SEED=" << own
                  << " IOTADNN_TEST_CASES=1\nshrunk: " << fault_of(least, unused) << "\n"
                  << json_of(least);
  }
  int64_t all = 0;
  int64_t own = 0;
  for (const NamedIsa& isa : host_named_isas())
    for (const auto& [what, count] : impls) {
      if (what.rfind(std::string(isa.name) + " ran ", 0) != 0) continue;
      all += count;
      if (what == std::string(isa.name) + " ran " + isa.impl) own += count;
    }
  std::string text;
  for (const auto& [what, count] : impls)
    text += what + " " + std::to_string(count) + " times\n";
  RecordProperty("impls", text);
  EXPECT_GE(own, all / 100 * 98) << text;
  if (std::getenv("IOTADNN_TEST_CASES") != nullptr) std::printf("%s", text.c_str());
}

}  // namespace
}  // namespace iotadnn::test
