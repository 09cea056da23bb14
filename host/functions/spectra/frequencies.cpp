// Frequencies of Fourier transforms, and their order.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard::fft {
namespace {

/// Each of `dims` rolled by half of its extent, rounded up or down.
Tensor rolled(std::string_view function, const Tensor& x, const Dims& dims, std::int64_t more) {
  Tensor result = x;
  for (const std::int64_t dim : normalize_axes(function, dims, x.dim())) {
    result = roll(result, (extent(x, dim) + more) / 2, dim);
  }
  return dims.empty() ? x.clone() : result;
}

/// Numbers from 0 on up to `last`, then, if more are wanted, those below 0.
Tensor frequencies(std::string_view function, std::int64_t n, double spacing, std::int64_t count,
                   std::int64_t last, const TensorOptions& options) {
  const DType dtype = options.dtype.value_or(DType::float32);
  if (n < 1 || !(spacing != 0) || !is_floating(dtype)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] needs a length from 1 on, a spacing other than 0, and a "
                            "floating-point dtype; got {}, {} and {}",
                            function, n, spacing, name_of(dtype)));
  }
  // The device says sooner than the host whether there is memory for them.
  static_cast<void>(empty({count}, {.device = options.device, .dtype = dtype}));
  std::vector<double> values;
  const double step = 1 / (static_cast<double>(n) * spacing);
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<double>(i <= last ? i : i - n) * step);
  }
  return from_doubles(values, {count}, dtype, options);
}

}  // namespace

Tensor fftshift(const Tensor& x, const Dims& dims) {
  const CalledFunction here;
  return rolled("fftshift", x, dims, 0);
}

Tensor ifftshift(const Tensor& x, const Dims& dims) {
  const CalledFunction here;
  return rolled("ifftshift", x, dims, 1);
}

Tensor fftfreq(Int n, Real spacing, const TensorOptions& options) {
  const CalledFunction here;
  return frequencies("fftfreq", n, spacing, n, (n - 1) / 2, options);
}

Tensor rfftfreq(Int n, Real spacing, const TensorOptions& options) {
  const CalledFunction here;
  return frequencies("rfftfreq", n, spacing, n / 2 + 1, n, options);
}

}  // namespace switchyard::fft
