#include "kernels/quantized/integer_operand.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementwise/binary_functions.hpp"
#include "loops/elementwise.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "types/numeric.hpp"

namespace cpu {

IntegerOperand::IntegerOperand(const ConstTensor& bytes, const ConstTensor* zero_point)
    : numbers_(bytes.size()),
      strides_(sy::contiguous_strides(bytes.shape)),
      tensor_{SY_INT32, numbers_.data(), bytes.shape, strides_} {
  if (zero_point == nullptr) {
    copy_tensor(bytes, tensor_);
    return;
  }
  const Loop subtract =
      converted(binary_function_loop("Sub", SY_INT32), {SY_INT32, SY_INT32, SY_INT32},
                {bytes.dtype, zero_point->dtype, SY_INT32});
  run_elementwise({bytes, *zero_point}, tensor_, subtract);
}

namespace {

template <typename T>
void requantize_rows(const int32_t* sums, int64_t width, const Requantization& how, int64_t begin,
                     int64_t end, T* y) {
  const auto zero = static_cast<float>(how.zero_point);
  const size_t columns = how.column_factors.size();
  for (int64_t i = begin; i < end; ++i) {
    const float row = how.row_factors[static_cast<size_t>(i) % how.row_factors.size()];
    for (int64_t j = 0; j < width; ++j) {
      const float column = how.column_factors[columns == 1 ? 0 : static_cast<size_t>(j)];
      const float real = static_cast<float>(sums[i * width + j]) * (row * column);
      y[i * width + j] = truncate<T>(std::nearbyint(real) + zero);
    }
  }
}

template <typename T>
void requantize_all(const int32_t* sums, int64_t width, const Requantization& how, int64_t rows,
                    T* y) {
  parallel_for(
      rows, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, width)),
      [&](int64_t begin, int64_t end) { requantize_rows(sums, width, how, begin, end, y); });
}

}  // namespace

void requantize(const int32_t* sums, int64_t width, const Requantization& how, const Tensor& y) {
  if (y.size() == 0) return;
  const bool direct = sy::is_contiguous(y.shape, y.strides.data());
  const Scratch<uint8_t> beside(direct ? 0 : y.size());
  void* to = direct ? y.data : beside.data();
  if (y.dtype == SY_INT8) {
    requantize_all(sums, width, how, y.size() / width, static_cast<int8_t*>(to));
  } else {
    requantize_all(sums, width, how, y.size() / width, static_cast<uint8_t*>(to));
  }
  if (!direct) copy_tensor(ContiguousTensor(y.dtype, to, y.shape).get(), y);
}

}  // namespace cpu
