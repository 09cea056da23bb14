#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <switchyard/dims.hpp>

namespace switchyard {

/// Extents out of a file as a shape whose elements can be counted and addressed: none negative, no
/// overflow. Throws Error(model) beginning with `where`.
Dims checked_shape(std::span<const std::int64_t> extents, const std::string& where);

}  // namespace switchyard
