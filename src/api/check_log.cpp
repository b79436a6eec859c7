// SPDX-License-Identifier: Apache-2.0
#include "api/check_log.h"

#include <algorithm>
#include <string>

#include "base/log.h"

namespace iotadnn::impl {

Status log_refusal(std::string_view what, Status status, std::string_view file, int line) {
  if (status.ok() || !verbose_on(Verbose::check)) return status;
  std::string reason = status.message();
  std::replace(reason.begin(), reason.end(), ',', ';');
  verbose_line("graph,create:check," + std::string(what) + "," + reason + "," + std::string(file) +
               ":" + std::to_string(line));
  return status;
}

}  // namespace iotadnn::impl
