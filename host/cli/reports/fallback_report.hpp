#pragma once

#include <string>
#include <vector>

#include <switchyard/runtime.hpp>

namespace switchyard::cli {

/// A row a kind of fallback: op, from, to, how often, bytes copied, time, code and reason.
std::string fallback_table(const std::vector<FallbackInfo>& fallbacks);

}  // namespace switchyard::cli
