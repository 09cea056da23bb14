// Products of matrices of which one has few rows or columns, by kernels/small_product.metal.
#pragma once

#include <cstdint>

#include "ops/kernel.hpp"

namespace mps {

// A stack of matrices in a tensor: the strides of rows and columns, and of each axis of the batch,
// in elements.
struct MatrixStack {
  const Tensor* tensor = nullptr;
  int64_t row = 0;
  int64_t column = 0;
  sy::Dimensions batch;
};

// c = alpha * a * b + beta * addend, for each of a batch. Without an addend its tensor is null.
struct SmallProduct {
  int64_t rows = 1, columns = 1, depth = 1;
  sy::Dimensions batch;  // extents
  MatrixStack a, b, c;   // b may have no elements where the depth is 0
  MatrixStack addend;    // the same for the whole batch
  float alpha = 1, beta = 1;
};

// What the smaller of rows and columns may come to for this to be the better way, and the depth.
inline constexpr int64_t few_rows = 8;
inline constexpr int64_t most_depth = 1 << 15;

// True if the kernel is the right one for such matrices: few rows or columns, or no depth.
bool is_small_product(int64_t rows, int64_t columns, int64_t depth, int64_t batch);

// The elements of a and b are of one type; those of c too, or float32. Float32 sums, rounded once.
// Throws sy::unsupported beyond the kernels' 32 bits.
void encode_small_product(Device& device, Stream& stream, const SmallProduct& product);

}  // namespace mps
