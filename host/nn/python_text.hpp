#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <switchyard/dims.hpp>

namespace switchyard::nn {

/// Options as the texts of layers write them, word for word as Python does.

inline const char* python_text(bool value) { return value ? "True" : "False"; }

/// 1.0, 0.01, 1e-05
inline std::string python_text(double value) {
  const std::string text = fmt::format("{}", value);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

/// (3, 2), or (3,)
inline std::string python_tuple(const Dims& values) {
  return fmt::format("({}{})", fmt::join(values.span(), ", "), values.size() == 1 ? "," : "");
}

/// 3 for all dimensions, or a tuple.
inline std::string python_extents(const Dims& values) {
  return values.size() == 1 ? std::to_string(values[0]) : python_tuple(values);
}

}  // namespace switchyard::nn
