// What loading a fake, its entry and its `probe` do.
#pragma once

#include <switchyard/plugin.h>

#include <string_view>

#include "behaviour.hpp"

namespace fake {

// SY_OK, or the variant's failure, if it returns at all.
sy_status act(Act what, sy_error* error);

// If `entry` is the variant's to block, does not come back as long as the file is missing that the
// environment variable SWITCHYARD_FAKE_BLOCKS_UNTIL names. Where that names none, nothing blocks.
void block_if_asked(std::string_view entry);

// The entry of every variant that has one.
sy_status enter(sy_entry_args* args, sy_error* error);

}  // namespace fake
