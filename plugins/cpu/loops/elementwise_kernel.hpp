// A kernel that is one loop over inputs and the output of its node.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstdint>

#include "loops/elementwise.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/program.hpp"

namespace cpu {

class ElementwiseKernel {
 public:
  // Over the first `inputs` inputs, which the node has, and output 0.
  ElementwiseKernel(Loop loop, const sy::Node& node, uint32_t inputs);

  void run(const sy_run_args& args, const sy::NodePositions& places, uint32_t flags) const;

 private:
  // A small run of dense tensors, straight from the args; false if it is none.
  bool run_flat(const sy_run_args& args, const sy::NodePositions& places) const;

  Loop loop_;
  uint32_t inputs_;
  std::array<int64_t, max_operands> bytes_;  // of an element, by operand
};

}  // namespace cpu
