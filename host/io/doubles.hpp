#pragma once

#include <vector>

#include "ops/literal.hpp"

namespace switchyard {

/// The elements as double, a complex one as its two parts. 64-bit integers lose what a double
/// cannot hold. Throws Error(unsupported) for text.
std::vector<double> to_doubles(const Literal& literal);

}  // namespace switchyard
