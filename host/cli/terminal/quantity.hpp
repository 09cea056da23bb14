#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <switchyard/dims.hpp>

namespace switchyard::cli {

/// "0 B", "1.5 MiB": bytes for people.
std::string bytes_text(std::uint64_t bytes);

/// "0.042 ms", "12.3 ms", "2.50 s": a time for people, three digits of it.
std::string time_text(double milliseconds);

/// "1x3x224x224"; "scalar" for rank 0; "?" for extents that are not known.
std::string shape_text(const Dims& shape);

/// A number with at most six digits, as short as they allow.
std::string number_text(double value);

/// The middle of the values, the mean of the middle two of an even number. Not of none.
double median(std::span<const double> values);
double smallest(std::span<const double> values);

}  // namespace switchyard::cli
