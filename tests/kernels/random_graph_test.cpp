// SPDX-License-Identifier: Apache-2.0
// Random generator ops on every ISA against the oracle. A failure prints its seed;
// IOTADNN_TEST_CASES sets the number of cases.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/random.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

constexpr int64_t kMaxElements = 20000;

int64_t number_of_cases() {
  const char* text = std::getenv("IOTADNN_TEST_CASES");
  return text != nullptr ? std::strtoll(text, nullptr, 10) : 1500;
}

std::vector<int64_t> random_dims(Random& random, int64_t rank) {
  std::vector<int64_t> dims;
  int64_t elements = 1;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t room = std::max<int64_t>(1, std::min<int64_t>(300, kMaxElements / elements));
    const int64_t extent =
        random.between(0, 40) == 0
            ? 0
            : random.between(1, random.coin() ? std::min<int64_t>(room, 4) : room);
    dims.push_back(extent);
    elements *= std::max<int64_t>(extent, 1);
  }
  std::shuffle(dims.begin(), dims.end(), random.engine());
  return dims;
}

std::vector<int64_t> random_strides(Random& random, const std::vector<int64_t>& dims) {
  std::vector<int> order(dims.size());
  for (size_t d = 0; d < dims.size(); ++d)
    order[d] = static_cast<int>(d);
  if (random.coin()) return dense_strides(dims);
  std::shuffle(order.begin(), order.end(), random.engine());
  // A gap after each extent multiplies the span: none for high ranks.
  return permuted_strides(dims, order, dims.size() <= 4 ? random.between(0, 3) : 0);
}

int64_t random_diagonal(Random& random, const std::vector<int64_t>& dims) {
  if (random.between(0, 9) == 0)
    return random.coin() ? std::numeric_limits<int64_t>::min() + random.between(0, 2)
                         : std::numeric_limits<int64_t>::max() - random.between(0, 2);
  const int64_t rows = dims[dims.size() - 2];
  const int64_t columns = dims[dims.size() - 1];
  return random.between(-rows - 1, columns + 1);
}

OpCase random_case(Random& random) {
  OpCase c;
  c.kind = random.pick<OpCase::Kind>(
      {OpCase::Kind::eye, OpCase::Kind::eye_like, OpCase::Kind::gen_index});
  const bool is_index = c.kind == OpCase::Kind::gen_index;
  const int64_t rank = c.kind == OpCase::Kind::eye_like ? 2
                       : is_index                       ? random.between(1, 6)
                                                        : random.between(2, 6);
  c.out.data_type =
      is_index ? random.pick<int>({iotadnn_s32, iotadnn_s64}) : random.pick(oracle_types());
  c.out.dims = random_dims(random, rank);
  c.out.strides = random_strides(random, c.out.dims);
  c.source_type = random.pick(oracle_types());
  c.unknown_dims = random.between(0, 3) == 0 && c.out.strides == dense_strides(c.out.dims);
  if (is_index) {
    c.axis = random.between(-rank, rank - 1);
    return c;
  }
  c.k = random_diagonal(random, c.out.dims);
  c.form = random.pick<EyeForm>({EyeForm::attributes, EyeForm::host_scalars, EyeForm::tensors});
  if (c.k == static_cast<int32_t>(c.k) && random.coin()) c.scalar_type = iotadnn_s32;
  return c;
}

class RandomGraphs : public testing::TestWithParam<NamedIsa> {};

TEST_P(RandomGraphs, MatchTheOracle) {
  const ScopedMaxCpuIsa cap(GetParam().isa);
  Random random;
  for (int64_t i = 0; i < number_of_cases(); ++i) {
    OpCase c = random_case(random);
    c.expected_impl = GetParam().impl;
    ASSERT_TRUE(runs_right(c)) << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, RandomGraphs, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
