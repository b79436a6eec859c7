// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "frontends/model/plan.h"
#include "tools/graph_view.h"

namespace iotadnn::tools {

// The hue of each compiled partition, by its step: far from those of the partitions before it.
std::map<size_t, int> partition_hues(const models::Plan& plan);

// The drawing as an <svg> element, "" without boxes. Box i has the id "vI"; its <title> holds what
// there is to say, "heading: text" on each line.
std::string svg_of(const GraphView& view, const std::map<size_t, int>& hues);

}  // namespace iotadnn::tools
