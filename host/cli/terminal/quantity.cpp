#include "cli/terminal/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace switchyard::cli {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string time_text(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.2f} s", milliseconds / 1000);
  if (milliseconds >= 100) return fmt::format("{:.0f} ms", milliseconds);
  if (milliseconds >= 10) return fmt::format("{:.1f} ms", milliseconds);
  if (milliseconds >= 1) return fmt::format("{:.2f} ms", milliseconds);
  return fmt::format("{:.3f} ms", milliseconds);
}

std::string shape_text(const Dims& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (std::int64_t extent : shape) {
    text += text.empty() ? "" : "x";
    text += extent < 0 ? "?" : std::to_string(extent);
  }
  return text;
}

std::string number_text(double value) { return fmt::format("{:.6g}", value); }

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double smallest(std::span<const double> values) {
  return *std::min_element(values.begin(), values.end());
}

}  // namespace switchyard::cli
