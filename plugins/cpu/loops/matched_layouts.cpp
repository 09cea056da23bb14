#include "loops/matched_layouts.hpp"

#include <algorithm>

#include "loops/copy.hpp"
#include "loops/layout.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

constexpr int64_t least_size = 4096;  // elements; below, a copy costs more than it saves

bool lies_otherwise(const ConstTensor& tensor, const ConstTensor& output, bool output_is_last) {
  if (!std::ranges::equal(tensor.shape, output.shape)) return false;
  const int64_t* strides = tensor.strides.data();
  return output_is_last ? sy::is_contiguous(tensor.shape, strides)
                        : is_channels_last(tensor.shape, strides);
}

}  // namespace

MatchedLayouts::MatchedLayouts(const ConstTensor* const* operands, int count) {
  std::copy_n(operands, count, operands_.begin());
  const ConstTensor& output = *operands[count - 1];
  if (output.rank() < 3 || output.size() < least_size) return;
  const bool last = is_channels_last(output.shape, output.strides.data());
  if (last == sy::is_contiguous(output.shape, output.strides.data())) return;
  for (int k = 0; k + 1 < count; ++k) {
    if (lies_otherwise(*operands[k], output, last)) match(k, output);
  }
}

void MatchedLayouts::match(int operand, const ConstTensor& output) {
  const ConstTensor& from = *operands_[operand];
  const auto bytes = static_cast<int64_t>(sy::dtype_bytes(from.dtype));
  void* const data = buffers_[operand].emplace(from.size() * bytes).data();
  copies_[operand] = {from.dtype, data, from.shape, output.strides};
  copy_strided(from.dtype, from.shape, from.data, from.strides.data(), data, output.strides.data());
  operands_[operand] = &copies_[operand];
}

}  // namespace cpu
