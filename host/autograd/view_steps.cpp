#include "autograd/view_steps.hpp"

#include <algorithm>

namespace switchyard {
namespace {

/// One past the last element that such a view shows; 0 if it shows none.
std::int64_t end_of(const Dims& shape, const Dims& strides, std::int64_t offset) {
  std::int64_t last = offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return 0;
    last += (shape[d] - 1) * strides[d];
  }
  return last + 1;
}

}  // namespace

std::int64_t PartGeometry::span() const {
  return std::max(end_of(base_shape, base_strides, 0), end_of(shape, strides, offset));
}

PartGeometry part_geometry(const TensorImpl& base, const TensorImpl& view) {
  return {base.shape, base.strides, view.shape, view.strides,
          (view.offset_bytes - base.offset_bytes) * 8 / bit_width(base.dtype)};
}

ViewStep::ViewStep(Edge base, PartGeometry part) : BackwardStep(1), part(std::move(part)) {
  edges = {std::move(base)};
  assign_sequence_number();
}

WriteToViewStep::WriteToViewStep(PartGeometry part, Edge before, Edge written)
    : BackwardStep(1), part(std::move(part)) {
  edges = {std::move(before), std::move(written)};
  assign_sequence_number();
}

}  // namespace switchyard
