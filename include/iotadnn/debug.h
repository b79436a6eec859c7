// SPDX-License-Identifier: Apache-2.0
// Names of enum values, and contracts of ops (C99). Names are oneDNN's spellings, e.g.
// "invalid_arguments", "bf16", "cpu". Values outside the enum give "unknown". The strings are
// constants. Thread safe.
#pragma once

#include "iotadnn/iotadnn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The name of `v`, never null.
IOTADNN_API const char* iotadnn_status2str(iotadnn_status_t v);
IOTADNN_API const char* iotadnn_dt2str(iotadnn_data_type_t v);
IOTADNN_API const char* iotadnn_fpmath_mode2str(iotadnn_fpmath_mode_t v);
IOTADNN_API const char* iotadnn_accumulation_mode2str(iotadnn_accumulation_mode_t v);
IOTADNN_API const char* iotadnn_engine_kind2str(iotadnn_engine_kind_t v);
IOTADNN_API const char* iotadnn_cpu_isa2str(iotadnn_cpu_isa_t v);
IOTADNN_API const char* iotadnn_runtime2str(unsigned v);  // IOTADNN_RUNTIME_*

// What an op takes and gives, as a JSON object in UTF-8: "name", "kind", "class", "inputs" and
// "outputs" (each "name", "optional", "types", "type_variable" where ports share a type, and of
// inputs "read": what of them matters), "attributes" (each "name", "type", "required", "default",
// "allowed"), and "output_shape", a rule in words. The text stays valid. Null for ops that iotadnn
// does not compute, with the sentence in iotadnn_get_last_error().
IOTADNN_API const char* iotadnn_op_contract(iotadnn_graph_op_kind_t kind);

#ifdef __cplusplus
}
#endif
