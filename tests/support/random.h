// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace iotadnn::test {

// Random choices of a test. The seed is a new one in each run, or IOTADNN_TEST_SEED; when the test
// has failed by the time the object dies, the seed is printed, so that the run can be repeated:
//   IOTADNN_TEST_SEED=123 bin/some_test --gtest_filter=...
class Random {
 public:
  Random() : seed_(choose_seed()), engine_(seed_) {}

  // With a seed that the test makes from the first one; it prints what is needed itself.
  explicit Random(uint64_t seed) : seed_(seed), engine_(seed_), prints_(false) {}

  ~Random() {
    if (prints_ && testing::Test::HasFailure())
      std::fprintf(stderr, "to repeat: IOTADNN_TEST_SEED=%llu\n",
                   static_cast<unsigned long long>(seed_));
  }

  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  uint64_t seed() const { return seed_; }

  // An integer in [lo, hi], all equally likely.
  int64_t between(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(engine_);
  }

  bool coin() { return between(0, 1) == 1; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(between(0, static_cast<int64_t>(from.size()) - 1))];
  }

  std::mt19937_64& engine() { return engine_; }

 private:
  static uint64_t choose_seed() {
    if (const char* text = std::getenv("IOTADNN_TEST_SEED"))
      return std::strtoull(text, nullptr, 10);
    return std::random_device{}();
  }

  uint64_t seed_;
  std::mt19937_64 engine_;
  bool prints_ = true;
};

// How many cases a test of random cases runs: IOTADNN_TEST_CASES or the test's own number.
inline int64_t number_of_cases(int64_t by_default) {
  const char* text = std::getenv("IOTADNN_TEST_CASES");
  return text != nullptr ? std::strtoll(text, nullptr, 10) : by_default;
}

}  // namespace iotadnn::test
