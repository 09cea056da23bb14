#pragma once

#include <string_view>

#include <switchyard/error.hpp>

namespace switchyard {

/// An error's line without the function in front, for an error that it becomes a part of and that
/// names a function itself. It lives as long as the error.
inline std::string_view line_without_function(const Error& error) {
  const std::string_view line = error.what(), function = error.function();
  const bool is_named = !function.empty() && line.size() > function.size() + 3 && line[0] == '[' &&
                        line.substr(1).starts_with(function) &&
                        line.substr(1 + function.size()).starts_with("] ");
  return is_named ? line.substr(function.size() + 3) : line;
}

}  // namespace switchyard
