// Passes along one axis by a table that the host makes, by kernels/along_axis.metal. Tensors differ
// in that axis's extent alone, and have elements.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/kernel.hpp"

namespace mps {

// Which element of the input stands at each position of the output.
void encode_pick(Device& device, Stream& stream, const Tensor& input, const Tensor& output,
                 size_t axis, const std::vector<uint32_t>& table);

// `taps` elements of the input, weighted, for each position of the output, in this order.
struct Weights {
  uint32_t taps = 0;
  std::vector<uint32_t> positions;
  std::vector<float> weights;
};

// Each of float32 or float16; sums in float32.
void encode_weigh(Device& device, Stream& stream, const Tensor& input, const Tensor& output,
                  size_t axis, const Weights& weights);

// One element, given by its bytes, wherever `table` is not 0.
void encode_cover(Device& device, Stream& stream, const Tensor& output, size_t axis,
                  const std::vector<uint32_t>& table, std::span<const std::byte> element);

// A tensor of another extent along an axis, and perhaps another type, that lives until the
// operation is done. `shape` is its shape's memory.
Tensor temporary_like(Stream& stream, const Tensor& tensor, sy::Dimensions& shape, size_t axis,
                      int64_t extent, sy_dtype dtype);

}  // namespace mps
