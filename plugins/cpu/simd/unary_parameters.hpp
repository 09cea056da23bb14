// The numbers that unary functions take from a node's attributes.
#pragma once

namespace cpu {

struct UnaryParameters {
  double a = 0;
  double b = 0;
};

}  // namespace cpu
