// Views that the strides alone describe.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "autograd/view_steps.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// With the strides of row-major order, which no elements at all may lack.
Tensor without_gaps(const Tensor& x) { return x.size() == 0 ? x.clone() : x.contiguous(); }

/// Whether such a view shows elements of the storage only; numbers too large for any do not wrap.
bool lies_in_storage(const TensorImpl& base, const Dims& shape, const Dims& strides,
                     std::int64_t offset) {
  if (offset < 0 || shape.size() != strides.size() || bit_width(base.dtype) < 8) return false;
  const std::size_t bytes = base.storage ? base.storage->bytes() : base.size_bytes();
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

}  // namespace

Tensor diagonal(const Tensor& x, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  require_rank("diagonal", x, 2, std::numeric_limits<std::int64_t>::max());
  const std::int64_t first = wrapped("diagonal", dim1, x.dim());
  const std::int64_t second = wrapped("diagonal", dim2, x.dim());
  if (first == second) {
    throw Error(ErrorKind::usage, "[diagonal] a diagonal runs along two different dimensions");
  }
  const std::int64_t down = std::max<std::int64_t>(-offset, 0),
                     right = std::max<std::int64_t>(offset, 0);
  const std::int64_t length =
      std::max<std::int64_t>(0, std::min(x.size(first) - down, x.size(second) - right));
  // The gradient of strides is that of a contiguous tensor's.
  const bool is_copied = grad_mode && x.requires_grad();
  const Tensor base = is_copied ? without_gaps(x) : x.impl()->device ? x : place(x);
  const auto stride = [&](std::int64_t d) { return base.strides()[static_cast<std::size_t>(d)]; };
  Dims shape, strides;
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (d == first || d == second) continue;
    shape.push_back(x.size(d));
    strides.push_back(stride(d));
  }
  const std::int64_t row = stride(first), column = stride(second);
  shape.push_back(length);
  strides.push_back(row + column);
  const bool is_empty = length == 0 || base.size() == 0;
  return as_strided(base, shape, strides, is_empty ? 0 : down * row + right * column);
}

Tensor as_strided(const Tensor& x, const Dims& shape, const Dims& strides, std::int64_t offset) {
  require_rank("as_strided", x, 0, std::numeric_limits<std::int64_t>::max());
  TensorImpl& base = *x.impl();
  if (!base.device || !lies_in_storage(base, shape, strides, offset)) {
    throw Error(ErrorKind::usage,
                fmt::format("[as_strided] shape {}, strides {} from element {} do not lie in the "
                            "storage of a tensor of shape {}{}",
                            listed(shape), listed(strides), offset, describe(x.shape()),
                            base.device ? "" : ", which is a value of the host"));
  }
  const TensorRef view = make_view(TensorRef(&base), shape, strides, offset);
  if (grad_mode) {
    if (base.history && requires_grad(base)) {
      set_made_by(*view, make_step<PartOfBase>(base, *view), 0);
    }
    set_view_of(*view, TensorRef(&base));
  }
  return Tensor(view.get());
}

}  // namespace switchyard
