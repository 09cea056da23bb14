#pragma once

#include <cstddef>
#include <span>

namespace switchyard::fuzz {

/// True if the model draws random numbers, so that two runs of it may differ.
bool is_random(std::span<const std::byte> bytes);

}  // namespace switchyard::fuzz
