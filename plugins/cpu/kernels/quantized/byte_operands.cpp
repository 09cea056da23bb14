#include "kernels/quantized/byte_operands.hpp"

#include <algorithm>

#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "run/packed.hpp"

namespace cpu {

std::vector<int32_t> integers_of(const ConstTensor& tensor, int32_t shift) {
  std::vector<int32_t> numbers(static_cast<size_t>(tensor.size()));
  copy_tensor(tensor, ContiguousTensor(SY_INT32, numbers.data(), tensor.shape).get());
  for (int32_t& number : numbers) number += shift;
  return numbers;
}

const int32_t* unless_zero(const std::vector<int32_t>& numbers) {
  const bool all = std::ranges::all_of(numbers, [](int32_t number) { return number == 0; });
  return all ? nullptr : numbers.data();
}

std::shared_ptr<const void> packed_bytes(
    const sy_value& weights, const std::string& form,
    const std::function<std::shared_ptr<const void>(const ConstTensor& constant)>& make) {
  if (!sy::is_constant(weights) || weights.data == nullptr || !is_byte(weights.dtype) ||
      !sy::has_known_shape(weights)) {
    return nullptr;
  }
  const sy::Extents shape = sy::shape_of(weights);
  const sy::Dimensions strides = sy::contiguous_strides(shape);
  if (sy::element_count(shape) == 0 || !sy::is_contiguous(shape, weights.strides)) return nullptr;
  return packed_constant(weights.constant_id,
                         sy::text(form, "/", sy::dtype_name(weights.dtype), "/", shape), [&] {
                           return make({weights.dtype, weights.data, shape, strides});
                         });
}

namespace {

bool has_layout(const ConstTensor& tensor, const sy::Dimensions& strides) {
  for (uint32_t axis = 0; axis < strides.rank; ++axis) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != strides[axis]) return false;
  }
  return true;
}

}  // namespace

UnsignedBytes::UnsignedBytes(const ConstTensor& tensor, const sy::Dimensions& strides)
    : is_there_(tensor.dtype == SY_UINT8 && has_layout(tensor, strides)),
      copy_(is_there_ ? 0 : tensor.size()),
      data_(is_there_ ? tensor.as<uint8_t>() : copy_.data()) {
  if (is_there_) return;
  const bool lies = has_layout(tensor, strides);
  if (!lies) copy_tensor(tensor, {tensor.dtype, copy_.data(), tensor.shape, strides});
  if (tensor.dtype != SY_INT8) return;
  const auto* from = lies ? tensor.as<uint8_t>() : copy_.data();
  parallel_for(tensor.size(), int64_t{1} << 18, [&](int64_t begin, int64_t end) {
    flip_row(from + begin, end - begin, copy_.data() + begin);
  });
}

DenseOutput::DenseOutput(const Tensor& y, const sy::Dimensions& strides)
    : y_(y),
      strides_(strides),
      is_there_(has_layout(y, strides)),
      beside_(is_there_ ? 0 : y.size() * static_cast<int64_t>(sy::dtype_bytes(y.dtype))) {}

void DenseOutput::write_back() const {
  if (!is_there_) copy_tensor({y_.dtype, beside_.data(), y_.shape, strides_}, y_);
}

}  // namespace cpu
