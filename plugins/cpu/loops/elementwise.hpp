// Walking tensors in step, element by element: broadcasting, strides and threads in one place, so
// that kernels are plain inner loops.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "run/kernel.hpp"
#include "simd/row.hpp"

namespace cpu {

inline constexpr int max_operands = 6;

// A row with what it needs to know.
struct Loop {
  Row row = nullptr;
  std::shared_ptr<const void> parameters = {};
  int64_t grain = 32768;  // elements that are worth the team, see parallel_for
};

// Elements worth the team by the cost of one: moving it is all, a few operations, a call into libm.
inline constexpr int64_t cheap_grain = 65536;
inline constexpr int64_t medium_grain = 32768;
inline constexpr int64_t expensive_grain = 2048;

// Runs `loop` over all elements of the last operand, the output; the others, the inputs, broadcast
// to its shape. Throws sy::invalid if one does not.
void run_elementwise(const Tensor* const* operands, int count, const Loop& loop);

inline void run_elementwise(std::initializer_list<const Tensor*> operands, const Loop& loop) {
  run_elementwise(operands.begin(), static_cast<int>(operands.size()), loop);
}

// A loop over operands of `dtypes` (the output's last) made of `inner`, which is for
// `inner_dtypes`: blocks are converted on their way in and out. For float16 and bfloat16 through
// float. `saturate` is for an output of 8-bit floats.
Loop converted(const Loop& inner, const std::vector<sy_dtype>& inner_dtypes,
               const std::vector<sy_dtype>& dtypes, bool saturate = true);

}  // namespace cpu
