#pragma once

#include <memory>

#include "plugin_loader/plugin.hpp"

namespace switchyard {

/// Registers the ops that a loaded plugin brings. Throws Error(plugin) for one that is not well
/// defined, or that is registered already in other words.
void register_ops_of(const std::shared_ptr<const Plugin>& plugin);

}  // namespace switchyard
