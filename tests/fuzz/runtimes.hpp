#pragma once

#include <string>

#include <switchyard/runtime.hpp>

#include "outcome.hpp"

namespace switchyard::fuzz {

/// A runtime that asks these devices in this order, with little memory and one thread. Ends the
/// process if it cannot be had.
Runtime start_runtime(const std::string& order);

/// Waits for what failed work has left, and reports if work that comes after it fails, too.
void drain(const Device& device);

/// How `body` ends, and what the device has to say of its work: it may tell of what is wrong with
/// values only when it comes to them, and then not whom it concerns.
template <typename Body>
Ending ending_on(const Device& device, const Body& body, std::string* said = nullptr) {
  const Ending ending = ending_of(
      [&] {
        body();
        device.synchronize();
      },
      said);
  if (ending != Ending::result) drain(device);
  return ending;
}

/// Reports a device of the order that has failed: no input may cost the others their device.
void require_sound_devices(const Runtime& runtime, const std::string& order);

/// The devices that SWITCHYARD_FUZZ_ORDER names, "mps,cpu"; "cpu" if it is not set.
std::string chosen_order();

}  // namespace switchyard::fuzz
