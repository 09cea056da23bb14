// Programs of one node: which are taken, made into kernels, and run.
#pragma once

#include <switchyard/plugin.h>

namespace cpu {

// Slots of the plugin's table; plugin.h has their contracts.
sy_status supports(sy_supports_args* args, sy_error* error);
sy_status prepare(sy_prepare_args* args, sy_error* error);
sy_status destroy_kernel(sy_kernel_args* args, sy_error* error);
sy_status release_constant(sy_constant_args* args, sy_error* error);
sy_status run(sy_run_args* args, sy_error* error);

}  // namespace cpu
