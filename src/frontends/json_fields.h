// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

// Typed access to JSON values; every refusal is a GraphError that says where the value stands, what
// it is and what is allowed. `where` reads like "op 3 ('mask'), input 0".
namespace iotadnn::frontends {

// Parses text within the limits of benchdnn_json.h.
nlohmann::json parse_json(std::string_view text);

// Null when the key is missing.
const nlohmann::json* find_key(const nlohmann::json& object, const char* key);
const nlohmann::json& require_key(const nlohmann::json& object, const char* key,
                                  const std::string& where);

const nlohmann::json& as_object(const nlohmann::json& value, const std::string& where);
const nlohmann::json& as_array(const nlohmann::json& value, const std::string& where);

// A short quotation of a value, so that a message stays one line.
std::string shown(const nlohmann::json& value);

int64_t as_s64(const nlohmann::json& value, const std::string& where);  // exact integers only
size_t as_id(const nlohmann::json& value, const std::string& where);    // 0 .. SIZE_MAX
double as_number(const nlohmann::json& value, const std::string& where);
bool as_bool(const nlohmann::json& value,
             const std::string& where);  // true, false, 0, 1, "true"...
std::string as_string(const nlohmann::json& value, const std::string& where);
std::vector<int64_t> as_s64_list(const nlohmann::json& value, const std::string& where);

}  // namespace iotadnn::frontends
