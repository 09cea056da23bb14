// What every entry does first.
#pragma once

#include <switchyard/plugin.h>

#include "switchyard/plugin/guard.hpp"

namespace sy {

// Throws SY_UNSUPPORTED, with both sides' versions, unless the host speaks this header's.
inline void agree_on_version(const sy_entry_args& args) {
  if (args.min_version <= SY_ABI_VERSION && SY_ABI_VERSION <= args.max_version) return;
  const auto major_of = [](uint32_t version) { return version >> 16; };
  const auto minor_of = [](uint32_t version) { return version & 0xFFFFu; };
  throw unsupported(SY_REASON_NONE, "this plugin speaks ABI ", SY_ABI_VERSION_MAJOR, ".",
                    SY_ABI_VERSION_MINOR, ", the host ", major_of(args.min_version), ".",
                    minor_of(args.min_version), " to ", major_of(args.max_version), ".",
                    minor_of(args.max_version), "; build the plugin against the host's header");
}

}  // namespace sy
