// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every page of html_page() has inside.
namespace iotadnn::tools {

extern const char* const kHtmlStyle;
extern const char* const kHtmlScript;

}  // namespace iotadnn::tools
