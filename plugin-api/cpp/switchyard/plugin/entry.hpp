/// @file
/// The entry and the table that it hands over:
///
///   sy_plugin make_table() {
///     sy_plugin table = sy::new_table("example", "1.0.0");
///     table.probe = probe;
///     ...
///     return table;
///   }
///
///   void check_options(const sy_host& host) { sy::Options(host).reject_unknown({}); }
///
///   sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
///     return sy::guard(error, [&] { sy::enter<make_table, check_options>(*args); });
///   }
#pragma once

#include <switchyard/plugin.h>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// Throws SY_UNSUPPORTED, with both sides' versions, unless the host speaks this header's.
inline void negotiate_version(const sy_entry_args& args) {
  if (args.min_version <= SY_ABI_VERSION && SY_ABI_VERSION <= args.max_version) return;
  const auto major_of = [](uint32_t version) { return version >> 16; };
  const auto minor_of = [](uint32_t version) { return version & 0xFFFFu; };
  throw unsupported(SY_REASON_NONE, "this plugin speaks ABI ", SY_ABI_VERSION_MAJOR, ".",
                    SY_ABI_VERSION_MINOR, ", the host ", major_of(args.min_version), ".",
                    minor_of(args.min_version), " to ", major_of(args.max_version), ".",
                    minor_of(args.max_version), "; build the plugin against the host's header");
}

/// A table of this header's version, for the slots to be set: those that stay null mean the default
/// that plugin.h names. Both texts live as long as the plugin.
inline sy_plugin new_table(const char* name, const char* version) noexcept {
  sy_plugin table = {};
  table.struct_size = sizeof(table);
  table.abi_version = SY_ABI_VERSION;
  table.name = name;
  table.version = version;
  return table;
}

/// What every entry does. A library may be entered several times, with other options each time: the
/// version is agreed on and `check_host` called at each, so that a wrong option is told at once;
/// the table is made once. `check_host` throws what is wrong with the host's options.
template <sy_plugin (*make_table)(), void (*check_host)(const sy_host& host)>
void enter(sy_entry_args& args) {
  negotiate_version(args);
  check_host(*args.host);
  static const sy_plugin table = make_table();
  args.plugin = &table;
}

}  // namespace sy
