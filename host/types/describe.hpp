#pragma once

#include <cstdint>
#include <string>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

namespace switchyard {

/// An extent that is not known.
inline constexpr std::int64_t kUnknown = -1;

/// A shape as messages show it: "[2, ?, 3]"; "[]" for rank 0.
std::string describe(const Dims& shape);

/// A tensor as messages show it: "float32[2, 3]".
std::string describe(DType dtype, const Dims& shape);

}  // namespace switchyard
