// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/random_region_operands.h"

namespace iotadnn::test {

// Sums of which an identity picks a term, and one-hots gathered from one.
class RegionSums : public RegionOperands {
 protected:
  using RegionOperands::RegionOperands;

  void sum();

 private:
  int64_t extent() { return r_.between(0, 5) == 0 ? r_.between(0, 1) : r_.between(2, 9); }

  size_t identity(int wanted, int64_t rows, int64_t columns);
  size_t product();
  size_t diagonal_sum();
  size_t gathered();
};

}  // namespace iotadnn::test
