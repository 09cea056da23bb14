// What loading a fake, its entry and its `probe` do.
#pragma once

#include <switchyard/plugin.h>

#include <string_view>

#include "behaviour.hpp"

namespace fake {

// SY_OK, or the variant's failure, if it returns at all.
sy_status act(Act what, sy_error* error);

// Does not come back, if `entry` is the variant's to block, as long as the file is missing that the
// environment variable SWITCHYARD_FAKE_BLOCKS_UNTIL names; where that names none, it does not block.
void block_if_asked(std::string_view entry);

// The entry of every variant that has one.
sy_status enter(sy_entry_args* args, sy_error* error);

}  // namespace fake
