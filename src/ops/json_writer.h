// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace iotadnn::impl {

// Writes JSON with 2-space indentation. Calls must nest; keys stand before each value of an object.
class JsonWriter {
 public:
  void begin_object() { begin('{'); }

  void end_object() { end('}'); }

  void begin_array() { begin('['); }

  void end_array() { end(']'); }

  void key(std::string_view name);
  void string(std::string_view text);   // quoted and escaped; invalid UTF-8 becomes U+FFFD
  void literal(std::string_view text);  // a number, true or false

  const std::string& text() const { return text_; }

 private:
  void begin(char bracket);
  void end(char bracket);
  void separate();  // what must stand before the next value or key
  void new_line();

  std::string text_;
  int depth_ = 0;
  bool is_first_ = true;    // nothing written in the innermost object or array yet
  bool after_key_ = false;  // the next value belongs to a key
};

}  // namespace iotadnn::impl
