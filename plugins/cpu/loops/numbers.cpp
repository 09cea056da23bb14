#include "loops/numbers.hpp"

#include "loops/convert.hpp"
#include "loops/elementwise.hpp"
#include "types/numeric.hpp"

namespace cpu {
namespace {

template <typename W>
ConstTensor tensor_of(const std::vector<W>& numbers, sy::Extents shape, sy::Extents strides) {
  return {sy::dtype_of<W>, numbers.data(), shape, strides};
}

}  // namespace

void convert_tensor(const ConstTensor& from, const Tensor& to) {
  const ConvertRow convert = convert_row(from.dtype, to.dtype);
  const InnerLoop row = [](char* const* data, const int64_t* steps, int64_t count,
                           const void* self) {
    (*static_cast<const ConvertRow*>(self))(data[0], steps[0], data[1], steps[1], count);
  };
  const std::shared_ptr<const void> borrowed(std::shared_ptr<const void>(), &convert);
  run_elementwise({from}, to, {row, borrowed, cheap_grain});
}

template <typename W>
std::vector<W> numbers_of(const ConstTensor& tensor) {
  std::vector<W> numbers(static_cast<size_t>(tensor.size()));
  const sy::Dimensions strides = sy::contiguous_strides(tensor.shape);
  convert_tensor(tensor, {sy::dtype_of<W>, numbers.data(), tensor.shape, strides});
  return numbers;
}

template <typename W>
void write_numbers(const std::vector<W>& numbers, const Tensor& tensor) {
  const sy::Dimensions strides = sy::contiguous_strides(tensor.shape);
  convert_tensor(tensor_of(numbers, tensor.shape, strides), tensor);
}

template std::vector<float> numbers_of<float>(const ConstTensor&);
template std::vector<double> numbers_of<double>(const ConstTensor&);
template std::vector<int64_t> numbers_of<int64_t>(const ConstTensor&);
template void write_numbers<float>(const std::vector<float>&, const Tensor&);
template void write_numbers<double>(const std::vector<double>&, const Tensor&);
template void write_numbers<int64_t>(const std::vector<int64_t>&, const Tensor&);

}  // namespace cpu
