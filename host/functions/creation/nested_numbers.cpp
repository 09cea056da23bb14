// Lists of numbers, nested, as tensors.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/creation/new_tensor.hpp"
#include "types/describe.hpp"

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

Tensor tensor(const NestedNumbers& numbers, const TensorOptions& options) {
  const CalledFunction here;
  TensorOptions rest = options;
  const DType dtype = rest.dtype.value_or(numbers.dtype_);
  rest.dtype = dtype;
  if (numbers.dtype_ == DType::float32 || dtype == DType::float32) {
    return from_doubles(numbers.numbers_, numbers.shape_, dtype, options);
  }
  if (numbers.dtype_ == DType::int64) return tensor(numbers.integers_, numbers.shape_, rest);
  return tensor(std::vector<bool>(numbers.integers_.begin(), numbers.integers_.end()),
                numbers.shape_, rest);
}

}  // namespace switchyard
