#pragma once

#include <switchyard/error.hpp>

#include <string>
#include <string_view>

#include "config/value.hpp"

namespace switchyard {

/// Where a setting came from.
struct Origin {
  enum class Kind { by_default, file, environment, flag };

  Kind kind = Kind::by_default;
  std::string source;  // the file or the text's name, the variable, or the flag; "" by default
};

/// One key of the effective configuration.
struct Setting {
  KeyPath path;
  ConfigValue value;
  Origin origin;
};

/// "default", "site.toml:3:9", "environment SWITCHYARD_LOG", "flag --order".
std::string describe(const Origin& origin, Position position);
std::string describe_origin(const Setting& setting);

/// An Error(config) that says what is wrong with this setting, for every module that finds a value
/// it cannot use: "site.toml:3:9: key 'routing.pins.Relu' PROBLEM".
Error setting_error(const Setting& setting, std::string_view problem);

/// The same at one item of a setting whose value is a list.
Error setting_error(const Setting& setting, const ConfigValue& item, std::string_view problem);

}  // namespace switchyard
