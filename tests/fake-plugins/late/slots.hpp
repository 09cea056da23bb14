// The functions of the table, by what they are about.
#pragma once

#include <switchyard/plugin.h>

namespace late {

void set_memory_slots(sy_plugin& table);
void set_copy_slot(sy_plugin& table);
void set_stream_slots(sy_plugin& table);
void set_event_slots(sy_plugin& table);
void set_program_slots(sy_plugin& table);
void set_run_slot(sy_plugin& table);
void set_collectives(sy_plugin& table);

}  // namespace late
