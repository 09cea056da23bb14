#pragma once

#include <cstddef>
#include <memory>

#include "plugin_loader/plugin.hpp"

namespace switchyard {

/// Registers the ops that a loaded plugin brings, all or none. Throws LoadError for one that is not
/// well defined, or that is registered already in other words.
void register_ops_of(const std::shared_ptr<const Plugin>& plugin);
/// How many it brings.
std::size_t count_ops_of(const Plugin& plugin);

}  // namespace switchyard
