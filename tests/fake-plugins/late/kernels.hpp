// The plugin whose kernels compute: synchronous, and able to read any pointer.
#pragma once

#include <switchyard/plugin.h>

#include <string>

namespace late {

// Loads it and enters it, unless that has been done. Throws where it cannot, and for another file
// than before. The caller holds everything().
void load_kernels(const std::string& file);
const sy_plugin& kernels();
// Its first device, as it describes it.
const sy_device_info& kernels_device();
// What it is told of the host: no options, and one thread.
const sy_host& kernels_host();

}  // namespace late
