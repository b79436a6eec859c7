// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/op_def.h"

namespace iotadnn::impl {

// What an op takes and gives, as a JSON object made from its row of the table: name, kind, class,
// inputs and outputs (name, types, whether it is optional, which ports share a type, what is read
// of it), attributes (name, type, whether it is required, default, allowed strings), and the rule
// of the output's shape in words. "" for ops without a signature or a shape rule: the host's.
std::string contract_json(const OpDef& def);

}  // namespace iotadnn::impl
