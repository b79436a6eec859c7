// SPDX-License-Identifier: Apache-2.0
#include "frontends/json_fields.h"

#include <limits>

#include "frontends/benchdnn_json.h"

namespace iotadnn::frontends {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const json& value, const std::string& where, const char* allowed) {
  throw GraphError(where + ": expected " + allowed + ", got " + shown(value));
}

// The DOM of the parser is built and destroyed recursively by its users, so depth is bounded
// before.
void check_depth(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth > kMaxJsonDepth)
      throw GraphError("JSON is nested more than " + std::to_string(kMaxJsonDepth) +
                       " levels deep at byte " + std::to_string(i));
  }
}

}  // namespace

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  constexpr size_t kLongest = 40;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

json parse_json(std::string_view text) {
  if (text.size() > kMaxJsonBytes)
    throw GraphError("JSON of " + std::to_string(text.size()) + " bytes exceeds the limit of " +
                     std::to_string(kMaxJsonBytes) + " bytes");
  check_depth(text);
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..." less the tag.
    const std::string what = error.what();
    const size_t tag_end = what.find("] ");
    throw GraphError("not JSON: " +
                     (tag_end == std::string::npos ? what : what.substr(tag_end + 2)));
  }
}

const json* find_key(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const json& require_key(const json& object, const char* key, const std::string& where) {
  const json* value = find_key(object, key);
  if (value == nullptr) throw GraphError(where + ": key '" + key + "' is missing");
  return *value;
}

const json& as_object(const json& value, const std::string& where) {
  if (!value.is_object()) refuse(value, where, "an object");
  return value;
}

const json& as_array(const json& value, const std::string& where) {
  if (!value.is_array()) refuse(value, where, "an array");
  return value;
}

int64_t as_s64(const json& value, const std::string& where) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      refuse(value, where, "an integer that 64 signed bits hold");
    return static_cast<int64_t>(number);
  }
  if (!value.is_number_integer()) refuse(value, where, "an integer that 64 signed bits hold");
  return value.get<int64_t>();
}

size_t as_id(const json& value, const std::string& where) {
  if (value.is_number_unsigned()) return value.get<size_t>();
  if (!value.is_number_integer() || value.get<int64_t>() < 0)
    refuse(value, where, "an integer from 0 to 18446744073709551615");
  return static_cast<size_t>(value.get<int64_t>());
}

double as_number(const json& value, const std::string& where) {
  if (!value.is_number()) refuse(value, where, "a number");
  return value.get<double>();
}

bool as_bool(const json& value, const std::string& where) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer() && (value == 0 || value == 1)) return value == 1;
  if (value == "true" || value == "false") return value == "true";
  refuse(value, where, "true, false, 0 or 1");
}

std::string as_string(const json& value, const std::string& where) {
  if (!value.is_string()) refuse(value, where, "a string");
  return value.get<std::string>();
}

std::vector<int64_t> as_s64_list(const json& value, const std::string& where) {
  std::vector<int64_t> list;
  for (const json& entry : as_array(value, where))
    list.push_back(as_s64(entry, where));
  return list;
}

}  // namespace iotadnn::frontends
