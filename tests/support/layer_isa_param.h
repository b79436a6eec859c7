// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/cpu.h"

// For tests that link layers of src/ directly; tests of the public API use isa_param.h.
namespace iotadnn::test {

// Every ISA that this host can run, worst first, not above IOTADNN_MAX_CPU_ISA when it is set.
inline std::vector<impl::Isa> host_isas() {
  std::vector<impl::Isa> isas;
  const auto best = impl::effective_isa();
  for (const impl::Isa isa : {impl::Isa::reference, impl::Isa::portable, impl::Isa::avx2,
                              impl::Isa::avx512_core, impl::Isa::avx512_core_bf16})
    if (best.ok() && isa <= *best) isas.push_back(isa);
  return isas;
}

// Those of them that machine code is emitted for; empty on a host without AVX2.
inline std::vector<impl::Isa> host_jit_isas() {
  std::vector<impl::Isa> isas;
  for (const impl::Isa isa : host_isas())
    if (isa >= impl::Isa::avx2) isas.push_back(isa);
  return isas;
}

// For INSTANTIATE_TEST_SUITE_P: the ISA's name as the test's suffix.
inline std::string isa_test_name(const testing::TestParamInfo<impl::Isa>& info) {
  return std::string(impl::name_of(info.param));
}

// Caps the ISA for its lifetime and sets the previous cap again.
class ScopedMaxIsa {
 public:
  explicit ScopedMaxIsa(impl::Isa isa) : before_(impl::max_isa()) { impl::set_max_isa(isa); }

  ~ScopedMaxIsa() {
    if (before_.ok()) impl::set_max_isa(*before_);
  }

  ScopedMaxIsa(const ScopedMaxIsa&) = delete;
  ScopedMaxIsa& operator=(const ScopedMaxIsa&) = delete;

 private:
  impl::Result<impl::Isa> before_;
};

}  // namespace iotadnn::test
