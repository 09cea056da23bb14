// Stand-ins for the optional slots of a plugin's table, so that nobody asks before a call.
#pragma once

#include <switchyard/plugin.h>

namespace switchyard {

// Puts into each optional slot that is null a function that does what plugin.h names as its
// default. map, unmap, release_constant and workspace become refusals; the events' slots too, all
// five.
void fill_default_slots(sy_plugin& table) noexcept;

}  // namespace switchyard
