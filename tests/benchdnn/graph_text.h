// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// The dump of verbose level 7: one stanza per op, "{(id) Kind}", then its inputs, outputs and
// attributes, a tensor as "id:type:1x2x3:strides" (and "=value" where it has one).
std::string graph_text(const frontends::GraphDesc& graph);

}  // namespace iotadnn::benchdnn
