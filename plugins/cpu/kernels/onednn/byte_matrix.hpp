// oneDNN's products of bytes, for one thread: the blocks of kernels/quantized.
#pragma once

#include "kernels/quantized/byte_matrix.hpp"

namespace cpu::onednn {

// True where the processor adds products of bytes to int32_t exactly (AMX, AVX512_VNNI). Elsewhere
// oneDNN adds pairs of products in int16_t, which saturates.
bool multiplies_bytes();

std::shared_ptr<const ByteMatrix> pack_bytes(const ByteView& view, int64_t rows, int64_t columns);

}  // namespace cpu::onednn
