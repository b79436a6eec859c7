// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "benchdnn/settings.h"

// What the knob table's rows call. UsageError for every value outside a knob's grammar.
namespace iotadnn::benchdnn {

void set_mode(GlobalSettings& global, const std::string& value);
void set_mode_modifier(GlobalSettings& global, const std::string& value);
void set_max_ms(GlobalSettings& global, const std::string& value);
void set_fix_times(GlobalSettings& global, const std::string& value);
void set_cold_cache(GlobalSettings& global, const std::string& value);
void set_engine(GlobalSettings& global, const std::string& value);
void set_isa(GlobalSettings& global, const std::string& value);
void set_check_ref_impl(GlobalSettings& global, const std::string& value);
void set_inplace(GlobalSettings& global, const std::string& value);
void set_attention_fill(GlobalSettings& global, const std::string& value);
void set_compare(GlobalSettings& global, const std::string& value);
void set_policy(GlobalSettings& global, const std::string& value);
void set_summary(GlobalSettings& global, const std::string& value);
void set_dt(DriverSettings& driver, const std::string& value);
void set_perf_template(DriverSettings& driver, const std::string& value);

std::string one_of(const std::string& value, const std::string& knob,
                   std::initializer_list<std::string_view> allowed);

// "1,2,3": non-negative integers.
// "auto", or MAX_CONCURRENCY[:CORE_TYPE[:THREADS_PER_CORE]] with integers, as given.
std::string parse_context(const std::string& value, const std::string& knob);

std::vector<int64_t> parse_integers(const std::string& value, const std::string& knob);
std::vector<std::optional<Fpmath>> parse_fpmath(const std::string& value);

// Checks one entry's text, so that a wrong one is refused when it is read, not when it is used.
using ValueCheck = void (*)(const std::string& value, const std::string& what);

// "ID:VALUE[+ID:VALUE...][,...]"; an empty entry (as in the JSON) is an empty map.
std::vector<IdValues> parse_id_values(const std::string& value, const std::string& knob,
                                      ValueCheck check);

void check_shape(const std::string& value, const std::string& what);
void check_attrs(const std::string& value, const std::string& what);
void check_op_kind(const std::string& value, const std::string& what);
void check_property(const std::string& value, const std::string& what);
void check_tensor_value(const std::string& value, const std::string& what);

}  // namespace iotadnn::benchdnn
