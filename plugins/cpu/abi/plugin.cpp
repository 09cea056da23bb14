// The entry and the table: what each slot does lives in device.cpp, copy.cpp and programs.cpp.
#include <switchyard/plugin.h>

#include "abi/device.hpp"
#include "abi/options.hpp"
#include "abi/programs.hpp"
#include "machine/host_log.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/guard.hpp"

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
  sy_plugin table{};
  table.struct_size = sizeof(table);
  table.abi_version = SY_ABI_VERSION;
  table.name = "cpu";
  table.version = "0.1.0";
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
  table.create_stream = create_stream;
  table.destroy_stream = destroy_stream;
  table.completed = completed;
  table.wait = wait;
  table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.release_constant = release_constant;
  table.run = run;
  return table;
}

void enter(sy_entry_args& args) {
  if (args.min_version > SY_ABI_VERSION || args.max_version < SY_ABI_VERSION) {
    throw sy::unsupported(SY_REASON_NONE, "this plugin speaks version ", SY_ABI_VERSION_MAJOR, ".",
                          SY_ABI_VERSION_MINOR, " of the ABI; the host speaks ",
                          args.min_version >> 16, ".", args.min_version & 0xffff, " to ",
                          args.max_version >> 16, ".", args.max_version & 0xffff);
  }
  keep_log(*args.host);
  read_options(*args.host);  // so that a wrong option is told at once
  static const sy_plugin table = make_table();
  args.plugin = &table;
}

}  // namespace
}  // namespace cpu

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return sy::guard(error, [&] { cpu::enter(*args); });
}
