#include "cli/conform/loading/bare_library.hpp"
#include "cli/conform/loading/loading_cases.hpp"
#include "cli/conform/plugin/call.hpp"
#include "cli/conform/plugin/text_check.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_table.hpp"

namespace switchyard::cli::conform {
namespace {

struct VersionRange {
  std::uint32_t min_version, max_version;
};

/// Ranges that end before this version, or begin after it.
constexpr VersionRange kForeign[] = {
    {0, SY_ABI_VERSION - 1},
    {SY_ABI_VERSION - 1, SY_ABI_VERSION - 1},
    {SY_ABI_VERSION + 1, SY_ABI_VERSION + 1},
    {SY_ABI_VERSION + 1, 0x0000ffffu},
    {1u << 16, 2u << 16},
};

const sy_plugin& entered(const PluginUnderTest& plugin, sy_entry_args& args) {
  call_ok("the entry", bare_entry(plugin), args);
  if (args.plugin == nullptr) fail("the entry returned SY_OK without a table");
  return *args.plugin;
}

}  // namespace

void try_foreign_versions(CaseRun& run) {
  const sy_plugin_entry entry = bare_entry(run.plugin);
  for (const VersionRange& range : kForeign) {
    sy_entry_args args =
        entry_args(services_for(run.plugin, "foreign"), range.min_version, range.max_version);
    const Answer answer = call("the entry", entry, args);
    if (answer.status == SY_UNSUPPORTED) continue;
    fail("offered ABI {} to {}, the entry returned {}; SY_UNSUPPORTED is asked for",
         version_text(range.min_version), version_text(range.max_version), answer.text());
  }
}

void try_wide_version_range(CaseRun& run) {
  sy_entry_args args = entry_args(services_for(run.plugin, "wide"), 0, 0x7fffffffu);
  const sy_plugin& table = entered(run.plugin, args);
  if (table.abi_version == SY_ABI_VERSION) return;
  fail("its table has the version {}; this header is {}", version_text(table.abi_version),
       version_text(SY_ABI_VERSION));
}

void try_entry_without_error(CaseRun& run) {
  call_form().lacks_error = true;
  const sy_plugin_entry entry = bare_entry(run.plugin);
  sy_entry_args args = entry_args(services_for(run.plugin, "refused"), 1u << 16, 2u << 16);
  const Answer answer = call("the entry", entry, args);
  if (answer.status != SY_UNSUPPORTED) {
    fail("with a null error, the entry returned {} for ABI 1.0 to 2.0", answer.text());
  }
}

void try_grown_entry(CaseRun& run) {
  call_form().grows = true;
  sy_entry_args args =
      entry_args(services_for(run.plugin, "grown"), SY_ABI_VERSION, SY_ABI_VERSION);
  entered(run.plugin, args);
}

void try_second_entry(CaseRun& run) {
  for (const char* name : {"first", "second"}) {
    sy_entry_args args = entry_args(services_for(run.plugin, name), SY_ABI_VERSION, SY_ABI_VERSION);
    PluginTable table;
    table = copy_table(entered(run.plugin, args));
    auto probe = sized<sy_probe_args>();
    probe.host = args.host;
    call_ok("probe", table.slots.probe, probe);
  }
}

void try_table(CaseRun& run) {
  sy_entry_args args =
      entry_args(services_for(run.plugin, "tried"), SY_ABI_VERSION, SY_ABI_VERSION);
  const sy_plugin& table = entered(run.plugin, args);
  try {
    copy_table(table);
  } catch (const LoadError& error) {
    fail("{}", error.what());
  }
  require_plain_text(table.name, "the table's name");
  require_plain_text(table.version, "the table's version");
  if (table.build != nullptr) require_plain_text(table.build, "the table's build");
}

}  // namespace switchyard::cli::conform
