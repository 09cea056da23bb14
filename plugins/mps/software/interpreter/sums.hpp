// Results that are gathered term by term: as floats, or as doubles where there are so many terms
// that a float would lose digits.
#pragma once

#include <type_traits>
#include <vector>

#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

inline bool is_long_sum(int64_t terms) { return terms > 1024; }

template <typename Sum>
class Sums {
 public:
  explicit Sums(const seam::TensorType& type) : results_(type, 0) {
    if constexpr (is_wide) wide_.assign(static_cast<size_t>(count_of(type.shape)), 0);
  }

  Sum* data() {
    if constexpr (is_wide) {
      return wide_.data();
    } else {
      return results_.data();
    }
  }
  Value rounded() {
    for (size_t i = 0; i < wide_.size(); ++i) {
      results_[static_cast<int64_t>(i)] = static_cast<float>(wide_[i]);
    }
    return results_.rounded();
  }

 private:
  static constexpr bool is_wide = std::is_same_v<Sum, double>;
  Results<float> results_;
  std::vector<Sum> wide_;
};

}  // namespace mps::software::interpreter
