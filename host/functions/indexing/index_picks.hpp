#pragma once

#include <functional>
#include <vector>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// A mask or a tensor of indices within an index.
struct Pick {
  Tensor tensor;
  std::int64_t dim = 0;   // of the view that it picks from; a mask's first one
  std::int64_t from = 0;  // the same, in the tensor that is indexed: for messages
};

/// What an index of several entries means: a view of the tensor, from which tensors pick elements.
struct Picks {
  Tensor view;
  std::vector<Pick> picks;  // in the order of their dimensions
};

/// The elements that are picked, a copy. The dimensions that the tensors broadcast to stand where
/// the first picks if the picking dimensions are neighbours, else in front.
Tensor read(const Picks& found);

/// Writes over them. `fit` brings the value to the shape that read() would have; `is_one` says
/// that it is a single element. Of two writes to one position either may stay.
void write(const Picks& found, bool is_one, const std::function<Tensor(const Dims&)>& fit);

}  // namespace switchyard
