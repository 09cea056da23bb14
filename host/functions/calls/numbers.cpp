#include "functions/calls/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "functions/calls/call.hpp"
#include "memory/per_thread.hpp"
#include "ops/op_error.hpp"
#include "ops/scalar_literal.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kCast("Cast");

TensorRef as_number(Literal value) {
  TensorRef number = make_host_tensor(std::move(value));
  number->is_number = true;
  return number;
}

/// A thread's latest numbers. Let go when a runtime may have gone, as they hold its devices open.
class RecentNumbers {
 public:
  template <typename Make>
  TensorRef find(std::uint64_t bits, DType dtype, const Make& make) {
    const std::uint64_t epoch = route_epoch.load(std::memory_order_acquire);
    if (epoch != epoch_) {
      entries_ = {};
      epoch_ = epoch;
    }
    Entry& entry =
        entries_[(bits * 0x9E3779B97F4A7C15ULL >> 56 ^ static_cast<std::uint64_t>(dtype)) %
                 entries_.size()];
    if (!entry.tensor || entry.bits != bits || entry.dtype != dtype) {
      entry = {bits, dtype, as_number(make())};
    }
    return entry.tensor;
  }

 private:
  struct Entry {
    std::uint64_t bits = 0;
    DType dtype = DType::undefined;
    TensorRef tensor;
  };
  std::array<Entry, 64> entries_;
  std::uint64_t epoch_ = 0;
};

template <typename Make>
Tensor recent_number(std::uint64_t bits, DType dtype, const Make& make) {
  RecentNumbers* recent = PerThread<RecentNumbers>::get();
  return Tensor((recent ? recent->find(bits, dtype, make) : as_number(make())).get());
}

template <typename T>
Literal wrapped_round(std::int64_t value, DType dtype) {
  const T element = static_cast<T>(value);
  return Literal::of<T>(dtype, {}, std::span(&element, 1));
}

/// Of a number that a caller gave with its dtype.
Literal rounded(double value, DType dtype) try {
  return scalar_literal(dtype, value);
} catch (const Error& error) {
  throw_to_caller(error, "");
}

Literal exact(std::int64_t value, DType dtype) {
  switch (dtype) {
    case DType::int8: return wrapped_round<std::int8_t>(value, dtype);
    case DType::int16: return wrapped_round<std::int16_t>(value, dtype);
    case DType::int32: return wrapped_round<std::int32_t>(value, dtype);
    case DType::int64: return Literal::int64(value);
    case DType::uint8: return wrapped_round<std::uint8_t>(value, dtype);
    case DType::uint16: return wrapped_round<std::uint16_t>(value, dtype);
    case DType::uint32: return wrapped_round<std::uint32_t>(value, dtype);
    case DType::uint64: return wrapped_round<std::uint64_t>(value, dtype);
    case DType::int4:
    case DType::uint4:
    case DType::int2:
    case DType::uint2: return packed_literal(dtype, value);
    default: return rounded(static_cast<double>(value), dtype);
  }
}

/// Without what is behind the point; what no 64 bits hold is the nearest that they do, and NaN 0.
std::int64_t whole(double value, DType dtype) {
  const DType wide = dtype == DType::uint64 && value >= 0 ? DType::uint64 : DType::int64;
  return scalar_literal(wide, value).values<std::int64_t>()[0];
}

/// The higher one wins. Floating-point types of fewer than 16 bits give way to all others.
int category(DType dtype) {
  if (dtype == DType::bool_) return 0;
  if (is_small_float(dtype)) return 2;
  return is_floating(dtype) ? 3 : 1;
}

DType promote_floating(DType a, DType b) {
  if (a == b) return a;
  return a == DType::float64 || b == DType::float64 ? DType::float64 : DType::float32;
}

DType promote_integers(DType a, DType b) {
  if (a == b) return a;
  if (is_unsigned(a) == is_unsigned(b)) return bit_width(a) > bit_width(b) ? a : b;
  const DType with_sign = is_unsigned(a) ? b : a;
  const DType without = is_unsigned(a) ? a : b;
  if (bit_width(with_sign) > bit_width(without)) return with_sign;
  switch (bit_width(without)) {
    case 2:
    case 4: return DType::int8;
    case 8: return DType::int16;
    case 16: return DType::int32;
    case 32: return DType::int64;
    default: break;
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("no integer type holds both {} and {}; convert one of the tensors",
                          name_of(a), name_of(b)));
}

}  // namespace

