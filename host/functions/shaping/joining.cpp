// New tensors from parts of others.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kConcat("Concat"), kTile("Tile"), kTrilu("Trilu"), kFlipSlice("Slice");

Tensor triangle(const Tensor& x, std::int64_t diagonal, bool upper) {
  return kTrilu({x, int64_scalar(diagonal)}, attributes({{"upper", std::int64_t{upper}}}));
}

/// Throws unless the shapes are equal in all dimensions but `dim`.
void require_same_but(std::int64_t dim, const Dims& first, const Dims& other) {
  Dims moved = other;
  if (first.size() == other.size()) {
    moved[static_cast<std::size_t>(dim)] = first[static_cast<std::size_t>(dim)];
  }
  if (moved == first) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[cat] shapes {} and {} do not go together along dimension {}: all other "
                          "extents must be equal",
                          describe(first), describe(other), dim));
}

/// `x` itself where nothing moves.
Tensor rolled_along(const Tensor& x, std::int64_t dim, std::int64_t shift) {
  const std::int64_t whole = extent(x, dim);
  const std::int64_t down = whole == 0 ? 0 : (shift % whole + whole) % whole;
  if (down == 0) return x;
  return cat({narrow(x, dim, whole - down, down), narrow(x, dim, 0, whole - down)}, dim);
}

}  // namespace

Tensor cat(std::span<const Tensor> tensors, Dim dim) {
  const CalledFunction here;
  if (tensors.empty()) throw Error(ErrorKind::invalid_argument, "[cat] needs at least one tensor");
  for (const Tensor& tensor : tensors) {
    require_rank("cat", tensor, 1, std::numeric_limits<std::int64_t>::max());
  }
  DType dtype = tensors[0].dtype();
  for (const Tensor& tensor : tensors) dtype = promote(dtype, tensor.dtype());
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != Dims{0}) parts.push_back(as_dtype(tensor, dtype));
  }
  if (parts.empty()) return as_dtype(tensors[0], dtype).clone();
  const std::int64_t at = normalize_axis("cat", dim, parts[0].dim());
  for (const Tensor& part : parts) require_same_but(at, parts[0].shape(), part.shape());
  return kConcat(parts, attributes({{"axis", at}}));
}
Tensor cat(std::initializer_list<Tensor> tensors, Dim dim) {
  const CalledFunction here;
  return cat(std::span(tensors.begin(), tensors.size()), dim);
}

Tensor stack(std::span<const Tensor> tensors, Dim dim) {
  const CalledFunction here;
  if (tensors.empty())
    throw Error(ErrorKind::invalid_argument, "[stack] needs at least one tensor");
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != tensors[0].shape()) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[stack] shapes {} and {} differ; all must be equal",
                              describe(tensors[0].shape()), describe(tensor.shape())));
    }
    parts.push_back(unsqueeze(tensor, dim));
  }
  return cat(parts, normalize_axis("stack", dim, tensors[0].dim() + 1));
}
Tensor stack(std::initializer_list<Tensor> tensors, Dim dim) {
  const CalledFunction here;
  return stack(std::span(tensors.begin(), tensors.size()), dim);
}

Tensor repeat(const Tensor& x, const Dims& times) {
  const CalledFunction here;
  Dims shape = x.shape();
  if (times.size() < shape.size()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[repeat] {} names fewer dimensions than shape {} has", listed(times),
                            describe(shape)));
  }
  if (std::any_of(times.begin(), times.end(), [](std::int64_t n) { return n < 0; })) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[repeat] {} has a negative number of times", listed(times)));
  }
  while (shape.size() < times.size()) shape.insert(0, 1);
  return kTile({reshape(x, shape), int64s(times)});
}

Tensor flip(const Tensor& x, const Dims& dims) {
  const CalledFunction here;
  const Dims axes = normalize_axes("flip", dims, x.dim());
  const Dims from = Dims::filled(axes.size(), std::numeric_limits<std::int64_t>::max());
  const Dims to = Dims::filled(axes.size(), std::numeric_limits<std::int64_t>::min());
  const Dims back = Dims::filled(axes.size(), -1);
  if (axes.empty() || x.dim() == 0) return x.clone();
  const Tensor flipped = kFlipSlice({x, int64s(from), int64s(to), int64s(axes), int64s(back)});
  const bool is_copy = flipped.impl()->storage.get() != x.impl()->storage.get();
  return is_copy ? flipped : flipped.clone();
}

Tensor roll(const Tensor& x, const Dims& shifts, const Dims& dims) {
  const CalledFunction here;
  if (dims.empty() && shifts.size() == 1) {
    return reshape(roll(reshape(x, {x.size()}), shifts, 0), x.shape());
  }
  if (shifts.size() != dims.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[roll] shifts {} for dimensions {}: give one for each", listed(shifts),
                            listed(dims)));
  }
  Tensor rolled = x;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    rolled = rolled_along(rolled, normalize_axis("roll", dims[i], x.dim()), shifts[i]);
  }
  return rolled.impl() == x.impl() ? x.clone() : rolled;
}

Tensor triu(const Tensor& x, Int diagonal) {
  const CalledFunction here;
  return triangle(x, diagonal, true);
}
Tensor tril(const Tensor& x, Int diagonal) {
  const CalledFunction here;
  return triangle(x, diagonal, false);
}

}  // namespace switchyard
