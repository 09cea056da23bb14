// Tuples of indices, as kernels/tuple.h reads them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/axes.hpp"
#include "runtime/tensor.hpp"

namespace mps {

struct Tuple {
  uint32_t length = 0;
  int32_t index_step = 0;
  uint32_t extents[Axes::max_axes] = {};
  int32_t steps[2][Axes::max_axes] = {};

  // One more index, into an axis of a tensor whose strides there are `first` and, in the second
  // tensor, `second`.
  void name_axis(int64_t extent, int64_t first, int64_t second) {
    if (length == Axes::max_axes) {
      throw sy::unsupported(SY_REASON_RANK, "tuples of more than 16 indices");
    }
    extents[length] = static_cast<uint32_t>(extent);
    steps[0][length] = int32_step(first);
    steps[1][length] = int32_step(second);
    ++length;
  }
};

// Throws sy::invalid where indices could only be wrong.
inline void require_elements(const Tensor& indexed) {
  if (indexed.size() == 0) throw sy::invalid("indices into a tensor without elements");
}

}  // namespace mps
