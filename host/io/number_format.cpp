#include "io/number_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace switchyard {
namespace {

constexpr int kPrecision = 4;
constexpr double kWidestRange = 1000;  // of the largest by the smallest
constexpr double kLargest = 1e8;
constexpr double kSmallest = 1e-4;

}  // namespace

// Zeros, infinities and NaN have no say in style and width: so PyTorch has it.
NumberFormat::NumberFormat(std::span<const double> numbers) {
  std::vector<double> telling;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(telling),
               [](double number) { return std::isfinite(number) && number != 0; });
  if (telling.empty()) return;
  double smallest = std::abs(telling.front());
  double largest = smallest;
  bool is_whole = true;
  for (const double number : telling) {
    smallest = std::min(smallest, std::abs(number));
    largest = std::max(largest, std::abs(number));
    is_whole = is_whole && number == std::ceil(number);
  }
  const bool is_wide = largest / smallest > kWidestRange || largest > kLargest;
  if (is_wide || (!is_whole && smallest < kSmallest)) {
    style_ = Style::scientific;
  } else if (!is_whole) {
    style_ = Style::fixed;
  }
  std::size_t widest = 1;
  for (const double number : telling) widest = std::max(widest, text(number).size());
  width_ = widest;
}

std::string NumberFormat::text(double number) const {
  std::string plain;
  switch (style_) {
    case Style::whole:
      plain = fmt::format("{:.0f}{}", number, std::isfinite(number) ? "." : "");
      break;
    case Style::fixed: plain = fmt::format("{:.{}f}", number, kPrecision); break;
    case Style::scientific: plain = fmt::format("{:.{}e}", number, kPrecision); break;
  }
  if (std::isnan(number)) plain = "nan";  // Python tells no sign of it
  return fmt::format("{:>{}}", plain, width_);
}

}  // namespace switchyard
