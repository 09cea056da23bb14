// The inputs' part of a recurrent layer's gates: one product for all steps, entries of the batch
// and directions.
#pragma once

#include <memory>

#include "ops/kernel.hpp"

namespace mps {

class RecurrentInput {
 public:
  // Shapes must be known.
  RecurrentInput(Device& device, const sy::Node& node);

  // float32 [axis 0 of X, axis 1 of X, directions, gates * hidden], for the operation's time.
  const Block& encode(const Run& run) const;

 private:
  Device& device_;
  std::unique_ptr<Kernel> graph_;  // null: by kernels/small_product.metal
};

}  // namespace mps
