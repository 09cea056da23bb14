#pragma once

#include <cstdint>
#include <functional>
#include <switchyard/tensor.hpp>

namespace switchyard::optim {

/// A point on the line along which a step goes.
struct LinePoint {
  double step_size = 0;
  double loss = 0;
  Tensor gradient;
  double derivative = 0;  // of the loss along the line
};

struct LineSearchResult {
  LinePoint point;
  std::int64_t evaluations = 0;
};

/// A point that meets the strong conditions of Wolfe, from `start`, whose step_size is 0; `first`
/// is the step size to begin with. As PyTorch's: the best of 25 where none does.
LineSearchResult strong_wolfe(const std::function<LinePoint(double step_size)>& evaluate,
                              const LinePoint& start, double first, double largest_of_direction,
                              double tolerance_change);

}  // namespace switchyard::optim
