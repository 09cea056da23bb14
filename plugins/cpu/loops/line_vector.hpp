// Numbers that all lines of a tensor share, such as a scale.
#pragma once

#include <vector>

#include "loops/numbers.hpp"

namespace cpu {

// One number for each element of a line, in row-major order: the tensor's own memory where it is
// that already.
template <typename W>
class LineVector {
 public:
  LineVector(const Call& call, uint32_t input, sy::Extents line_shape) {
    if (!call.has_input(input)) return;
    const ConstTensor& tensor = call.input(input);
    const sy::Dimensions strides =
        sy::broadcast_strides(tensor.shape, tensor.strides.data(), line_shape);
    if (tensor.dtype == sy::dtype_of<W> && sy::is_contiguous(line_shape, strides.data.data())) {
      numbers_ = tensor.as<W>();
      return;
    }
    copy_ = numbers_of<W>({tensor.dtype, tensor.data, line_shape, strides});
    numbers_ = copy_.data();
  }
  LineVector(const LineVector&) = delete;
  LineVector& operator=(const LineVector&) = delete;

  const W* data() const { return numbers_; }  // null if the input is left out

 private:
  const W* numbers_ = nullptr;
  std::vector<W> copy_;
};

}  // namespace cpu
