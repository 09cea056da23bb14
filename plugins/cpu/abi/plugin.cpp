// The entry and the table: what each slot does lives in device.cpp and programs.cpp.
#include <switchyard/plugin.h>

#include "abi/device.hpp"
#include "abi/options.hpp"
#include "abi/programs.hpp"
#include "machine/host_log.hpp"
#include "machine/openmp_fork.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/stream_entries.hpp"

#define CPU_STRING_OF(x) #x
#define CPU_STRING(x) CPU_STRING_OF(x)

namespace cpu {
namespace {

#if defined(__clang__)
#define CPU_COMPILER "clang " CPU_STRING(__clang_major__)
#else
#define CPU_COMPILER "gcc " CPU_STRING(__GNUC__)
#endif
#ifdef SWITCHYARD_CPU_OPENMP
#define CPU_THREADS ", OpenMP"
#else
#define CPU_THREADS ", no threads"
#endif
#ifdef SWITCHYARD_CPU_ONEDNN
#define CPU_ONEDNN ", oneDNN"
#else
#define CPU_ONEDNN ""
#endif

sy_plugin make_table() {
  sy_plugin table = sy::new_table("cpu", "0.1.0");
  table.build = CPU_COMPILER CPU_THREADS CPU_ONEDNN;
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  table.report = report;
  table.allocate = allocate;
  table.release = release;
  table.import_memory = import_memory;
  table.trim = trim;
  table.memory_statistics = memory_statistics;
  table.copy = copy;
  sy::use_streams<Stream, Device>(table);
  table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.release_constant = release_constant;
  table.run = run;
  return table;
}

void meet_host(const sy_host& host) {
  host_log().keep(host);
  read_options(host);
  let_forked_children_end();
}

}  // namespace
}  // namespace cpu

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return sy::guard(error, [&] { sy::enter<cpu::make_table, cpu::meet_host>(*args); });
}
