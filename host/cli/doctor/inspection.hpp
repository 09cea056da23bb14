#pragma once

#include <switchyard/runtime.hpp>

#include "config/config.hpp"

namespace switchyard::cli {

/// A runtime that can only be looked at: its plugins are loaded, whatever is wrong with them, and
/// no device is opened. What is wrong is not logged, since the caller shows it.
Runtime inspect(Config config);

/// Throws Error(plugin) if a required plugin is broken.
void check_required(const Runtime& inspected);

}  // namespace switchyard::cli
