// A slot has no context but its args, and not all args tell the plugin, so that each entered plugin
// has functions of its own.
#include "table.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "call.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/writer.hpp"

namespace fault_injection {
namespace {

constexpr size_t kMostHosts = 32;  // that a process enters plugins for

struct Entered {
  std::unique_ptr<Injector> injector;
  sy_plugin table = {};
};

std::array<Entered, kMostHosts>& entered() {
  static auto& all = *new std::array<Entered, kMostHosts>;
  return all;
}

template <typename Slot>
struct ArgsOf;
template <typename Args>
struct ArgsOf<sy_status (*sy_plugin::*)(Args*, sy_error*)> {
  using Type = Args;
};

template <auto slot, Slot name>
struct Row {
  using Args = typename ArgsOf<decltype(slot)>::Type;

  template <size_t index>
  static sy_status called(Args* args, sy_error* error) {
    sy_status status = SY_OK;
    const sy_status guarded = sy::guard(
        error, [&] { status = call<slot, name>(*entered()[index].injector, args, error); });
    return guarded != SY_OK ? guarded : status;
  }
  template <size_t index>
  static void set(Entered& host) {
    host.table.*slot = host.injector->below.*slot != nullptr ? called<index> : nullptr;
  }
};

template <typename... All>
struct Rows {
  static constexpr size_t count = sizeof...(All);

