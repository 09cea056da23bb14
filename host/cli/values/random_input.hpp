#pragma once

#include <cstdint>

#include "ops/literal.hpp"

namespace switchyard::cli {

/// A tensor of random elements, the same for equal arguments on every machine: floating point
/// uniform in [0, 1), integers 0 to 9 (int4 and uint4 0 to 7), bools either. Throws
/// Error(invalid_argument) for other types.
Literal random_literal(DType dtype, const Dims& shape, std::uint64_t seed);

}  // namespace switchyard::cli
