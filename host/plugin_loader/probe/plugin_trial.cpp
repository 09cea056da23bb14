#include "plugin_loader/probe/plugin_trial.hpp"

#include <fmt/format.h>
#include <switchyard/plugin.h>

#include <cstddef>
#include <cstring>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/loaded_libraries.hpp"
#include "plugin_loader/option_text.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "plugin_loader/plugin_services.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/probe_result.hpp"
#include "plugin_loader/shared_library.hpp"

namespace switchyard {
namespace {

std::size_t length(const char* text) { return text == nullptr ? 0 : std::strlen(text); }

// A pointer to nowhere shall end this process, and not the one that prints the text.
std::size_t length_of_texts(const PluginTable& table, const ProbeResult& probed) {
  std::size_t sum = length(table.slots.version) + length(table.slots.build);
  for (const ProbedDevice& device : probed.devices) {
    const sy_device_info& info = device.info;
    sum += length(info.name) + length(info.message);
    sum += length(info.architecture) + length(info.pci_address);
    for (const sy_claim& claim : device.claims) sum += length(claim.domain) + length(claim.op);
  }
  return sum;
}

void open_and_close(const PluginTable& table, std::uint32_t index, TrialAnswer answer) {
  const sy_device_listener listener{sizeof(listener), 0, nullptr, [](void*, const char*) {}};
  sy_open_device_args opening{};
  opening.struct_size = sizeof(opening);
  opening.index = index;
  opening.host = table.host;
  opening.listener = &listener;
  answer(fmt::format("opening device {}", index));
  const PluginCallOutcome outcome = call_plugin(table.slots.open_device, opening);
  if (outcome.status != SY_OK || opening.device == nullptr) return;
  answer(fmt::format("closing device {}", index));
  sy_device_args closing{sizeof(closing), 0, nullptr, opening.device};
  call_plugin(table.slots.close_device, closing);
}

void leave(const PluginTable& table, TrialAnswer answer) {
  answer("leaving");
  sy_leave_args leaving{sizeof(leaving), 0, nullptr, table.host};
  call_plugin(table.slots.leave, leaving);
}

void enter_and_open(const std::string& path, const sy_host& host, TrialAnswer answer) {
  answer("loading");
  const sy_plugin_entry entry = open_library(path);
  answer("entering");
  const PluginTable table = enter_plugin(entry, host);
  answer("probing");
  const ProbeResult probed = probe_plugin(table);
  answer("reading what it says");
  answer(fmt::format("after {} characters of text", length_of_texts(table, probed)));
  for (std::uint32_t i = 0; i < probed.devices.size(); ++i) {
    if (probed.devices[i].info.available != 0) open_and_close(table, i, answer);
  }
  leave(table, answer);
}

}  // namespace

void try_plugin(const std::string& path, const std::string& options, std::uint32_t threads,
                TrialAnswer answer) {
  const PluginServices services("trial", path, parse_options(options), threads);
  try {
    enter_and_open(path, services.host(), answer);
  } catch (const LoadError& error) {
    answer(error.what());
  }
  for (const std::string& library : loaded_libraries()) answer("uses " + library);
}

}  // namespace switchyard
