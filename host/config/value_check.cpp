#include "config/value_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "config/suggestion.hpp"

namespace switchyard::config {
namespace {

template <typename T>
bool is(const ConfigValue& value) {
  return std::holds_alternative<T>(value.data);
}

bool has_type(const ConfigValue& value, ValueType type) {
  switch (type) {
    case ValueType::boolean: return is<bool>(value);
    case ValueType::integer: return is<std::int64_t>(value);
    case ValueType::number: return is<std::int64_t>(value) || is<double>(value);
    case ValueType::string: return is<std::string>(value);
    case ValueType::string_list: return is<ConfigValue::List>(value);
    case ValueType::byte_size: return is<std::int64_t>(value) || is<std::string>(value);
    case ValueType::any: break;
  }
  return true;
}

void check_items_are_strings(const KeyRow& row, const Setting& setting) {
  for (const ConfigValue& item : std::get<ConfigValue::List>(setting.value.data)) {
    if (is<std::string>(item)) continue;
    throw setting_error(setting, item,
                        fmt::format("holds {}; it takes {}", type_name(item), expected_type(row)));
  }
}

void check_allowed(const KeyRow& row, const Setting& setting) {
  const auto& text = std::get<std::string>(setting.value.data);
  const std::vector<std::string> allowed(row.allowed.begin(), row.allowed.end());
  if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return;
  throw setting_error(setting,
                      fmt::format("cannot be {}; it takes one of \"{}\"{}", to_text(setting.value),
                                  fmt::join(allowed, "\", \""), did_you_mean(text, allowed)));
}

}  // namespace

std::string expected_type(const KeyRow& row) {
  switch (row.type) {
    case ValueType::boolean: return "true or false";
    case ValueType::integer: return "an integer";
    case ValueType::number: return "a number";
    case ValueType::string: return "a string";
    case ValueType::string_list: return "a list of strings, such as [\"a\", \"b\"]";
    case ValueType::byte_size: return "a number of bytes, or a size such as \"2GiB\"";
    case ValueType::any: break;
  }
  return "any value";
}

void check_value(const KeyRow& row, const Setting& setting) {
  if (!has_type(setting.value, row.type)) {
    throw setting_error(setting, fmt::format("is {}; it takes {}: {}", type_name(setting.value),
                                             expected_type(row), row.summary));
  }
  if (row.type == ValueType::string_list) check_items_are_strings(row, setting);
  if (!row.allowed.empty()) check_allowed(row, setting);
  if (row.check == nullptr) return;
  if (const auto problem = row.check(setting.value)) {
    const ConfigValue* item = problem->item;
    throw setting_error(setting, item != nullptr ? *item : setting.value, problem->text);
  }
}

}  // namespace switchyard::config
