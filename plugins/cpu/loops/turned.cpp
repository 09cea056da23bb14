#include "loops/turned.hpp"

#include <algorithm>

#include "loops/copy.hpp"
#include "loops/layout.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

constexpr int64_t least_size = 4096;  // elements; below, a copy costs more than it saves

bool lies_otherwise(const Tensor& tensor, const Tensor& output, bool output_is_last) {
  if (!std::ranges::equal(tensor.shape, output.shape)) return false;
  const int64_t* strides = tensor.strides.data();
  return output_is_last ? sy::is_contiguous(tensor.shape, strides)
                        : is_channels_last(tensor.shape, strides);
}

}  // namespace

Turned::Turned(const Tensor* const* operands, int count) {
  std::copy_n(operands, count, operands_.begin());
  const Tensor& output = *operands[count - 1];
  if (output.rank() < 3 || output.size() < least_size) return;
  const bool last = is_channels_last(output.shape, output.strides.data());
  if (last == sy::is_contiguous(output.shape, output.strides.data())) return;
  for (int k = 0; k + 1 < count; ++k) {
    if (lies_otherwise(*operands[k], output, last)) turn(k, output);
  }
}

void Turned::turn(int operand, const Tensor& output) {
  const Tensor& from = *operands_[operand];
  const auto bytes = static_cast<int64_t>(sy::dtype_bytes(from.dtype));
  void* const data = rooms_[operand].emplace(from.size() * bytes).data();
  turned_[operand] = {from.dtype, data, from.shape, output.strides};
  copy_strided(from.dtype, from.shape, from.data, from.strides.data(), data, output.strides.data());
  operands_[operand] = &turned_[operand];
}

}  // namespace cpu
