#include "ops/shapes/movement/restride.hpp"

namespace switchyard {

namespace {

/// True if axis `axis - 1` does not simply continue the run of elements that `axis` belongs to.
bool starts_run(const Dims& shape, const Dims& strides, std::size_t axis, std::int64_t run_stride) {
  return axis == 0 || (shape[axis - 1] != 1 && strides[axis - 1] != run_stride);
}

}  // namespace

// Both shapes are walked from the last axis on, cut into runs of evenly spaced elements: each run
// of the source has to be filled exactly by axes of the target.
std::optional<Dims> restride(const Dims& shape, const Dims& strides, const Dims& target) {
  if (element_count(shape) == 0) return contiguous_strides(target);
  Dims result = Dims::filled(target.size(), 1);
  std::size_t open = target.size();  // target axes before this one are not placed yet
  std::int64_t step = shape.empty() ? 1 : strides.back();
  std::int64_t elements = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    elements *= shape[axis];
    if (!starts_run(shape, strides, axis, elements * step)) continue;
    std::int64_t placed = 1;
    while (open > 0 && (placed < elements || target[open - 1] == 1)) {
      result[--open] = placed * step;
      placed *= target[open];
    }
    if (placed != elements) return std::nullopt;
    if (axis > 0) step = strides[axis - 1];
    elements = 1;
  }
  return result;
}

}  // namespace switchyard
