#include "optim/strong_wolfe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace switchyard::optim {
namespace {

constexpr int kMostEvaluations = 25;
constexpr double kDecrease = 1e-4, kCurvature = 0.9;

using Bracket = std::array<LinePoint, 2>;

/// The minimum of the cubic through both points with their derivatives, within the bounds.
double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high) {
  const double d1 =
      a.derivative + b.derivative - 3 * (a.loss - b.loss) / (a.step_size - b.step_size);
  const double square = d1 * d1 - a.derivative * b.derivative;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const auto [left, right] = a.step_size <= b.step_size ? std::pair(&a, &b) : std::pair(&b, &a);
  const double width = right->step_size - left->step_size;
  const double minimum =
      right->step_size -
      width * ((right->derivative + d2 - d1) / (right->derivative - left->derivative + 2 * d2));
  return std::min(std::max(minimum, low), high);
}

/// The search itself. Where Python's code has comparisons with NaN, so has this.
class Search {
 public:
  Search(const std::function<LinePoint(double)>& evaluate, const LinePoint& start,
         double largest_of_direction, double tolerance_change)
      : evaluate_(evaluate),
        start_(start),
        largest_of_direction_(largest_of_direction),
        tolerance_change_(tolerance_change) {}

  LineSearchResult run(double first) {
    std::optional<Bracket> bracket = find_bracket(first);
    LinePoint found = bracket ? zoom(std::move(*bracket)) : found_;
    return {std::move(found), evaluations_};
  }

 private:
  LinePoint evaluate(double step_size) {
    ++evaluations_;
    return evaluate_(step_size);
  }
  bool is_too_high(const LinePoint& point) const {
    return point.loss > start_.loss + kDecrease * point.step_size * start_.derivative;
  }
  bool is_flat(const LinePoint& point) const {
    return std::abs(point.derivative) <= -kCurvature * start_.derivative;
  }

  /// Two points between which there is one that meets the conditions; none if `found_` does.
  std::optional<Bracket> find_bracket(double first) {
    LinePoint before = start_, point = evaluate(first);
    for (; trials_ < kMostEvaluations; ++trials_) {
      if (is_too_high(point) || (trials_ > 1 && point.loss >= before.loss)) {
        return Bracket{before, point};
      }
      if (is_flat(point)) {
        found_ = point;
        return std::nullopt;
      }
      if (point.derivative >= 0) return Bracket{before, point};
      const double least = point.step_size + 0.01 * (point.step_size - before.step_size);
      const double next = cubic_minimum(before, point, least, point.step_size * 10);
      before = std::exchange(point, evaluate(next));
    }
    return Bracket{start_, point};
  }

  /// Makes the bracket smaller until one of its points meets the conditions; gives the lower one.
  LinePoint zoom(Bracket bracket) {
    bool was_near_an_end = false, is_done = false;
    std::size_t low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
    while (!is_done && trials_ < kMostEvaluations) {
      const double width = std::abs(bracket[1].step_size - bracket[0].step_size);
      if (width * largest_of_direction_ < tolerance_change_) break;
      const LinePoint point = evaluate(next_step_size(bracket, was_near_an_end));
      ++trials_;
      LinePoint &lower = bracket[low], &higher = bracket[1 - low];
      if (is_too_high(point) || point.loss >= lower.loss) {
        higher = point;
        low = bracket[0].loss <= bracket[1].loss ? 0 : 1;
        continue;
      }
      if (is_flat(point)) {
        is_done = true;
      } else if (point.derivative * (higher.step_size - lower.step_size) >= 0) {
        higher = lower;
      }
      lower = point;
    }
    return bracket[low];
  }

  /// Kept from the ends of the bracket, near which it would hardly become smaller.
  static double next_step_size(const Bracket& bracket, bool& was_near_an_end) {
    const auto [left, right] = std::minmax(bracket[0].step_size, bracket[1].step_size);
    const double next = cubic_minimum(bracket[0], bracket[1], left, right);
    const double margin = 0.1 * (right - left);
    if (!(std::min(right - next, next - left) < margin)) {
      was_near_an_end = false;
      return next;
    }
    if (!was_near_an_end && next < right && next > left) {
      was_near_an_end = true;
      return next;
    }
    was_near_an_end = false;
    return std::abs(next - right) < std::abs(next - left) ? right - margin : left + margin;
  }

  const std::function<LinePoint(double)>& evaluate_;
  const LinePoint& start_;
  const double largest_of_direction_, tolerance_change_;
  int trials_ = 0;
  std::int64_t evaluations_ = 0;
  LinePoint found_;
};

}  // namespace

LineSearchResult strong_wolfe(const std::function<LinePoint(double step_size)>& evaluate,
                              const LinePoint& start, double first, double largest_of_direction,
                              double tolerance_change) {
  return Search(evaluate, start, largest_of_direction, tolerance_change).run(first);
}

}  // namespace switchyard::optim
