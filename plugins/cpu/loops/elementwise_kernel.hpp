// A kernel that is one loop over inputs and the output of its node.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstdint>

#include "loops/elementwise.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/program.hpp"

namespace cpu {

class ElementwiseKernel final : public Kernel {
 public:
  // Over the first `inputs` inputs, which the node has, and output 0.
  ElementwiseKernel(Loop loop, const sy::Node& node, uint32_t inputs);

  void run(const RunArguments& arguments) const override;

 private:
  // A small run of dense tensors, straight from the args, which costs less than a Call; false if it
  // is none.
  bool run_flat(const sy_run_args& args, const sy::NodePositions& positions) const;

  Loop loop_;
  uint32_t inputs_;
  std::array<int64_t, max_operands> bytes_;  // of an element, by operand
};

}  // namespace cpu
