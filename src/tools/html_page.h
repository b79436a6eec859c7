// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/model/plan.h"
#include "tools/partition_text.h"

namespace iotadnn::tools {

// One page of HTML that needs nothing else: the model's graph drawn, partitions in colours, and the
// programs (and listings, if there are any) of `partitions`. Nothing that the model says becomes
// markup. Of large models the first nodes and partitions are shown, and the page says so: it has at
// most some ten megabytes.
std::string html_page(const std::string& title, const models::Model& model,
                      const models::Plan& plan, const std::vector<PartitionText>& partitions);

}  // namespace iotadnn::tools
