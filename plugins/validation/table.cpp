// The table that the host gets in the place of the plugin's. A slot has no context but its args,
// and not all args tell the plugin, so that each plugin has functions of its own.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include <switchyard/collectives.h>

#include "call.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"

namespace validation {
namespace {

constexpr size_t most_plugins = 64;  // in one process

std::array<Plugin*, most_plugins>& plugins() {
  static std::array<Plugin*, most_plugins> all = {};
  return all;
}

template <typename Slot>
struct ArgsOf;
template <typename Args>
struct ArgsOf<sy_status (*sy_plugin::*)(Args*, sy_error*)> {
  using Type = Args;
};

// What is missing of short args cannot be looked at: the call is refused for their size.
template <auto function, typename Args>
sy_status call_whole(Plugin& plugin, Args* args, sy_error* error) {
  if (args->struct_size >= sizeof(Args)) return function(plugin, args, error);
  Args whole = copy_of(*args);
  whole.struct_size = args->struct_size;
  return function(plugin, &whole, error);
}

// Whether the layer has the slot where the plugin lacks it.
enum class Where : uint8_t { as_the_plugin, always };

// A slot, and the layer's function for it.
template <auto slot, auto function, Where where = Where::as_the_plugin>
struct Row {
  using Args = typename ArgsOf<decltype(slot)>::Type;

  template <size_t index>
  static sy_status call(Args* args, sy_error* error) {
    return call_whole<function>(*plugins()[index], args, error);
  }
  template <size_t index>
  static void set(Plugin& plugin) {
    const bool is_there = plugin.inner.*slot != nullptr || where == Where::always;
    plugin.table.*slot = is_there ? call<index> : nullptr;
  }
};

template <typename... All>
struct Rows {
  static constexpr size_t count = sizeof...(All);

  template <size_t index>
  static void set(Plugin& plugin) {
    (All::template set<index>(plugin), ...);
  }
};

// One row a slot.
using Table = Rows<
    Row<&sy_plugin::probe, probe>, Row<&sy_plugin::open_device, open_device>,
    Row<&sy_plugin::close_device, close_device>, Row<&sy_plugin::recover, recover, Where::always>,
    Row<&sy_plugin::report, report, Where::always>, Row<&sy_plugin::leave, leave, Where::always>,
    Row<&sy_plugin::allocate, allocate>, Row<&sy_plugin::release, release>,
    Row<&sy_plugin::import_memory, import_memory>, Row<&sy_plugin::export_memory, export_memory>,
    Row<&sy_plugin::allocate_host, allocate_host>, Row<&sy_plugin::release_host, release_host>,
    Row<&sy_plugin::register_host, register_host>,
    Row<&sy_plugin::unregister_host, unregister_host>, Row<&sy_plugin::map, map>,
    Row<&sy_plugin::unmap, unmap>, Row<&sy_plugin::trim, trim>,
    Row<&sy_plugin::memory_statistics, memory_statistics>, Row<&sy_plugin::copy, copy>,
    Row<&sy_plugin::create_stream, create_stream>, Row<&sy_plugin::destroy_stream, destroy_stream>,
    Row<&sy_plugin::flush, flush>, Row<&sy_plugin::completed, completed>,
    Row<&sy_plugin::wait, wait>, Row<&sy_plugin::notify, notify>,
    Row<&sy_plugin::create_event, create_event>, Row<&sy_plugin::destroy_event, destroy_event>,
    Row<&sy_plugin::record_event, record_event>, Row<&sy_plugin::wait_for_event, wait_for_event>,
    Row<&sy_plugin::wait_event, wait_event>, Row<&sy_plugin::elapsed_time, elapsed_time>,
    Row<&sy_plugin::supports, supports>, Row<&sy_plugin::prepare, prepare>,
    Row<&sy_plugin::destroy_kernel, destroy_kernel>,
    Row<&sy_plugin::release_constant, release_constant>, Row<&sy_plugin::workspace, workspace>,
    Row<&sy_plugin::run, run>>;
static_assert(sizeof(sy_plugin) == offsetof(sy_plugin, probe) + Table::count * sizeof(void (*)()),
              "A slot of plugin.h has no row in this table: slots.hpp says how to add one.");

template <size_t index>
sy_status compile_for(sy_compile_args* args, sy_error* error) {
  return call_whole<compile>(*plugins()[index], args, error);
}

// The chain of the plugin's table, copied, with the layer's compiler in the place of the plugin's,
// and without collectives: the plugin does not know the layer's handles.
template <size_t index>
const sy_extension* copy_chain(Plugin& plugin, const sy_extension* given) {
  // One that is too short to have a next is for the host to refuse.
  if (given == nullptr || given->struct_size < sizeof(sy_extension)) return given;
  if (given->kind == SY_EXTENSION_COLLECTIVES) return copy_chain<index>(plugin, given->next);
  const auto* bytes = reinterpret_cast<const char*>(given);
  std::vector<char>& copy = plugin.links.emplace_back(bytes, bytes + given->struct_size);
  auto* link = reinterpret_cast<sy_extension*>(copy.data());
  link->next = copy_chain<index>(plugin, given->next);
  if (given->kind == SY_EXTENSION_KERNEL_COMPILER &&
      given->struct_size >= sizeof(sy_kernel_compiler)) {
    plugin.compiler = reinterpret_cast<const sy_kernel_compiler*>(given);
    reinterpret_cast<sy_kernel_compiler*>(link)->compile = compile_for<index>;
  }
  return link;
}

// A table whose own fields are what the plugin says of itself: also where they make no sense, as
// the host is to refuse it in the same words as without the layer.
template <size_t index>
void fill(Plugin& plugin, const sy_plugin& given) {
  std::memcpy(&plugin.inner, &given, std::min<size_t>(given.struct_size, sizeof(sy_plugin)));
  plugin.table = plugin.inner;
  plugin.table.struct_size = std::min<uint32_t>(given.struct_size, sizeof(sy_plugin));
  if (plugin.inner.abi_version != SY_ABI_VERSION) return;
  plugin.table.extensions = copy_chain<index>(plugin, plugin.inner.extensions);
  Table::set<index>(plugin);
}

template <size_t... indices>
constexpr auto all_fills(std::index_sequence<indices...>) {
  return std::array{fill<indices>...};
}

}  // namespace

Plugin& wrap(const sy_plugin& given) {
  static std::mutex guard;
  static std::array<const sy_plugin*, most_plugins> known = {};
  static constexpr auto fills = all_fills(std::make_index_sequence<most_plugins>());
  const std::lock_guard lock(guard);
  for (size_t index = 0; index < most_plugins; ++index) {
    if (known[index] == &given) return *plugins()[index];
    if (known[index] != nullptr) continue;
    known[index] = &given;
    plugins()[index] = new Plugin;
    fills[index](*plugins()[index], given);
    return *plugins()[index];
  }
  throw sy::unsupported(SY_REASON_LIMIT, "the validation layer takes ", most_plugins,
                        " plugins in one process; validate fewer at once");
}

}  // namespace validation
