#pragma once

#include <span>
#include <vector>

#include "autograd/backward_step.hpp"

namespace switchyard {

/// Goes back from `roots`, each with its gradient, to the leaves, the youngest step first.
struct WayBack {
  std::vector<Edge> roots;
  std::vector<Tensor> gradients;
  bool retain_graph = false;
  bool create_graph = false;

  /// Adds to the gradients of the leaves.
  void run();
  /// Gives what arrives at `targets` instead, going through steps that lead to them only; no tensor
  /// where nothing does.
  std::vector<Tensor> run_to(std::span<const Edge> targets);
};

}  // namespace switchyard
