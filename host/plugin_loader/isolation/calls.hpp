/// The calls that cross: the slots of a plugin's table and a few besides. A new slot is a row here,
/// a `carry` for its args, and a function in the proxy's table.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "plugin_loader/plugin_api.hpp"

namespace switchyard::isolation {

enum class Call : std::uint32_t {
  load,   // opens the library
  enter,  // calls its entry, and tells of its table
  probe,
  open_device,
  close_device,
  recover,
  report,
  allocate,
  release,
  import_memory,
  trim,
  memory_statistics,
  copy,
  create_stream,
  destroy_stream,
  flush,
  completed,
  wait,
  create_event,
  destroy_event,
  record_event,
  wait_for_event,
  wait_event,
  elapsed_time,
  supports,
  prepare,
  destroy_kernel,
  release_constant,
  workspace,
  run,
  compile,       // of kernels.h
  infer_shapes,  // of ops.h
  count
};

/// Calls `visit(call, doing, slot of PluginApi, slot of sy_plugin)` for each slot that crosses.
/// `doing` follows "while it", as in "did not answer while it ran Add".
template <typename Visit>
constexpr void for_each_slot(Visit&& visit) {
  using Api = PluginApi;
  using Table = sy_plugin;
  visit(Call::probe, "told of its devices", &Api::probe, &Table::probe);
  visit(Call::open_device, "opened a device", &Api::open_device, &Table::open_device);
  visit(Call::close_device, "closed a device", &Api::close_device, &Table::close_device);
  visit(Call::recover, "recovered", &Api::recover, &Table::recover);
  visit(Call::report, "reported", &Api::report, &Table::report);
  visit(Call::allocate, "allocated memory", &Api::allocate, &Table::allocate);
  visit(Call::release, "released memory", &Api::release, &Table::release);
  visit(Call::import_memory, "imported memory", &Api::import_memory, &Table::import_memory);
  visit(Call::trim, "gave memory back", &Api::trim, &Table::trim);
  visit(Call::memory_statistics, "counted its memory", &Api::memory_statistics,
        &Table::memory_statistics);
  visit(Call::copy, "copied", &Api::copy, &Table::copy);
  visit(Call::create_stream, "made a stream", &Api::create_stream, &Table::create_stream);
  visit(Call::destroy_stream, "destroyed a stream", &Api::destroy_stream, &Table::destroy_stream);
  visit(Call::flush, "sent off its work", &Api::flush, &Table::flush);
  visit(Call::completed, "told of its progress", &Api::completed, &Table::completed);
  visit(Call::wait, "did its work", &Api::wait, &Table::wait);
  visit(Call::create_event, "made an event", &Api::create_event, &Table::create_event);
  visit(Call::destroy_event, "destroyed an event", &Api::destroy_event, &Table::destroy_event);
  visit(Call::record_event, "recorded an event", &Api::record_event, &Table::record_event);
  visit(Call::wait_for_event, "had a stream wait", &Api::wait_for_event, &Table::wait_for_event);
  visit(Call::wait_event, "waited for an event", &Api::wait_event, &Table::wait_event);
  visit(Call::elapsed_time, "told a time", &Api::elapsed_time, &Table::elapsed_time);
  visit(Call::supports, "was asked about", &Api::supports, &Table::supports);
  visit(Call::prepare, "prepared", &Api::prepare, &Table::prepare);
  visit(Call::destroy_kernel, "destroyed a kernel", &Api::destroy_kernel, &Table::destroy_kernel);
  visit(Call::release_constant, "released a constant", &Api::release_constant,
        &Table::release_constant);
  visit(Call::workspace, "said what it needs for", &Api::workspace, &Table::workspace);
  visit(Call::run, "ran", &Api::run, &Table::run);
}

/// The slots that do not cross, each of which has a default: `map` and `unmap`, as no device is
/// shown as one of mappable memory; `export_memory` and those of host memory, as pointers of one
/// process mean nothing in the other; `notify`, as a thread of the host waits; `leave`, as the
/// process ends.
constexpr std::size_t kSlotsThatStay = 2 + 1 + 4 + 1 + 1;
constexpr std::size_t slots_that_cross() {
  std::size_t count = 0;
  for_each_slot([&](auto...) { ++count; });
  return count;
}
static_assert(sizeof(sy_plugin) ==
                  offsetof(sy_plugin, probe) +
                      (slots_that_cross() + kSlotsThatStay) * sizeof(sy_plugin::run),
              "the table has grown: add the new slots to Call, for_each_slot and proxy_table.cpp, "
              "or say above why they do not cross");

/// What a call does, to follow "while it".
std::string_view doing(Call call) noexcept;

}  // namespace switchyard::isolation
