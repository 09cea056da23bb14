#include "config/reload.hpp"

#include <fmt/format.h>

#include "config/key_match.hpp"
#include "config/schema.hpp"

namespace switchyard {

void check_reload(const Config& running, const Config& next) {
  for (const Setting& setting : next.settings) {
    if (config::match(setting.path).row->reload == config::Reload::live) continue;
    const Setting* const before = running.find_setting(to_text(setting.path));
    if (before != nullptr && before->value == setting.value) continue;
    throw setting_error(
        setting, fmt::format("cannot change while the program runs, where it is {}; keep that, or "
                             "start the program again",
                             before ? to_text(before->value) : "not set"));
  }
}

}  // namespace switchyard
