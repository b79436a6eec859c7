// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/case_end.h"

#include <cstdio>

namespace iotadnn::benchdnn {

void fail(State state, const std::string& sentence) {
  std::printf("Error: %s\n", sentence.c_str());
  throw CaseEnd{state, ""};
}

CaseEnd end_of(iotadnn_status_t status) {
  switch (status) {
    case iotadnn_success:
      return {State::executed, ""};
    case iotadnn_out_of_memory:
      return {State::skipped, "Not enough RAM"};
    case iotadnn_invalid_arguments:
    case iotadnn_invalid_graph_op:
      return {State::invalid_arguments, ""};
    case iotadnn_unimplemented:
      return {State::unimplemented, ""};
    case iotadnn_invalid_graph:
    case iotadnn_invalid_shape:
      return {State::skipped, "Invalid case"};
    case iotadnn_invalid_data_type:
      return {State::skipped, "Data type not supported"};
    case iotadnn_runtime_error:
    case iotadnn_last_impl_reached:
    case iotadnn_not_required:
      return {State::failed, ""};
  }
  return {State::failed, ""};
}

}  // namespace iotadnn::benchdnn
