// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

// Parts of rewrite() that do not concern shapes. All throw RewriteError.
namespace iotadnn::benchdnn {

void rewrite_attrs(frontends::GraphDesc& graph, const IdValues& op_attrs);
void rewrite_kinds(frontends::GraphDesc& graph, const IdValues& op_kind);
void rewrite_types(frontends::GraphDesc& graph, iotadnn_data_type_t type);
void rewrite_types(frontends::GraphDesc& graph, const IdValues& dt_map);
void rewrite_properties(frontends::GraphDesc& graph, const IdValues& tensor_property);

// The tensor with an id that a knob names.
frontends::TensorDesc& tensor_at(frontends::GraphDesc& graph, size_t id, const char* knob);

}  // namespace iotadnn::benchdnn
