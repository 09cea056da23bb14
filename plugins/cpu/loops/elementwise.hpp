// Walking tensors in step, element by element: broadcasting, strides and threads in one place, so
// that kernels are plain inner loops.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "run/tensor.hpp"
#include "simd/inner_loop.hpp"

namespace cpu {

inline constexpr int max_operands = 6;

// A row with what it needs to know.
struct Loop {
  InnerLoop row = nullptr;
  std::shared_ptr<const void> parameters = {};
  int64_t grain = 32768;  // elements that are worth the team, see parallel_for
};

// Elements worth the team by the cost of one: moving it is all, a few operations, a call into libm.
inline constexpr int64_t cheap_grain = 65536;
inline constexpr int64_t medium_grain = 32768;
inline constexpr int64_t expensive_grain = 2048;

// Rows take all operands by one kind of pointer, and write to the output alone.
inline char* row_pointer(const void* data) {
  return const_cast<char*>(static_cast<const char*>(data));
}

// Runs `loop` over all elements of the output; the inputs broadcast to its shape. If one does not,
// throws sy::invalid. The output may be the very elements of an input.
void run_elementwise(std::span<const ConstTensor* const> inputs, const Tensor& output,
                     const Loop& loop);

void run_elementwise(std::initializer_list<ConstTensor> inputs, const Tensor& output,
                     const Loop& loop);

// A loop over operands of `dtypes` (the output's last) made of `inner`, which is for
// `inner_dtypes`: blocks are converted on their way in and out. For float16 and bfloat16 through
// float. `saturate` is for an output of 8-bit floats.
Loop converted(const Loop& inner, const std::vector<sy_dtype>& inner_dtypes,
               const std::vector<sy_dtype>& dtypes, bool saturate = true);

}  // namespace cpu
