// Lists of numbers, nested, as tensors.
#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/creation/new_tensor.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {

NestedNumbers::NestedNumbers(std::initializer_list<NestedNumbers> rows)
    : shape_{static_cast<std::int64_t>(rows.size())}, dtype_(DType::float32) {
  if (rows.size() == 0) return;
  dtype_ = DType::bool_;
  for (const NestedNumbers& row : rows) {
    if (row.shape_ != rows.begin()->shape_) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[tensor] got rows of shapes {} and {}; all must be of one",
                              describe(rows.begin()->shape_), describe(row.shape_)));
    }
    dtype_ = promote(dtype_, row.dtype_);
    integers_.insert(integers_.end(), row.integers_.begin(), row.integers_.end());
    numbers_.insert(numbers_.end(), row.numbers_.begin(), row.numbers_.end());
  }
  for (const std::int64_t extent : rows.begin()->shape_) shape_.push_back(extent);
}

namespace {

/// Whether an integer dtype has a place for the number: negative ones wrap round in unsigned types.
template <typename Number>
bool has_place(DType dtype, Number number) {
  const double limit = std::ldexp(1.0, bit_width(dtype) - (is_unsigned(dtype) ? 0 : 1));
  const auto value = static_cast<double>(number);
  if (!is_unsigned(dtype)) return value >= -limit && value < limit;
  return value < limit && (std::integral<Number> ? value > -limit : value >= 0);
}

[[noreturn]] void refuse_number(DType dtype, double number) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[tensor] {} elements cannot hold {}", name_of(dtype), number));
}

}  // namespace

void NestedNumbers::check_held_by(DType dtype) const {
  if (!is_integer(dtype)) return;
  const bool are_whole = dtype_ != DType::float32;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool is_above_int64 = are_whole && integers_[i] < 0 && numbers_[i] > 0;
    const bool fits = !are_whole       ? has_place(dtype, numbers_[i])
                      : is_above_int64 ? dtype == DType::uint64
                                       : bit_width(dtype) == 64 || has_place(dtype, integers_[i]);
    if (!fits) refuse_number(dtype, numbers_[i]);
  }
}

Tensor tensor(const NestedNumbers& numbers, const TensorOptions& options) {
  const CalledFunction here;
  TensorOptions rest = options;
  const DType dtype = rest.dtype.value_or(numbers.dtype_);
  rest.dtype = dtype;
  numbers.check_held_by(dtype);
  if (numbers.dtype_ == DType::float32 || dtype == DType::float32 || dtype == DType::float64) {
    return from_doubles(numbers.numbers_, numbers.shape_, dtype, options);
  }
  if (numbers.dtype_ == DType::int64) return tensor(numbers.integers_, numbers.shape_, rest);
  return tensor(std::vector<bool>(numbers.integers_.begin(), numbers.integers_.end()),
                numbers.shape_, rest);
}

}  // namespace switchyard
