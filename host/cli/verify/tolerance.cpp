#include "cli/verify/tolerance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cli/terminal/quantity.hpp"
#include "io/doubles.hpp"

namespace switchyard::cli {
namespace {

struct Default {
  DType dtype;
  double relative;
  double absolute;
};

constexpr Default kDefaults[] = {
    {DType::float32, 1e-3, 1e-7},    {DType::float64, 1e-3, 1e-7}, {DType::complex64, 1e-3, 1e-7},
    {DType::complex128, 1e-3, 1e-7}, {DType::float16, 1e-2, 1e-3}, {DType::bfloat16, 2e-2, 1e-2},
};

bool is_quantized(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }

double peak_of(const std::vector<double>& elements) {
  double peak = 0;
  for (double element : elements) {
    if (std::isfinite(element)) peak = std::max(peak, std::abs(element));
  }
  return peak;
}

double error_between(double got, double expected) {
  if (std::isnan(got) && std::isnan(expected)) return 0;
  if (got == expected) return 0;  // infinities too, whose difference is not a number
  const double error = std::abs(got - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// "[1, 2]": where element `position` of the row-major order lies.
std::string position_text(const Dims& shape, std::int64_t position) {
  Dims indices = Dims::filled(shape.size(), 0);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    indices[axis] = position % shape[axis];
    position /= shape[axis];
  }
  return fmt::format("[{}]", fmt::join(indices.span(), ", "));
}

Comparison differs(bool has_same_form, std::string difference) {
  return {false, has_same_form, std::numeric_limits<double>::infinity(), std::move(difference)};
}

Comparison compare_texts(const Literal& got, const Literal& expected) {
  const auto& ours = got.strings();
  const auto& theirs = expected.strings();
  const auto [our, their] = std::mismatch(ours.begin(), ours.end(), theirs.begin());
  if (our == ours.end()) return {};
  return differs(true, fmt::format("differs at {}: '{}', expected '{}'",
                                   position_text(got.shape(), our - ours.begin()), *our, *their));
}

/// Of 64-bit integers a double may not tell neighbours apart.
bool has_equal_bytes(const Literal& got, const Literal& expected) {
  return got.size_bytes() == 0 || std::memcmp(got.bytes(), expected.bytes(), got.size_bytes()) == 0;
}

bool is_wide_integer(DType dtype) { return dtype == DType::int64 || dtype == DType::uint64; }

Comparison compare_numbers(const Literal& got, const Literal& expected,
                           const Tolerance& tolerance) {
  const std::vector<double> ours = to_doubles(got);
  const std::vector<double> theirs = to_doubles(expected);
  const double floor = tolerance.absolute + tolerance.peak * peak_of(theirs);
  Comparison result;
  double worst_excess = 0;
  std::size_t worst = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double error = error_between(ours[i], theirs[i]);
    if (error == 0) continue;
    result.max_error = std::max(result.max_error, error);
    const double allowed =
        floor + (std::isfinite(theirs[i]) ? tolerance.relative * std::abs(theirs[i]) : 0);
    if (error <= allowed) continue;
    ++wrong;
    if (error - allowed <= worst_excess) continue;
    worst_excess = error - allowed;
    worst = i;
  }
  if (wrong == 0) return result;
  result.is_equal = false;
  const std::size_t parts = ours.size() / static_cast<std::size_t>(got.size());
  result.difference =
      fmt::format("differs in {} of {} elements, most at {}: {}, expected {}", wrong, ours.size(),
                  position_text(got.shape(), static_cast<std::int64_t>(worst / parts)), ours[worst],
                  theirs[worst]);
  return result;
}

}  // namespace

Tolerance tolerance_for(DType dtype, const ToleranceOptions& options) {
  if (is_quantized(dtype)) return {0, static_cast<double>(options.quantization_steps), 0};
  const auto* found = std::find_if(std::begin(kDefaults), std::end(kDefaults),
                                   [&](const Default& row) { return row.dtype == dtype; });
  if (found == std::end(kDefaults)) return {};
  Tolerance tolerance{found->relative, found->absolute, options.peak.value_or(0)};
  if (options.peak) tolerance.relative = 0;
  if (options.relative) tolerance.relative = *options.relative;
  if (options.absolute) tolerance.absolute = *options.absolute;
  return tolerance;
}

Comparison compare(const Literal& got, const Literal& expected, const ToleranceOptions& options) {
  if (got.dtype() != expected.dtype()) {
    return differs(
        false, fmt::format("is {}, expected {}", name_of(got.dtype()), name_of(expected.dtype())));
  }
  if (got.shape() != expected.shape()) {
    return differs(false, fmt::format("has shape {}, expected {}", shape_text(got.shape()),
                                      shape_text(expected.shape())));
  }
  if (got.dtype() == DType::string) return compare_texts(got, expected);
  if (has_equal_bytes(got, expected) && bit_width(got.dtype()) >= 8) return {};
  Comparison result = compare_numbers(got, expected, tolerance_for(got.dtype(), options));
  if (is_wide_integer(got.dtype()) && result.is_equal) {
    return differs(true, "differs in integers beyond 2^53");
  }
  return result;
}

}  // namespace switchyard::cli
