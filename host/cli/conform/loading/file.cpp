#include <fmt/ranges.h>

#include <algorithm>

#include "cli/conform/loading/bare_library.hpp"
#include "cli/conform/loading/exported_symbols.hpp"
#include "cli/conform/loading/loading_cases.hpp"
#include "cli/conform/plugin/call.hpp"
#include "cli/conform/plugin/process_facts.hpp"

namespace switchyard::cli::conform {
namespace {

/// What the linker itself puts into every library.
bool is_linkers(const std::string& name) {
  return name == "_init" || name == "_fini" || name == "_edata" || name == "_end" ||
         name == "__bss_start";
}

}  // namespace

void try_loading(CaseRun& run) { load(run.plugin); }

void try_exported_symbols(CaseRun& run) {
  std::optional<std::vector<std::string>> names = exported_symbols(run.plugin.library);
  if (!names) skip("only the symbols of ELF files of 64 bits are read");
  std::erase_if(*names, is_linkers);
  const auto entry = std::find(names->begin(), names->end(), "switchyard_plugin_entry");
  if (entry == names->end()) fail("it does not export switchyard_plugin_entry");
  names->erase(entry);
  if (names->empty()) return;
  const std::size_t count = names->size();
  names->resize(std::min<std::size_t>(count, 5));
  fail("it exports {} symbols besides its entry, which others may bind to, or it to theirs: {}",
       count, fmt::join(*names, ", "));
}

void try_state_at_load(CaseRun& run) {
  const ProcessFacts before;
  const sy_plugin_entry entry = bare_entry(run.plugin);
  if (const std::string change = before.change(); !change.empty()) fail("loading it: {}", change);
  sy_entry_args args =
      entry_args(services_for(run.plugin, "tried"), SY_ABI_VERSION, SY_ABI_VERSION);
  call_ok("the entry", entry, args);
  if (args.plugin == nullptr || args.plugin->probe == nullptr) fail("it gives no table");
  auto probe = sized<sy_probe_args>();
  probe.host = args.host;
  call_ok("probe", args.plugin->probe, probe);
  if (const std::string change = before.change(); !change.empty()) {
    fail("entering and probing it: {}", change);
  }
}

}  // namespace switchyard::cli::conform
