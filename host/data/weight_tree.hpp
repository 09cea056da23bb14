#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace switchyard {

/// Weights, from which indices are drawn in logarithmic time: a binary tree of sums. A sum is made
/// anew from its two parts whenever one changes, so that nothing is left of a weight that was taken
/// out.
class WeightTree {
 public:
  explicit WeightTree(const std::vector<double>& weights)
      : leaves_(std::bit_ceil(std::max<std::size_t>(weights.size(), 1))), sums_(2 * leaves_) {
    std::copy(weights.begin(), weights.end(), sums_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t i = leaves_ - 1; i > 0; --i) sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
  }

  double sum() const { return sums_[1]; }

  /// The index whose part of [0, 1) holds `share`; never one of weight 0, whatever the rounding.
  /// The sum must not be 0.
  std::size_t at(double share) const {
    double rest = share * sum();
    std::size_t i = 1;
    while (i < leaves_) {
      const double left = sums_[2 * i], right = sums_[2 * i + 1];
      const bool is_left = right == 0 || (left > 0 && rest < left);
      if (!is_left) rest -= left;
      i = 2 * i + (is_left ? 0 : 1);
    }
    return i - leaves_;
  }

  void take_out(std::size_t index) {
    std::size_t i = leaves_ + index;
    sums_[i] = 0;
    while (i /= 2) sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
  }

 private:
  std::size_t leaves_;
  std::vector<double> sums_;  // sums_[1] of all; that of node i is of nodes 2 i and 2 i + 1
};

}  // namespace switchyard
