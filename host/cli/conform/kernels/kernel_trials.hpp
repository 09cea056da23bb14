// What every op that a device claims is tried for: a row each. A new trial is a function in a file
// of this folder, its declaration here, and its row in kernel_trials.cpp.
#pragma once

#include <span>
#include <string_view>

#include "cli/conform/kernels/tried_op.hpp"

namespace switchyard::cli::conform {

struct KernelTrial {
  std::string_view name;    // the last part of the case's name
  std::string_view proves;  // a sentence
  void (*run)(TriedOp&);    // throws CaseFailed or CaseSkipped
};

std::span<const KernelTrial> kernel_trials();

// plain.cpp: the example itself, in each type
void try_example(TriedOp& tried);
void try_twice(TriedOp& tried);
// special_values.cpp
void try_special_values(TriedOp& tried);
// layouts.cpp
void try_offset_inputs(TriedOp& tried);
void try_transposed_inputs(TriedOp& tried);
void try_inputs_with_gaps(TriedOp& tried);
void try_reversed_inputs(TriedOp& tried);
void try_repeated_inputs(TriedOp& tried);
void try_offset_outputs(TriedOp& tried);
void try_strided_outputs(TriedOp& tried);
// sizes.cpp
void try_zero_size(TriedOp& tried);
void try_scalars(TriedOp& tried);
void try_large(TriedOp& tried);
// reuse.cpp: one kernel, run again
void try_second_values(TriedOp& tried);
void try_second_shape(TriedOp& tried);
void try_second_strides(TriedOp& tried);
void try_second_host_values(TriedOp& tried);
void try_bindings(TriedOp& tried);
// arguments.cpp: what comes otherwise than as a device's tensor
void try_immediates(TriedOp& tried);
void try_constants(TriedOp& tried);
// in_place.cpp
void try_in_place(TriedOp& tried);
// storage.cpp
void try_no_storage(TriedOp& tried);
// flags.cpp
void try_deterministic(TriedOp& tried);
void try_unknown_flags(TriedOp& tried);
// accuracy.cpp
void try_accuracy(TriedOp& tried);

}  // namespace switchyard::cli::conform
