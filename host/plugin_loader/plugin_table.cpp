#include "plugin_loader/plugin_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "plugin_loader/default_slots.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "plugin_loader/sized_struct.hpp"

namespace switchyard {
namespace {

struct Slot {
  std::string_view name;
  std::size_t offset;
};

constexpr Slot required_slots[] = {
    {"probe", offsetof(sy_plugin, probe)},
    {"open_device", offsetof(sy_plugin, open_device)},
    {"close_device", offsetof(sy_plugin, close_device)},
    {"allocate", offsetof(sy_plugin, allocate)},
    {"release", offsetof(sy_plugin, release)},
    {"copy", offsetof(sy_plugin, copy)},
    {"create_stream", offsetof(sy_plugin, create_stream)},
    {"destroy_stream", offsetof(sy_plugin, destroy_stream)},
    {"completed", offsetof(sy_plugin, completed)},
    {"wait", offsetof(sy_plugin, wait)},
    {"prepare", offsetof(sy_plugin, prepare)},
    {"destroy_kernel", offsetof(sy_plugin, destroy_kernel)},
    {"run", offsetof(sy_plugin, run)},
};

constexpr Slot event_slots[] = {
    {"create_event", offsetof(sy_plugin, create_event)},
    {"destroy_event", offsetof(sy_plugin, destroy_event)},
    {"record_event", offsetof(sy_plugin, record_event)},
    {"wait_for_event", offsetof(sy_plugin, wait_for_event)},
    {"wait_event", offsetof(sy_plugin, wait_event)},
};

// Of each of these the plugin has all slots, or none.
constexpr Slot allocated_host_slots[] = {
    {"allocate_host", offsetof(sy_plugin, allocate_host)},
    {"release_host", offsetof(sy_plugin, release_host)},
};
constexpr Slot registered_host_slots[] = {
    {"register_host", offsetof(sy_plugin, register_host)},
    {"unregister_host", offsetof(sy_plugin, unregister_host)},
};

bool is_set(const sy_plugin& table, const Slot& slot) {
  void (*function)() = nullptr;
  std::memcpy(&function, reinterpret_cast<const char*>(&table) + slot.offset, sizeof(function));
  return function != nullptr;
}

template <std::size_t Count>
std::string missing_of(const sy_plugin& table, const Slot (&slots)[Count]) {
  std::string names;
  for (const Slot& slot : slots) {
    if (is_set(table, slot)) continue;
    names += names.empty() ? "" : ", ";
    names += slot.name;
  }
  return names;
}

[[noreturn]] void fail_incomplete(std::string reason) {
  throw LoadError(LoadProblem::incomplete, std::move(reason),
                  "Tell the plugin's author; switchyard/plugin.h says which slots are required.");
}

[[noreturn]] void fail_version(const std::string& words) {
  throw LoadError(
      LoadProblem::wrong_version,
      fmt::format("this host speaks ABI {0} to {0}, but the plugin {1}",
                  version_text(SY_ABI_VERSION), words),
      fmt::format(
          "Install a build of the plugin for ABI {}, or a Switchyard that speaks the plugin's.",
          version_text(SY_ABI_VERSION)));
}

// Whether the table has these slots, which are of `what`. Throws LoadError if it has some of them.
template <std::size_t Count>
bool has_all_or_none(const sy_plugin& table, const Slot (&slots)[Count], std::string_view what) {
  const std::string missing = missing_of(table, slots);
  if (missing.empty()) return true;
  if (std::any_of(std::begin(slots), std::end(slots),
                  [&](const Slot& slot) { return is_set(table, slot); })) {
    fail_incomplete(fmt::format("its table has some slots of {} but lacks {}", what, missing));
  }
  return false;
}

sy_plugin copy_given(const sy_plugin& given) {
  if (!is_struct_size(given.struct_size, offsetof(sy_plugin, probe))) {
    fail_incomplete(
        fmt::format("its table has a struct_size of {} bytes, which ends before its "
                    "first slot or within one",
                    given.struct_size));
  }
  return copy_sized(given, given.struct_size);
}

}  // namespace

std::string version_text(std::uint32_t abi_version) {
  return fmt::format("{}.{}", abi_version >> 16, abi_version & 0xffffu);
}

PluginTable copy_table(const sy_plugin& given) {
  PluginTable table;
  table.slots = copy_given(given);
  const sy_plugin& slots = table.slots;
  if (slots.abi_version != SY_ABI_VERSION) {
    fail_version(fmt::format("speaks {}", version_text(slots.abi_version)));
  }
  const std::string missing = missing_of(slots, required_slots);
  if (!missing.empty()) {
    fail_incomplete(
        fmt::format("its table of {} bytes lacks the required {}", given.struct_size, missing));
  }
  table.has_events = has_all_or_none(slots, event_slots, "events");
  has_all_or_none(slots, allocated_host_slots, "allocated host memory");
  has_all_or_none(slots, registered_host_slots, "registered host memory");
  table.has_map = slots.map != nullptr && slots.unmap != nullptr;
  table.has_release_constant = slots.release_constant != nullptr;
  table.has_elapsed_time = slots.elapsed_time != nullptr;
  table.has_workspace = slots.workspace != nullptr;
  fill_default_slots(table.slots);
  return table;
}

PluginTable enter_plugin(sy_plugin_entry entry, const sy_host& host,
                         const sy_extension* extensions) {
  sy_entry_args args = {};
  args.struct_size = sizeof(args);
  args.min_version = SY_ABI_VERSION;  // in 0.x both sides hold the same version
  args.max_version = SY_ABI_VERSION;
  args.extensions = extensions;
  args.host = &host;
  const PluginCallOutcome outcome = call_plugin(entry, args);
  if (outcome.status == SY_UNSUPPORTED) fail_version(outcome.words);
  if (outcome.status == SY_OUT_OF_MEMORY) {
    throw LoadError(LoadProblem::entry_failed, fmt::format("its entry {}", outcome.words),
                    "Free memory, and start again.", true);
  }
  if (outcome.status != SY_OK || args.plugin == nullptr) {
    throw LoadError(
        LoadProblem::entry_failed,
        fmt::format("its entry {}",
                    outcome.status != SY_OK ? outcome.words : "returned SY_OK without a table"),
        outcome.status == SY_INVALID ? "Check the plugin's options in the configuration."
                                     : "Tell the plugin's author.");
  }
  PluginTable table = copy_table(*args.plugin);
  table.host = &host;
  return table;
}

}  // namespace switchyard
