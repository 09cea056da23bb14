#include <fmt/format.h>

#include <cmath>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "device/within_memory.hpp"
#include "error/called_function.hpp"
#include "functions/calls/device_of.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "ops/op_error.hpp"
#include "tensor/engine.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kRange("Range"), kEyeLike("EyeLike");

CallDevice device_of(const TensorOptions& options) {
  return options.device ? CallDevice(*options.device->open()) : CallDevice(current_device());
}

void check_steps(double start, double end, double step) {
  if (step == 0)
    throw Error(ErrorKind::invalid_argument, "[arange] the step is 0; it never reaches the end");
  if (std::isfinite(start) && std::isfinite(end) && std::isfinite(step) &&
      (end - start) * step >= 0) {
    return;
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[arange] steps of {} do not lead from {} to {}", step, start, end));
}

Tensor finish(Tensor made, const TensorOptions& options) {
  if (options.requires_grad) made.requires_grad_();
  return made;
}

std::vector<double> evenly_spaced(double start, double end, std::int64_t steps) {
  std::vector<double> values(static_cast<std::size_t>(steps));
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    // From the nearer end, so that both ends are exact.
    const bool first_half = i < (steps + 1) / 2;
    values[static_cast<std::size_t>(i)] = first_half
                                              ? start + step * static_cast<double>(i)
                                              : end - step * static_cast<double>(steps - 1 - i);
  }
  return values;
}

}  // namespace

void check_extents(const Dims& shape) {
  for (const std::int64_t extent : shape) {
    if (extent >= 0) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a new tensor of shape {} has a negative extent", listed(shape)));
  }
}

void require_memory(OpenDevice& device, DType dtype, const Dims& shape) {
  require_host_memory(device, byte_size(dtype, element_count(shape)));
}
void require_memory(const Tensor& like, DType dtype, const Dims& shape) {
  OpenDevice* device = impl_of(like).device;
  require_memory(device ? *device : CallDevice(current_device()).open(), dtype, shape);
}

Tensor filled(OpenDevice& device, DType dtype, const Dims& shape, const Tensor& value) {
  const TensorRef made = make_device_tensor(device, dtype, shape);
  fill_unrecorded(made, value);
  return Tensor(made.get());
}

Tensor empty(const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  check_extents(shape);
  const TensorRef made =
      make_device_tensor(device_of(options).open(), options.dtype.value_or(DType::float32), shape);
  return finish(Tensor(made.get()), options);
}

Tensor full(const Dims& shape, const Tensor& value, const TensorOptions& options) {
  const CalledFunction here;
  check_extents(shape);
  const DType usual =
      is_number(value) && is_floating(value.dtype()) ? DType::float32 : value.dtype();
  return finish(filled(device_of(options).open(), options.dtype.value_or(usual), shape, value),
                options);
}

Tensor zeros(const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  check_extents(shape);
  return finish(filled(device_of(options).open(), options.dtype.value_or(DType::float32), shape, 0),
                options);
}

Tensor ones(const Dims& shape, const TensorOptions& options) {
  const CalledFunction here;
  check_extents(shape);
  return finish(filled(device_of(options).open(), options.dtype.value_or(DType::float32), shape, 1),
                options);
}

Tensor zeros_like(const Tensor& like, const TensorOptions& options) {
  const CalledFunction here;
  return zeros(like.shape(), options_like(like, options));
}
Tensor ones_like(const Tensor& like, const TensorOptions& options) {
  const CalledFunction here;
  return ones(like.shape(), options_like(like, options));
}
Tensor full_like(const Tensor& like, const Tensor& value, const TensorOptions& options) {
  const CalledFunction here;
  return full(like.shape(), value, options_like(like, options));
}
Tensor empty_like(const Tensor& like, const TensorOptions& options) {
  const CalledFunction here;
  return empty(like.shape(), options_like(like, options));
}
Tensor arange(const Tensor& end, const TensorOptions& options) {
  const CalledFunction here;
  return arange(0, end, 1, options);
}

Tensor arange(const Tensor& start, const Tensor& end, const TensorOptions& options) {
  const CalledFunction here;
  return arange(start, end, 1, options);
}

Tensor arange(const Tensor& start, const Tensor& end, const Tensor& step,
              const TensorOptions& options) {
  const CalledFunction here;
  const bool floats =
      is_floating(start.dtype()) || is_floating(end.dtype()) || is_floating(step.dtype());
  const DType wanted = options.dtype.value_or(floats ? DType::float32 : DType::int64);
  // The range itself is made in the widest type of its category, so that no step is rounded away.
  const DType wide = floats ? DType::float64 : DType::int64;
  check_steps(start.item(), end.item(), step.item());
  const Tensor range = kRange({as_dtype(start, wide), as_dtype(end, wide), as_dtype(step, wide)});
  TensorOptions rest = options;
  rest.dtype = wanted;
  return place(range, rest);
}

Tensor linspace(Real start, Real end, Int steps, const TensorOptions& options) {
  const CalledFunction here;
  if (steps < 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("linspace got {} steps; at least 0 are", steps));
  }
  const DType dtype = options.dtype.value_or(DType::float32);
  require_memory(device_of(options).open(), dtype, {steps});
  return within_memory("linspace", [&] {
    return from_doubles(evenly_spaced(start, end, steps), {steps}, dtype, options);
  });
}

Tensor eye(Int rows, std::optional<Int> columns, const TensorOptions& options) {
  const CalledFunction here;
  const Dims shape{rows, columns.value_or(rows)};
  check_extents(shape);
  const Tensor diagonal = kEyeLike(
      {empty(shape, {.device = options.device, .dtype = options.dtype.value_or(DType::float32)})});
  return finish(diagonal, options);
}

/// What most devices take is rounded here, so that float64 need not be known there.
Tensor from_doubles(const std::vector<double>& values, const Dims& shape, DType dtype,
                    const TensorOptions& options) {
  TensorOptions rest = options;
  rest.dtype = dtype;
  if (dtype != DType::float32) return tensor(values, shape, rest);
  return tensor(std::vector<float>(values.begin(), values.end()), shape, rest);
}

Tensor place(const Tensor& host, const TensorOptions& options) try {
  const CalledFunction here;
  TensorImpl& impl = impl_of(host);
  const CallDevice called = device_of(options);
  OpenDevice& device = called.open();
  CopyCount count;
  Tensor placed = host;
  if (impl.device != &device) {
    placed = Tensor(copy_to(device, TensorRef(&impl), count).get());
  }
  if (options.dtype) placed = as_dtype(placed, *options.dtype);
  return finish(placed, options);
} catch (const Error& error) {
  throw_to_caller(error, "");
}

Tensor beside(const Tensor& like, const Tensor& value, DType dtype) {
  // Not every device holds a number's own type, float64.
  const Tensor given = is_number(value) ? as_dtype(value, dtype) : value;
  const Device place = like.device();
  return as_dtype(given.device().is_host() && !place.is_host() ? given.to(place) : given, dtype);
}

}  // namespace switchyard
