// Views that the strides alone describe.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "autograd/view_steps.hpp"
#include "error/called_function.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "ops/row.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// Whether such a view shows elements of the storage only; numbers too large for any do not wrap.
bool lies_in_storage(const TensorImpl& base, const Dims& shape, const Dims& strides,
                     std::int64_t offset) {
  if (offset < 0 || shape.size() != strides.size() || bit_width(base.dtype) < 8) return false;
  const std::size_t bytes = base.storage ? base.storage->requested_bytes() : base.size_bytes();
  const auto width = static_cast<std::size_t>(bit_width(base.dtype) / 8);
  const auto held = static_cast<std::int64_t>(bytes / width);
  std::int64_t last = 0;
  bool wraps =
      __builtin_add_overflow(base.offset_bytes / static_cast<std::int64_t>(width), offset, &last);
  if (wraps || last > held) return false;
  bool is_empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0 || strides[d] < 0) return false;
    is_empty = is_empty || shape[d] == 0;
    std::int64_t way = 0;
    wraps = wraps || __builtin_mul_overflow(shape[d] - 1, strides[d], &way) ||
            __builtin_add_overflow(last, way, &last);
  }
  return is_empty || (!wraps && last < held);
}

/// A view, and what its backward pass goes by.
Tensor recorded_view(TensorImpl& base, const TensorRef& view, const PartGeometry& part) {
  if (grad_mode()) {
    if (base.history && requires_grad(base)) {
      set_made_by(*view, make_step<ViewStep>(edge_of(base), part), 0);
    }
  }
  set_view_of(*view, TensorRef(&base));
  return Tensor(view.get());
}

/// Which elements of a tensor with these strides lie on its diagonal.
struct Diagonal {
  std::size_t first, second;
  std::int64_t offset, length;

  ViewSpec along(const Dims& shape, const Dims& strides) const {
    ViewSpec view;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (d == first || d == second) continue;
      view.shape.push_back(shape[d]);
      view.strides.push_back(strides[d]);
    }
    view.shape.push_back(length);
    view.strides.push_back(strides[first] + strides[second]);
    if (element_count(view.shape) == 0) return view;
    view.offset = offset < 0 ? -offset * strides[first] : offset * strides[second];
    return view;
  }
};

}  // namespace

/// Its gradient goes by the shape alone, whatever the strides.
Tensor diagonal(const Tensor& x, Int offset, Dim dim1, Dim dim2) {
  const CalledFunction here;
  require_rank("diagonal", x, 2, std::numeric_limits<std::int64_t>::max());
  const std::int64_t first = normalize_axis("diagonal", dim1, x.dim());
  const std::int64_t second = normalize_axis("diagonal", dim2, x.dim());
  if (first == second) {
    throw Error(ErrorKind::invalid_argument,
                "[diagonal] a diagonal runs along two different dimensions");
  }
  const std::int64_t down =
                         std::max<std::int64_t>(-std::max<std::int64_t>(offset, -x.size(first)), 0),
                     right = std::max<std::int64_t>(offset, 0);
  const std::int64_t length =
      std::max<std::int64_t>(0, std::min(x.size(first) - down, x.size(second) - right));
  const Diagonal part{static_cast<std::size_t>(first), static_cast<std::size_t>(second), offset,
                      length};
  const Tensor placed = impl_of(x).device ? x : place(x);
  TensorImpl& base = impl_of(placed);
  if (bit_width(base.dtype) < 8) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[diagonal] {} elements share bytes; cast them to 8 "
                            "bits first",
                            name_of(base.dtype)));
  }
  const ViewSpec at = part.along(base.shape, base.strides);
  const Dims row_major = contiguous_strides(base.shape);
  const ViewSpec of_gradient = part.along(base.shape, row_major);
  return recorded_view(
      base, make_view(TensorRef(&base), at.shape, at.strides, at.offset),
      {base.shape, row_major, of_gradient.shape, of_gradient.strides, of_gradient.offset});
}

Tensor as_strided(const Tensor& x, const Dims& shape, const Dims& strides, Int offset) {
  const CalledFunction here;
  require_rank("as_strided", x, 0, std::numeric_limits<std::int64_t>::max());
  TensorImpl& base = impl_of(x);
  if (!base.device || !lies_in_storage(base, shape, strides, offset)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[as_strided] shape {}, strides {} from element {} do not lie in the "
                            "storage of a tensor of shape {}{}",
                            listed(shape), listed(strides), offset, describe(x.shape()),
                            base.device ? "" : ", which is a value of the host"));
  }
  const TensorRef view = make_view(TensorRef(&base), shape, strides, offset);
  return recorded_view(base, view, part_geometry(base, *view));
}

}  // namespace switchyard
