// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "program/program.h"

namespace iotadnn::impl {

// The text form shown in program.h; parse_program(to_text(p)) == p for every verified p.
std::string to_text(const RowProgram& program);

// Blank lines, and what follows a '#' on a line, do not count. invalid_arguments with the line
// number and what was expected there, or with what the verifier refuses. Work is linear in the
// text.
Result<RowProgram> parse_program(std::string_view text);

}  // namespace iotadnn::impl
