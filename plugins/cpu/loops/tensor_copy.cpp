#include "loops/tensor_copy.hpp"

#include <algorithm>

#include "loops/convert.hpp"
#include "loops/copy.hpp"
#include "loops/elementwise.hpp"

namespace cpu {
namespace {

void convert_elements(char* const* data, const int64_t* steps, int64_t count, const void* convert) {
  (*static_cast<const ConvertRow*>(convert))(data[0], steps[0], data[1], steps[1], count);
}

}  // namespace

std::vector<float> floats_of(const ConstTensor& tensor) {
  std::vector<float> numbers(static_cast<size_t>(tensor.size()));
  copy_tensor(tensor, ContiguousTensor(SY_FLOAT32, numbers.data(), tensor.shape).get());
  return numbers;
}

void copy_tensor(const ConstTensor& from, const Tensor& to) {
  if (from.dtype == to.dtype && from.data == to.data) return;
  if (from.dtype == to.dtype && std::ranges::equal(from.shape, to.shape)) {
    copy_strided(from.dtype, from.shape, from.data, from.strides.data(), to.data,
                 to.strides.data());
    return;
  }
  const ConvertRow convert = convert_row(from.dtype, to.dtype);
  const std::shared_ptr<const void> borrowed(std::shared_ptr<const void>(), &convert);
  run_elementwise({from}, to, {convert_elements, borrowed, cheap_grain});
}

}  // namespace cpu
