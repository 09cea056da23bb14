// Convolutions of bytes, channels last: windows as rows of bytes by the weights as a matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/convolution/convolve.hpp"
#include "kernels/quantized/byte_matrix.hpp"
#include "kernels/quantized/byte_product.hpp"
#include "run/kernel.hpp"

namespace cpu {

// Packed weights: a matrix for each group, whose columns are the group's outputs; or, where each
// output sees one channel of its own, pairs of taps for depthwise_row.
struct ByteFilters {
  std::vector<std::shared_ptr<const ByteMatrix>> groups;
  std::vector<int32_t> pairs, pair_sums;

  uint64_t bytes() const;
};

// `weights` are [outputs, group_inputs, kernel...], of any strides. `zeros`, of the outputs, are
// taken off pairs of taps; a matrix has its own zero points in each run.
ByteFilters pack_filters(const ConstTensor& weights, int64_t groups,
                         const std::vector<int32_t>& zeros);

// True for weights that become pairs of taps.
bool is_by_channel(const ConstTensor& weights, int64_t groups);

// `x` is channels-last and its padding counts as `padding`, the zero point. The result's row is a
// position of an image, its columns are the outputs; its right zero points are left out for pairs.
void convolve_bytes(const ConvolutionShape& shape, const uint8_t* x, uint8_t padding,
                    const ByteFilters& filters, const ByteResult& result);

}  // namespace cpu
