#pragma once

#include <string>
#include <vector>

#include <switchyard/runtime.hpp>

#include "cli/terminal/json.hpp"

namespace switchyard::cli {

/// A row a kind of fallback: op, from, to, how often, bytes copied, time, code and reason.
std::string fallback_table(const std::vector<FallbackInfo>& fallbacks);

/// [{"op","from","to","code","reason","count","bytes_copied","time_ms"}]
Json to_json(const std::vector<FallbackInfo>& fallbacks);

}  // namespace switchyard::cli