Tensor number(double value, DType dtype) {
  if (dtype == DType::bool_) return number(value != 0, dtype);
  if (is_integer(dtype)) return number(whole(value, dtype), dtype);
  return recent_number(std::bit_cast<std::uint64_t>(value), dtype,
                       [&] { return rounded(value, dtype); });
}

Tensor number(std::int64_t value, DType dtype) {
  if (is_floating(dtype)) return number(static_cast<double>(value), dtype);
  return recent_number(static_cast<std::uint64_t>(value), dtype,
                       [&] { return exact(value, dtype); });
}

Tensor number(bool value, DType dtype) { return number(std::int64_t{value}, dtype); }

Tensor Tensor::of_number(bool value) { return number(value, DType::bool_); }
Tensor Tensor::of_number(std::int64_t value) { return number(value, DType::int64); }
Tensor Tensor::of_number(std::uint64_t value) {
  const auto bits = static_cast<std::int64_t>(value);
  return number(bits, bits < 0 ? DType::uint64 : DType::int64);
}
Tensor Tensor::of_number(double value) { return number(value, DType::float64); }

double number_value(const Tensor& number) { return number.item(); }

std::int64_t integer_value(const Tensor& integer) {
  CopyCount ignored;
  return read_to_host(TensorRef(&impl_of(integer)), ignored).to_int64s()[0];
}

Tensor as_dtype(const Tensor& tensor, DType dtype) {
  const TensorImpl& impl = impl_of(tensor);
  if (impl.dtype == dtype) return tensor;
  if (dtype == DType::string || impl.dtype == DType::string) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[to] {} elements cannot become {}: texts and numbers are converted by "
                            "models alone; read the texts and make a tensor of numbers",
                            name_of(impl.dtype), name_of(dtype)));
  }
  if (!impl.is_number) {
    return kCast({tensor}, attributes({{"to", static_cast<std::int64_t>(dtype)}}));
  }
  const Literal& literal = impl.host->literal;
  const bool is_whole = is_integer(impl.dtype) || impl.dtype == DType::bool_;
  if (!is_whole || is_floating(dtype)) return number(tensor.item(), dtype);
  return number(literal.to_int64s()[0], dtype);
}

bool has_position(DType dtype, const Tensor& number) {
  const bool is_signed = !is_unsigned(dtype);
  const double limit = std::ldexp(1.0, bit_width(dtype) - (is_signed ? 1 : 0));
  const double value = number_value(number);
  if (is_floating(number.dtype()) && !is_signed && value < 0) return false;
  if (number.dtype() == dtype) return true;
  return is_signed ? value >= -limit && value < limit : value > -limit && value < limit;
}

Tensor as_element(std::string_view function, const Tensor& value, DType dtype) {
  if (is_number(value) && is_integer(dtype) && !has_position(dtype, value)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] {} elements cannot hold {}", function, name_of(dtype),
                            number_value(value)));
  }
  return as_dtype(value, dtype);
}

Tensor as_bound(std::string_view function, const Tensor& value, DType dtype) {
  if (is_number(value) && is_unsigned(dtype) && number_value(value) < 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] {} elements cannot hold {}", function, name_of(dtype),
                            number_value(value)));
  }
  return as_element(function, value, dtype);
}

DType promote(DType a, DType b) {
  const int of_a = category(a), of_b = category(b);
  if (of_a != of_b) return of_a > of_b ? a : b;
  if (of_a > 1) return promote_floating(a, b);
  return of_a == 1 ? promote_integers(a, b) : DType::bool_;
}

bool fits_attribute(DType dtype, double value) {
  return dtype != DType::float64 || static_cast<double>(static_cast<float>(value)) == value;
}

DType floating_dtype(const Tensor& tensor) {
  if (is_number(tensor) || !is_floating(tensor.dtype())) return DType::float32;
  return tensor.dtype();
}

Tensor as_floating(const Tensor& tensor) { return as_dtype(tensor, floating_dtype(tensor)); }

}  // namespace switchyard
