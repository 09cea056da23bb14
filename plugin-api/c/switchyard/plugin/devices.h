/// @file
/// What `probe` tells: the devices, and why there is none.
#ifndef SWITCHYARD_PLUGIN_DEVICES_H_
#define SWITCHYARD_PLUGIN_DEVICES_H_

#include <stdint.h>
#include <switchyard/plugin.h>

/// Lists `count` devices, of which there is at least one. They are not copied, and must stay as
/// they are for ever. If none is available, the first says why.
static inline void sy_set_devices(sy_probe_args* args, const sy_device_info* devices,
                                  uint32_t count) {
  const sy_device_info* shown = devices;
  args->built = 0;
  for (uint32_t i = count; i-- > 0;) {
    const sy_device_info* device = SY_AT(sy_device_info, devices, i);
    if (device->available) shown = device;
    if (device->built) args->built = 1;
  }
  args->available = shown->available;
  args->reason = shown->reason;
  args->message = shown->message;
  args->devices = devices;
  args->device_count = count;
}

#endif  // SWITCHYARD_PLUGIN_DEVICES_H_
