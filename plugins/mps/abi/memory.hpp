// Storages and copies.
#pragma once

#include <switchyard/plugin.h>

namespace mps {

// Slots of the plugin's table; plugin.h has their contracts.
sy_status allocate(sy_allocate_args* args, sy_error* error);
sy_status release(sy_storage_args* args, sy_error* error);
sy_status map(sy_map_args* args, sy_error* error);
sy_status unmap(sy_storage_args* args, sy_error* error);
sy_status trim(sy_trim_args* args, sy_error* error);
sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error);
sy_status copy(sy_copy_args* args, sy_error* error);

}  // namespace mps
