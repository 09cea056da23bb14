#include "gradients/rules/axes.hpp"

#include <numeric>

namespace switchyard {

std::vector<std::int64_t> axes_or_all(std::vector<std::int64_t> axes, std::size_t rank) {
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  for (std::int64_t& axis : axes) axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
  return axes;
}

}  // namespace switchyard
