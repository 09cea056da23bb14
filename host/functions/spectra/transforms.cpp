// Fourier transforms of real numbers and of complex ones, which have a last dimension of 2.
#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard::fft {
namespace {

constinit const EagerOp kDft("DFT");

using Length = std::optional<std::int64_t>;

Tensor complex_numbers(std::string_view function, const Tensor& x) {
  if (x.dim() >= 2 && x.size(-1) == 2) return as_floating(x);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] takes complex numbers, with a last dimension of 2 and one or more "
                          "before it; got {}",
                          function, describe(x.shape())));
}

Tensor real_numbers(std::string_view function, const Tensor& x) {
  require_rank(function, x, 1, 63);
  return unsqueeze(as_floating(x), -1);
}

/// What a transform of that length is multiplied by, beyond what the op does: the one back divides.
double share(Norm norm, bool inverse, std::int64_t length) {
  const double n = static_cast<double>(length);
  if (inverse) return norm == Norm::backward ? 1 : norm == Norm::ortho ? std::sqrt(n) : n;
  return norm == Norm::backward ? 1 : norm == Norm::ortho ? 1 / std::sqrt(n) : 1 / n;
}

struct Transform {
  std::string_view function;
  bool inverse, onesided;
  Norm norm;

  /// Of numbers with a last dimension of their parts, which dimensions do not count.
  Tensor operator()(const Tensor& x, Length n, std::int64_t dim) const {
    const std::int64_t axis = normalize_axis(function, dim, x.dim() - 1);
    const std::int64_t extent = x.size(axis);
    const std::int64_t length = n.value_or(inverse && onesided ? 2 * (extent - 1) : extent);
    if (length < 1 || (inverse && onesided && extent < 1)) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] a transform has at least one number; got a length of {} for an "
                              "extent of {}",
                              function, length, extent));
    }
    const Tensor spectrum = kDft(
        {x, int64_scalar(length), int64_scalar(axis)},
        attributes({{"inverse", std::int64_t{inverse}}, {"onesided", std::int64_t{onesided}}}));
    const double factor = share(norm, inverse, length);
    return factor == 1 ? spectrum : mul(spectrum, factor);
  }
};

/// The dimensions, counted from the first, and the length along each.
struct Axes {
  Axes(std::string_view function, const Dims& shape, const Dims& named, std::int64_t rank)
      : dims(normalize_axes(function, named, rank)), lengths(shape) {
    if (dims.empty() || (!shape.empty() && shape.size() != dims.size())) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] needs a dimension or more, and a length for each or for none; "
                              "got dimensions {} and lengths {}",
                              function, listed(named), listed(shape)));
    }
  }
  Length length(std::size_t i) const { return lengths.empty() ? Length() : Length(lengths[i]); }

  Dims dims, lengths;
};

/// Along the first `count` of the axes.
Tensor along(const Transform& transform, Tensor x, const Axes& axes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x = transform(x, axes.length(i), axes.dims[i]);
  return x;
}

Tensor of_complex(std::string_view function, const Tensor& x, const Dims& shape, const Dims& dims,
                  bool inverse, Norm norm) {
  const Tensor numbers = complex_numbers(function, x);
  const Axes axes(function, shape, dims, numbers.dim() - 1);
  return along({function, inverse, false, norm}, numbers, axes, axes.dims.size());
}

}  // namespace

Tensor fft(const Tensor& x, std::optional<Int> n, Dim dim, Norm norm) {
  const CalledFunction here;
  return Transform{"fft", false, false, norm}(complex_numbers("fft", x), n, dim);
}

Tensor ifft(const Tensor& x, std::optional<Int> n, Dim dim, Norm norm) {
  const CalledFunction here;
  return Transform{"ifft", true, false, norm}(complex_numbers("ifft", x), n, dim);
}

Tensor rfft(const Tensor& x, std::optional<Int> n, Dim dim, Norm norm) {
  const CalledFunction here;
  return Transform{"rfft", false, true, norm}(real_numbers("rfft", x), n, dim);
}

Tensor irfft(const Tensor& x, std::optional<Int> n, Dim dim, Norm norm) {
  const CalledFunction here;
  return squeeze(Transform{"irfft", true, true, norm}(complex_numbers("irfft", x), n, dim), -1);
}

Tensor fft2(const Tensor& x, const Dims& shape, const Dims& dims, Norm norm) {
  const CalledFunction here;
  return of_complex("fft2", x, shape, dims, false, norm);
}

Tensor ifft2(const Tensor& x, const Dims& shape, const Dims& dims, Norm norm) {
  const CalledFunction here;
  return of_complex("ifft2", x, shape, dims, true, norm);
}

Tensor rfft2(const Tensor& x, const Dims& shape, const Dims& dims, Norm norm) {
  const CalledFunction here;
  const Tensor numbers = real_numbers("rfft2", x);
  const Axes axes("rfft2", shape, dims, x.dim());
  const std::size_t last = axes.dims.size() - 1;
  const Tensor half =
      Transform{"rfft2", false, true, norm}(numbers, axes.length(last), axes.dims[last]);
  return along({"rfft2", false, false, norm}, half, axes, last);
}

Tensor irfft2(const Tensor& x, const Dims& shape, const Dims& dims, Norm norm) {
  const CalledFunction here;
  const Tensor numbers = complex_numbers("irfft2", x);
  const Axes axes("irfft2", shape, dims, numbers.dim() - 1);
  const std::size_t last = axes.dims.size() - 1;
  const Tensor half = along({"irfft2", true, false, norm}, numbers, axes, last);
  return squeeze(Transform{"irfft2", true, true, norm}(half, axes.length(last), axes.dims[last]),
                 -1);
}

}  // namespace switchyard::fft
