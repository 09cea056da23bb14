#pragma once

#include <cstdint>
#include <span>

#include "routing/call.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Whether the op has a kernel of the host's, for where no device takes it.
bool has_registered_kernel(const Op& op);

/// Runs it: reads the inputs to the host, which waits for what makes them, and puts the outputs
/// whose bit in `wanted` is set where the call asks for them, else where its inputs lie, else on
/// `otherwise`; null: there they stay with the host, as texts do. Counts what is copied.
void run_registered_kernel(const CallSite& site, std::span<const TensorRef> inputs,
                           std::span<TensorRef> outputs, std::uint64_t wanted,
                           OpenDevice* otherwise, CopyCount& count);

}  // namespace switchyard
