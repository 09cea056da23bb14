// Devices: listed, opened, closed, described.
#pragma once

#include <switchyard/plugin.h>

namespace mps {

// Slots of the plugin's table; plugin.h has their contracts.
sy_status probe(sy_probe_args* args, sy_error* error);
sy_status open_device(sy_open_device_args* args, sy_error* error);
sy_status close_device(sy_device_args* args, sy_error* error);
sy_status recover(sy_device_args* args, sy_error* error);
sy_status report(sy_report_args* args, sy_error* error);

}  // namespace mps
