#include "config/setting.hpp"

#include <fmt/format.h>

namespace switchyard {

std::string describe(const Origin& origin, Position position) {
  switch (origin.kind) {
    case Origin::Kind::file:
      return fmt::format("{}:{}:{}", origin.source, position.line, position.column);
    case Origin::Kind::environment: return "environment " + origin.source;
    case Origin::Kind::flag: return "flag " + origin.source;
    case Origin::Kind::by_default: break;
  }
  return "default";
}

std::string describe_origin(const Setting& setting) {
  return describe(setting.origin, setting.value.position);
}

Error setting_error(const Setting& setting, std::string_view problem) {
  return setting_error(setting, setting.value, problem);
}

Error setting_error(const Setting& setting, const ConfigValue& item, std::string_view problem) {
  return Error(ErrorKind::config,
               fmt::format("{}: key '{}' {}", describe(setting.origin, item.position),
                           to_text(setting.path), problem));
}

}  // namespace switchyard
