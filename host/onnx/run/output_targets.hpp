#pragma once

#include <span>
#include <switchyard/model.hpp>
#include <vector>

#include "graph/cell.hpp"

namespace switchyard {

/// The tensors that a caller wants the outputs of one run written to.
class OutputTargets {
 public:
  /// `given` are by output, and hold nothing where there is none; or there is none at all. Throws
  /// Error(invalid_argument) and Error(shape_mismatch), which name the output, for targets that
  /// cannot be written to, do not fit their port, or share memory with an input or each other.
  OutputTargets(const std::vector<Port>& ports, const std::vector<Tensor>& given,
                std::span<const Cell> inputs);

  /// By output, empty where there is none; or none at all.
  std::span<const TensorRef> tensors() const { return tensors_; }

  /// Brings the elements of output `i` into its target, which takes its place. False if it has
  /// none. Throws as above if it is of another type or shape than the target.
  bool take(std::size_t i, Cell& output) const;

 private:
  const std::vector<Port>& ports_;
  std::vector<TensorRef> tensors_;
};

}  // namespace switchyard
