// Einsum's equations, read into labels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernel.hpp"

namespace cpu {

// A label is a letter's code, or, for an axis that an ellipsis stands for, 256 plus its place
// counted from the ellipsis's end.
using Label = int;
using Labels = std::vector<Label>;

// Terms as they are written, with the ellipsis as one label of its own until ranks are known.
class EinsumEquation {
 public:
  explicit EinsumEquation(std::string_view text);

  // The labels of the inputs' axes and of the output's.
  struct Bound {
    std::vector<Labels> inputs;
    Labels output;
  };
  Bound bind(const std::vector<size_t>& ranks) const;

 private:
  std::vector<Labels> terms_;
  Labels output_;
  bool has_output_ = false;
};

}  // namespace cpu
