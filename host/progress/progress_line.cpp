#include "progress/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace switchyard {
namespace {

constexpr std::size_t kWidestBar = 30;
constexpr std::size_t kNarrowestBar = 5;

double fraction(const ProgressFacts& facts) {
  if (facts.total <= 0) return 1;
  return std::clamp(static_cast<double>(facts.done) / static_cast<double>(facts.total), 0.0, 1.0);
}

/// `width` columns, of which the last full one may be filled by eighths.
std::string bar(double filled, std::size_t width) {
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(filled * 8 * static_cast<double>(width));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  const std::size_t used = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
  return text + std::string(width - used, ' ');
}

}  // namespace

std::string time_text(double seconds) {
  constexpr double kMost = 359'999;  // 99:59:59; a guess beyond it says nothing
  const auto whole = static_cast<int>(std::isfinite(seconds) ? std::clamp(seconds, 0.0, kMost) : 0);
  const int hours = whole / 3600;
  const std::string minutes = fmt::format("{:02}:{:02}", whole / 60 % 60, whole % 60);
  return hours > 0 ? fmt::format("{}:{}", hours, minutes) : minutes;
}

std::string progress_line(const ProgressFacts& facts, std::size_t columns) {
  const std::string head = fmt::format("epoch {}/{} ", facts.epoch, facts.epochs);
  std::string tail =
      fmt::format("{:.0f}% loss {:.4g} {:.{}f}/s {}", std::floor(100 * fraction(facts)), facts.loss,
                  facts.rate, facts.rate < 10 ? 1 : 0, time_text(facts.seconds));
  if (!facts.is_over) tail += " left";
  if (!facts.remark.empty()) tail += " " + facts.remark;
  // A line that reaches the last column would wrap.
  const std::size_t used = head.size() + tail.size() + 2;
  const std::size_t room = columns > used ? std::min(columns - used, kWidestBar) : 0;
  if (room < kNarrowestBar) return head + tail;
  return head + bar(fraction(facts), room) + " " + tail;
}

}  // namespace switchyard