  template <size_t index>
  static void set(Entered& host) {
    (All::template set<index>(host), ...);
  }
};

// `report` and `recover` are there whatever the plugin below has: see below.
using Table =
    Rows<Row<&sy_plugin::probe, Slot::probe>, Row<&sy_plugin::open_device, Slot::open_device>,
         Row<&sy_plugin::close_device, Slot::close_device>, Row<&sy_plugin::leave, Slot::leave>,
         Row<&sy_plugin::allocate, Slot::allocate>, Row<&sy_plugin::release, Slot::release>,
         Row<&sy_plugin::import_memory, Slot::import_memory>,
         Row<&sy_plugin::export_memory, Slot::export_memory>,
         Row<&sy_plugin::allocate_host, Slot::allocate_host>,
         Row<&sy_plugin::release_host, Slot::release_host>,
         Row<&sy_plugin::register_host, Slot::register_host>,
         Row<&sy_plugin::unregister_host, Slot::unregister_host>, Row<&sy_plugin::map, Slot::map>,
         Row<&sy_plugin::unmap, Slot::unmap>, Row<&sy_plugin::trim, Slot::trim>,
         Row<&sy_plugin::memory_statistics, Slot::memory_statistics>,
         Row<&sy_plugin::copy, Slot::copy>, Row<&sy_plugin::create_stream, Slot::create_stream>,
         Row<&sy_plugin::destroy_stream, Slot::destroy_stream>, Row<&sy_plugin::flush, Slot::flush>,
         Row<&sy_plugin::completed, Slot::completed>, Row<&sy_plugin::wait, Slot::wait>,
         Row<&sy_plugin::notify, Slot::notify>, Row<&sy_plugin::create_event, Slot::create_event>,
         Row<&sy_plugin::destroy_event, Slot::destroy_event>,
         Row<&sy_plugin::record_event, Slot::record_event>,
         Row<&sy_plugin::wait_for_event, Slot::wait_for_event>,
         Row<&sy_plugin::wait_event, Slot::wait_event>,
         Row<&sy_plugin::elapsed_time, Slot::elapsed_time>,
         Row<&sy_plugin::supports, Slot::supports>, Row<&sy_plugin::prepare, Slot::prepare>,
         Row<&sy_plugin::destroy_kernel, Slot::destroy_kernel>,
         Row<&sy_plugin::release_constant, Slot::release_constant>,
         Row<&sy_plugin::workspace, Slot::workspace>, Row<&sy_plugin::run, Slot::run>>;
static_assert(Table::count + 2 == kSlots.size(), "A slot of plugin.h has no row in this table.");

// Of the plugin as a whole: what was injected; then what the plugin below says.
template <size_t index>
sy_status report(sy_report_args* args, sy_error* error) {
  Injector& injector = *entered()[index].injector;
  const sy_status status = sy::guard(error, [&] {
    if (args->device == nullptr) sy::write(*args->writer, injector.report());
  });
  if (status != SY_OK || injector.below.report == nullptr) return status;
  return Row<&sy_plugin::report, Slot::report>::called<index>(args, error);
}

// A device that was lost by a fault comes back whatever the plugin below has for it.
template <size_t index>
sy_status recover(sy_device_args* args, sy_error* error) {
  Injector& injector = *entered()[index].injector;
  if (injector.below.recover != nullptr) {
    return Row<&sy_plugin::recover, Slot::recover>::called<index>(args, error);
  }
  const Decision decision = injector.begin(Slot::recover);
  if (decision.status != SY_OK && decision.status != SY_DEVICE_LOST) {
    injector.count(decision.fault);
    return fail(error, Slot::recover, decision.number, decision.status);
  }
  return sy::guard(error, [&] { note(injector, Slot::recover, *args); });
}

template <size_t index>
void fill(Entered& host) {
  host.table = host.injector->below;
  host.table.struct_size = sizeof(host.table);
  Table::set<index>(host);
  host.table.report = report<index>;
  host.table.recover = recover<index>;
}

template <size_t... indices>
constexpr auto all_fills(std::index_sequence<indices...>) {
  return std::array{fill<indices>...};
}

sy_plugin_entry open_below(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw sy::invalid("option wraps: ", dlerror());
  void* entry = dlsym(library, "switchyard_plugin_entry");
  if (entry == nullptr)
    throw sy::invalid("option wraps: ", file, " exports no switchyard_plugin_entry");
  return reinterpret_cast<sy_plugin_entry>(entry);
}

// Null, with a status, if it does not let itself be entered.
std::unique_ptr<Injector> enter_below(const sy_entry_args& args, const Settings& settings,
                                      sy_status& status, sy_error* error) {
  auto injector = std::make_unique<Injector>(*args.host, settings);
  sy_entry_args inner = args;
  inner.host = &injector->host_below();
  inner.plugin = nullptr;
  status = open_below(settings.wraps)(&inner, error);
  if (status != SY_OK) return nullptr;
  if (inner.plugin == nullptr) throw sy::bug("the wrapped plugin gives no table");
  std::memcpy(&injector->below, inner.plugin,
              std::min<size_t>(inner.plugin->struct_size, sizeof(sy_plugin)));
  return injector;
}

// Room for a host, its own if it has been here before.
size_t index_for(const sy_host* host) {
  for (size_t index = 0; index < kMostHosts; ++index) {
    const auto& injector = entered()[index].injector;
    if (!injector || injector->host == host) return index;
  }
  throw sy::unsupported(SY_REASON_LIMIT, "fault injection takes ", kMostHosts,
                        " sets of options in one process");
}

}  // namespace

const sy_plugin* table_for(const sy_entry_args& args, const Settings& settings, sy_status& status,
                           sy_error* error) {
  static auto& guard = *new std::mutex;
  static constexpr auto fills = all_fills(std::make_index_sequence<kMostHosts>());
  const std::lock_guard lock(guard);
  const size_t index = index_for(args.host);
  Entered& host = entered()[index];
  if (host.injector) {
    // Entered again, as the host does that has left: the plugin below hears of it, too.
    sy_entry_args inner = args;
    inner.host = &host.injector->host_below();
    status = open_below(settings.wraps)(&inner, error);
    return status == SY_OK ? &host.table : nullptr;
  }
  auto made = enter_below(args, settings, status, error);
  if (!made) return nullptr;
  host.injector = std::move(made);
  fills[index](host);
  return &host.table;
}

}  // namespace fault_injection
