#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr KernelTrial kTrials[] = {
    {"example", "What the claim names is computed, in each of its types.", try_example},
    {"special-values",
     "NaN, infinities and zeros of either sign, in each input, come out as the op has them.",
     try_special_values},
    {"twice", "A kernel is immutable: a second run gives what the first one gave.", try_twice},
    {"offset-inputs", "Inputs may begin at any multiple of offset_alignment.", try_offset_inputs},
    {"transposed-inputs", "STRIDED_INPUTS: inputs may be transposed.", try_transposed_inputs},
    {"inputs-with-gaps", "STRIDED_INPUTS: inputs may have elements of others between.",
     try_inputs_with_gaps},
    {"reversed-inputs", "STRIDED_INPUTS: inputs may have negative strides.", try_reversed_inputs},
    {"repeated-inputs", "STRIDED_INPUTS: inputs may have strides of 0.", try_repeated_inputs},
    {"offset-outputs", "Outputs may begin at any multiple of offset_alignment.",
     try_offset_outputs},
    {"strided-outputs", "STRIDED_OUTPUTS: outputs may be transposed, reversed, and have gaps.",
     try_strided_outputs},
    {"zero-size", "Tensors may have no elements.", try_zero_size},
    {"scalars", "Tensors may have rank 0, where the claim says so.", try_scalars},
    {"large", "Thousands of elements and odd extents are computed whole.", try_large},
    {"second-values", "A kernel does not depend on the elements of a device's tensors.",
     try_second_values},
    {"second-shape", "A kernel that is not specialised on shapes serves others.", try_second_shape},
    {"second-strides", "A kernel that is not specialised on strides serves others.",
     try_second_strides},
    {"second-host-values",
     "A kernel that is not specialised on a host input's value serves others.",
     try_second_host_values},
    {"bindings", "KERNEL_BINDINGS: runs of one binding have its tensors, and read what these hold.",
     try_bindings},
    {"immediates", "IMMEDIATES: scalars may come in the arguments of a run.", try_immediates},
    {"constants", "Inputs may be constants; what is packed is used for them alone.", try_constants},
    {"in-place", "An output may lie on each input that may_alias_inputs names.", try_in_place},
    {"no-storage",
     "A deferred output that the host has no storage for fails its run, and no other.",
     try_no_storage},
    {"deterministic", "MATH_DETERMINISTIC: equal inputs give equal bits, or the node is refused.",
     try_deterministic},
    {"unknown-flags", "Unknown flags are ignored, but those of SY_FLAGS_TO_KNOW are refused.",
     try_unknown_flags},
    {"accuracy", "Results are as near to those of float64 as the type allows; the report has them.",
     try_accuracy},
};

}  // namespace

std::span<const KernelTrial> kernel_trials() { return kTrials; }

}  // namespace switchyard::cli::conform
