// A plugin's options as one text: to hand them to another process and to compare them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"

namespace switchyard {

// One line of TOML for each option: `threads = 2`.
std::string to_text(const std::vector<PluginOption>& options);

// The options that `to_text` wrote. Throws Error(config) if it did not write this.
std::vector<PluginOption> parse_options(std::string_view text);

}  // namespace switchyard
