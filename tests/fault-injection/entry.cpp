// Fault injection: a plugin that passes every call on to another one, and lets some of them fail.
#include <switchyard/plugin.h>

#include "settings.hpp"
#include "switchyard/plugin/entry.hpp"
#include "table.hpp"

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  using namespace fault_injection;
  sy_status status = SY_OK;
  const sy_status guarded = sy::guard(error, [&] {
    sy::negotiate_version(*args);
    args->plugin = table_for(*args, read_settings(*args->host), status, error);
  });
  return guarded != SY_OK ? guarded : status;
}
