#pragma once

#include <memory>
#include <vector>

#include "graph/graph.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Sequences are lists of tensors that the host holds; an element keeps its own shape and device.
using TensorList = std::vector<TensorRef>;

/// What a value of a graph holds while it runs. Empty: not made yet, or an optional without a
/// value.
struct Cell {
  TensorRef tensor;
  std::shared_ptr<TensorList> list;  // changed only by who alone holds it

  bool empty() const { return !tensor && !list; }
  void clear() {
    tensor.reset();
    list.reset();
  }
};

}  // namespace switchyard
