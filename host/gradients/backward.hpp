#pragma once

#include <span>
#include <vector>

#include "autograd/backward_step.hpp"

namespace switchyard {

/// Goes from `roots`, each with its gradient, to the leaves, in descending order of the steps'
/// sequence numbers.
struct BackwardPass {
  std::vector<Edge> roots;
  std::vector<Tensor> gradients;
  bool retain_graph = false;
  bool create_graph = false;

  /// Adds to the gradients of the leaves.
  void run();
  /// Returns the gradients of `targets` instead, through the steps that lead to them alone; no
  /// tensor for a target that the roots do not depend on.
  std::vector<Tensor> run_to(std::span<const Edge> targets);
};

}  // namespace switchyard
