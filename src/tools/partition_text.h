// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/model/plan.h"

namespace iotadnn::tools {

struct KernelText {
  std::string heading;
  std::string listing;
  size_t first_step = 0;  // the partition that has the same code and comes first, maybe this one
};

// What a compiled partition is made of, as text.
struct PartitionText {
  size_t step = 0;
  std::string runner;
  std::string kinds;
  std::string program;
  std::vector<KernelText> kernels;  // empty without listings, or where no_kernel says why
  std::string no_kernel;
};

// One for each compiled step of the plan. ModelError when listings are wanted and there is no
// objdump.
std::vector<PartitionText> partition_texts(const models::Model& model, const models::Plan& plan,
                                           bool with_listings);

}  // namespace iotadnn::tools
