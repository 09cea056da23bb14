// From when a plugin gives a storage until the host releases it. The plugin's mutex is held by
// whoever calls.
#pragma once

#include "plugin.hpp"

namespace validation {

// Counts the storage among the device's, and gives it the handle that the host gets.
sy_storage keep(Plugin& plugin, const std::shared_ptr<Device>& device,
                std::shared_ptr<Storage> storage);
// The handle stands for it no more, but for what else has the same address.
void let_go(Plugin& plugin, const std::shared_ptr<Storage>& storage);

}  // namespace validation
