#pragma once

#include <string>

#include "plugin_loader/plugin.hpp"

namespace switchyard {

/// What a plugin says of one of its devices, or with a null `device` of itself: lines for people,
/// empty if it says nothing. A plugin that fails at it is told of in their place.
std::string plugin_report(const Plugin& plugin, sy_device device = nullptr);

}  // namespace switchyard
