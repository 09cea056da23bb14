// The fake's functions.
#pragma once

#include <switchyard/plugin.h>

namespace fake {

// Every slot as it should be, but for what `behaviour` says.
sy_plugin make_table(sy_status (*probe)(sy_probe_args*, sy_error*));

// The devices as `probe` lists them; they live for ever.
const sy_device_info* device_infos();

}  // namespace fake
