#pragma once

#include <switchyard/plugin.h>

#include <cstddef>

namespace switchyard {

/// The most dimensions of a tensor: plugins have room for no more.
inline constexpr std::size_t kMostDimensions = SY_MAX_RANK;

/// Throws Error(invalid_argument) for more.
void check_dimensions(std::size_t count);

}  // namespace switchyard
