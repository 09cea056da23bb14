#pragma once

#include <string>

#include "harness/windows.hpp"
#include "switchyard/plugin/text.hpp"

namespace cpu::testing {

// A convolution of `x` by its weights.
struct ConvolutionCase {
  Shape x;
  int64_t outputs;
  int64_t groups;
  WindowCase window;

  Shape weights() const {
    Shape made = {outputs, x[1] / groups};
    made.insert(made.end(), window.kernel.begin(), window.kernel.end());
    return made;
  }
  Shape y() const {
    Shape made = window.slid(x);
    made[1] = outputs;
    return made;
  }
  std::string name() const {
    return sy::text("x", x, " w", weights(), " groups ", groups, " strides", window.strides,
                    " dilations", window.dilations, " pads", window.pads, " ", window.auto_pad);
  }
};

}  // namespace cpu::testing
