// What a plugin says of itself and its devices, copied and checked.
#pragma once

#include <switchyard/plugin.h>

#include <string>
#include <vector>

#include "plugin_loader/plugin_table.hpp"

namespace switchyard {

// One device as `probe` listed it. Text is the plugin's own, valid for ever, and never null;
// `claims` of the info points to the claims here, which have this host's size.
struct ProbedDevice {
  sy_device_info info = {};
  std::vector<sy_claim> claims;

  ProbedDevice() = default;
  ProbedDevice(ProbedDevice&&) = default;  // keeps where the claims lie
  ProbedDevice& operator=(ProbedDevice&&) = default;
};

struct ProbeResult {
  bool built = false;      // some device could be driven by this build
  bool available = false;  // at least one device is available
  sy_reason reason = SY_REASON_NONE;
  std::string message;  // why not available, and how to fix it
  std::vector<ProbedDevice> devices;
};

// Asks the plugin. Throws LoadError if it fails, throws, or says what the ABI does not allow: a
// device without a name's or a claim's text, memory that must be mapped without `map`. One caller
// at a time for each plugin.
ProbeResult probe_plugin(const PluginTable& table);

}  // namespace switchyard
