// What loading a fake, its entry and its `probe` do.
#pragma once

#include <switchyard/plugin.h>

namespace fake {

// The entry of every variant that has one.
sy_status enter(sy_entry_args* args, sy_error* error);

}  // namespace fake
