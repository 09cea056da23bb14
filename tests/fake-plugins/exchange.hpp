// Memory of a fake device as others see it, and theirs as it sees it.
#pragma once

#include <switchyard/plugin.h>

namespace fake {

// import_memory and export_memory, of memory that the fakes call a device's own.
void set_exchange_slots(sy_plugin& table);

// What tells that two fakes drive one processor.
void describe_exchange(sy_device_info& info);

}  // namespace fake
