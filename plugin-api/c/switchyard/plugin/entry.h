/// @file
/// What every entry begins with.
#ifndef SWITCHYARD_PLUGIN_ENTRY_H_
#define SWITCHYARD_PLUGIN_ENTRY_H_

#include <stdint.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/error.h"

/// SY_UNSUPPORTED, with both sides' versions, unless the host speaks this header's.
static inline sy_status sy_negotiate_version(const sy_entry_args* args, sy_error* error) {
  const uint32_t least = args->min_version, most = args->max_version;
  if (least <= SY_ABI_VERSION && SY_ABI_VERSION <= most) return SY_OK;
  return sy_fail(error, SY_UNSUPPORTED, SY_REASON_NONE,
                 "this plugin speaks ABI %u.%u, the host %u.%u to %u.%u; build the plugin against "
                 "the host's header",
                 SY_ABI_VERSION_MAJOR, SY_ABI_VERSION_MINOR, (unsigned)(least >> 16),
                 (unsigned)(least & 0xFFFFu), (unsigned)(most >> 16), (unsigned)(most & 0xFFFFu));
}

#endif  // SWITCHYARD_PLUGIN_ENTRY_H_
