#pragma once

#include <string>

#include "config/schema.hpp"

namespace switchyard::config {

/// Throws the setting's error unless the row's type, allowed values and rule hold for the value.
void check_value(const KeyRow& row, const Setting& setting);

/// "a list of strings, such as [...]": what a row takes, for errors.
std::string expected_type(const KeyRow& row);

}  // namespace switchyard::config
