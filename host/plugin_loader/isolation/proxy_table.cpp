#include "plugin_loader/isolation/proxy_table.hpp"

#include <cstdint>

#include "plugin_loader/isolation/calls.hpp"
#include "plugin_loader/isolation/isolated_plugin.hpp"
#include "plugin_loader/isolation/proxy_call.hpp"

namespace switchyard::isolation {
namespace {

/// All that the proxy can do; `map` and `unmap` it needs not.
sy_plugin all_slots() {
  sy_plugin table{};
  table.struct_size = sizeof(table);
  table.abi_version = SY_ABI_VERSION;
  table.probe = proxy::probe;
  table.open_device = proxy::open_device;
  table.close_device = proxy::close_device;
  table.recover = proxy::recover;
  table.report = proxy::report;
  table.allocate = proxy::allocate;
  table.release = proxy::release;
  table.import_memory = proxy::import_memory;
  table.trim = proxy::trim;
  table.memory_statistics = call_by_device<Call::memory_statistics>;
  table.copy = proxy::copy;
  table.create_stream = proxy::create_stream;
  table.destroy_stream = proxy::destroy_stream;
  table.flush = call_by_stream<Call::flush>;
  table.completed = proxy::completed;
  table.wait = proxy::wait;
  table.create_event = proxy::create_event;
  table.destroy_event = proxy::destroy_event;
  table.record_event = proxy::record_event;
  table.wait_for_event = proxy::wait_for_event;
  table.wait_event = proxy::wait_event;
  table.elapsed_time = proxy::elapsed_time;
  table.supports = proxy::supports;
  table.prepare = proxy::prepare;
  table.destroy_kernel = proxy::destroy_kernel;
  table.release_constant = proxy::release_constant;
  table.workspace = proxy::workspace;
  table.run = proxy::run;
  return table;
}

/// What the proxy does whether the plugin has it or not.
bool is_of_proxy(Call call) {
  return call == Call::recover || call == Call::import_memory || call == Call::trim ||
         call == Call::report || call == Call::flush;
}

}  // namespace

sy_plugin proxy_slots(std::uint64_t slots) {
  sy_plugin table = all_slots();
  for_each_slot([&](Call call, auto, auto, auto slot) {
    const bool has_it = (slots >> static_cast<unsigned>(call) & 1) != 0;
    if (!has_it && !is_of_proxy(call)) table.*slot = nullptr;
  });
  return table;
}

}  // namespace switchyard::isolation
