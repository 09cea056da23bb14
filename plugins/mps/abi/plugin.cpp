// The entry and the table: what each slot does lives in devices.cpp, memory.cpp, streams.cpp and
// programs.cpp.
#include <switchyard/plugin.h>

#include "abi/custom_kernels.hpp"
#include "abi/devices.hpp"
#include "abi/guard.hpp"
#include "abi/memory.hpp"
#include "abi/programs.hpp"
#include "abi/streams.hpp"
#include "runtime/options.hpp"
#include "switchyard/plugin/entry.hpp"

namespace mps {
namespace {

sy_plugin make_table() {
  sy_plugin table = sy::new_table("mps", "0.2.0");
  table.extensions = &kernel_compiler().link;
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  table.recover = recover;
  table.report = report;
  table.allocate = allocate;
  table.release = release;
  table.map = map;
  table.unmap = unmap;
  table.trim = trim;
  table.memory_statistics = memory_statistics;
  table.copy = copy;
  table.create_stream = create_stream;
  table.destroy_stream = destroy_stream;
  table.flush = flush;
  table.completed = completed;
  table.wait = wait;
  table.create_event = create_event;
  table.destroy_event = destroy_event;
  table.record_event = record_event;
  table.wait_for_event = wait_for_event;
  table.wait_event = wait_event;
  table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.run = run;
  return table;
}

void check_options(const sy_host& host) { read_options(host); }

}  // namespace
}  // namespace mps

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return mps::guard(error, [&] { sy::enter<mps::make_table, mps::check_options>(*args); });
}
