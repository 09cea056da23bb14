#pragma once

#include <set>
#include <string>
#include <switchyard/runtime.hpp>

namespace switchyard::cli {

/// The ops that a device's claim table names.
std::set<std::string> claimed_ops(const Device& device);

}  // namespace switchyard::cli
