// The slots of plugin.h, by name, and what a failure of each may be.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fault_injection {

// In the order of sy_plugin.
enum class Slot : uint8_t {
  probe,
  open_device,
  close_device,
  recover,
  report,
  leave,
  allocate,
  release,
  import_memory,
  export_memory,
  allocate_host,
  release_host,
  register_host,
  unregister_host,
  map,
  unmap,
  trim,
  memory_statistics,
  copy,
  create_stream,
  destroy_stream,
  flush,
  completed,
  wait,
  notify,
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
};

// What a call of a slot does to a handle decides what a failure of it may mean.
enum class SlotKind : uint8_t {
  ordinary,  // a call that fails did nothing: the plugin below does not hear of it
  ends,      // ends a handle, and is called once for it: the plugin below hears of it, and the
             // failure is told afterwards
  apart,     // of the plugin rather than of a device: fails only where the options name it
};

struct SlotRow {
  std::string_view name;
  SlotKind kind = SlotKind::ordinary;
};

constexpr std::array kSlots = {
    SlotRow{"probe", SlotKind::apart},
    SlotRow{"open_device"},
    SlotRow{"close_device", SlotKind::ends},
    SlotRow{"recover"},
    SlotRow{"report", SlotKind::apart},
    SlotRow{"leave", SlotKind::apart},
    SlotRow{"allocate"},
    SlotRow{"release", SlotKind::ends},
    SlotRow{"import_memory"},
    SlotRow{"export_memory"},
    SlotRow{"allocate_host"},
    SlotRow{"release_host", SlotKind::ends},
    SlotRow{"register_host"},
    SlotRow{"unregister_host", SlotKind::ends},
    SlotRow{"map"},
    SlotRow{"unmap", SlotKind::ends},
    SlotRow{"trim"},
    SlotRow{"memory_statistics"},
    SlotRow{"copy"},
    SlotRow{"create_stream"},
    SlotRow{"destroy_stream", SlotKind::ends},
    SlotRow{"flush"},
    SlotRow{"completed"},
    SlotRow{"wait"},
    SlotRow{"notify"},
    SlotRow{"create_event"},
    SlotRow{"destroy_event", SlotKind::ends},
    SlotRow{"record_event"},
    SlotRow{"wait_for_event"},
    SlotRow{"wait_event"},
    SlotRow{"elapsed_time"},
    SlotRow{"supports"},
    SlotRow{"prepare"},
    SlotRow{"destroy_kernel", SlotKind::ends},
    SlotRow{"release_constant", SlotKind::ends},
    SlotRow{"workspace"},
    SlotRow{"run"},
};
static_assert(sizeof(sy_plugin) == offsetof(sy_plugin, probe) + kSlots.size() * sizeof(void (*)()),
              "A slot of plugin.h has no row here.");

constexpr const SlotRow& row_of(Slot slot) { return kSlots[static_cast<size_t>(slot)]; }

std::optional<Slot> slot_named(std::string_view name);

// Whether plugin.h lets a call of the slot return the status. One that asks for the call to be made
// again says that nothing was done, which is not so where a handle has ended; and such a call does
// not know of the work that a lost device promises to have ended.
bool may_return(Slot slot, sy_status status);

}  // namespace fault_injection
