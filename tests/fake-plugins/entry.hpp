// What loading a fake, its entry and its `probe` do.
#pragma once

#include <switchyard/plugin.h>

#include "behaviour.hpp"

namespace fake {

// SY_OK, or the variant's failure, if it returns at all.
sy_status act(Act what, sy_error* error);

// The entry of every variant that has one.
sy_status enter(sy_entry_args* args, sy_error* error);

}  // namespace fake
