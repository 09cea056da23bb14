// What the soak does besides random programs, in any environment: the seed tells what it comes to.
#pragma once

#include <cstdint>
#include <switchyard/runtime.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard::soak {

/// Loads a small convolutional network and runs it twice. Gives what it computes.
Floats run_model(const Runtime& runtime, std::uint64_t seed);

/// A few steps of training of a small network on the runtime's first device. Gives the losses and
/// the parameters after them.
Floats train(const Runtime& runtime, std::uint64_t seed);

}  // namespace switchyard::soak
