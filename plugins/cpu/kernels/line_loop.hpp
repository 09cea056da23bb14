// Visiting every line of a tensor as contiguous numbers of one working type, whatever its dtype and
// strides: gathered and converted before, scattered and converted after.
#pragma once

#include <cstdint>

#include "kernels/lines.hpp"

namespace cpu {

struct LineTensors {
  const Tensor* input;             // the walk's operand 0, whole
  const Tensor* output = nullptr;  // its operand 1, whole, if lines are written
};

namespace detail {

// Refers to the body of a loop while the loop runs.
template <typename W>
struct LineBody {
  const void* object;
  void (*call)(const void* object, const W* x, W* y, const LineOffsets& offsets, int64_t index);
};

template <typename W>
void for_each_line(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                   LineBody<W> body);

}  // namespace detail

// Calls `body(x, y, offsets, index)` for each line, on several threads, `grain` elements worth one.
// `x`: the line of the walk's operand 0. `y`: room for the line of operand 1, null if none is
// written; it may be `x`. `offsets`: the line's start in every operand. `index`: its number. For W
// = float, double, int64_t and uint64_t.
template <typename W, typename Body>
void for_each_line(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                   const Body& body) {
  detail::for_each_line<W>(
      walk, tensors, grain,
      {&body, [](const void* object, const W* x, W* y, const LineOffsets& offsets, int64_t index) {
         (*static_cast<const Body*>(object))(x, y, offsets, index);
       }});
}

// The working type of a dtype: float for the small floats, double, uint64, int64 for all else.
sy_dtype working_dtype(sy_dtype dtype);

}  // namespace cpu
