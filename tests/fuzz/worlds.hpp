#pragma once

#include <string>

#include <switchyard/runtime.hpp>

namespace switchyard::fuzz {

/// A runtime that asks these devices in this order, with little memory and one thread. Ends the
/// process if it cannot be had.
Runtime start_runtime(const std::string& order);

/// Reports a device of the order that has failed: no input may cost the others their device.
void require_sound_devices(const Runtime& runtime, const std::string& order);

/// The devices that SWITCHYARD_FUZZ_ORDER names, "mps,cpu"; "cpu" if it is not set.
std::string chosen_order();

}  // namespace switchyard::fuzz
