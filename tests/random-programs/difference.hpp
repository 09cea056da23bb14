// What two environments have read, compared.
#pragma once

#include <string>

#include "environment.hpp"

namespace switchyard::random_programs {

/// How what was found differs from what is expected, but for rounding; "" if it does not.
std::string difference(const Floats& expected, const Floats& found);

}  // namespace switchyard::random_programs
