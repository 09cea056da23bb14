#include "config/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace switchyard {
namespace {

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(byte));
    } else {
      result += c;
    }
  }
  return result += '"';
}

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  // Without a point or an exponent it would be read back as an integer.
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

bool is_bare(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

struct Writer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number(value); }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
  std::string operator()(const ConfigValue::List& list) const {
    std::string text = "[";
    for (const ConfigValue& item : list) {
      if (text.size() > 1) text += ", ";
      text += to_text(item);
    }
    return text += "]";
  }
};

}  // namespace

std::string to_text(const ConfigValue& value) { return std::visit(Writer{}, value.data); }

std::string to_text(const KeyPath& path) {
  std::string text;
  for (const std::string& name : path) {
    if (!text.empty()) text += '.';
    text += is_bare(name) ? name : in_quotes(name);
  }
  return text;
}

std::string_view type_name(const ConfigValue& value) {
  static constexpr std::array<std::string_view, 5> names = {"a boolean", "an integer", "a float",
                                                            "a string", "a list"};
  return names[value.data.index()];
}

}  // namespace switchyard
