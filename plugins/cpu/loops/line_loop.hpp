// Visiting every line of a tensor as contiguous numbers of one working type, whatever its dtype and
// strides: gathered and converted before, scattered and converted after.
#pragma once

#include <cstdint>

#include "loops/lines.hpp"

namespace cpu {

struct LineTensors {
  const ConstTensor* input;            // the walk's operand 0, whole
  const Tensor* output = nullptr;      // its operand 1, whole, if lines are written
  const ConstTensor* other = nullptr;  // its operand 2, whole, if lines of two tensors are read
};

namespace detail {

// Refers to the body of a loop while the loop runs.
template <typename W>
struct LineBody {
  const void* object;
  void (*call)(const void* object, const W* x, const W* other, W* y, const LineOffsets& offsets,
               int64_t index);
};

template <typename W, typename Body>
LineBody<W> line_body_of_two(const Body& body) {
  return {&body,
          [](const void* object, const W* x, const W* other, W* y, const LineOffsets& offsets,
             int64_t index) { (*static_cast<const Body*>(object))(x, other, y, offsets, index); }};
}

template <typename W>
void for_each_line(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                   LineBody<W> body);
template <typename W>
void visit_lines(const LineWalk& walk, const LineTensors& tensors, int64_t begin, int64_t end,
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
      {&body, [](const void* object, const W* x, const W*, W* y, const LineOffsets& offsets,
                 int64_t index) { (*static_cast<const Body*>(object))(x, y, offsets, index); }});
}

// The same for the lines of two tensors: calls `body(x, other, y, offsets, index)`, where `other`
// is the line of operand 2, and `y` may be either.
template <typename W, typename Body>
void for_each_line_of_two(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                          const Body& body) {
  detail::for_each_line<W>(walk, tensors, grain, detail::line_body_of_two<W>(body));
}

// The same for the lines from `begin` to `end` alone, on the calling thread.
template <typename W, typename Body>
void visit_lines_of_two(const LineWalk& walk, const LineTensors& tensors, int64_t begin,
                        int64_t end, const Body& body) {
  detail::visit_lines<W>(walk, tensors, begin, end, detail::line_body_of_two<W>(body));
}

// The working type of a dtype: float for the small floats, double, uint64, int64 for all else.
sy_dtype working_dtype(sy_dtype dtype);

}  // namespace cpu
