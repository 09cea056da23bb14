#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <switchyard/dims.hpp>

namespace switchyard {

/// The most dimensions a tensor may have; the plugin ABI has room for no more.
inline constexpr int kMaxRank = 32;

/// Extents out of a file as a shape whose elements can be counted and addressed: none negative, no
/// overflow. Throws Error(model) beginning with `where`.
Dims checked_shape(std::span<const std::int64_t> extents, const std::string& where);

}  // namespace switchyard
