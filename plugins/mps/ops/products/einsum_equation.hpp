// What an Einsum means for given shapes.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "switchyard/plugin/einsum_equation.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

using sy::Label;
using sy::Labels;

bool has_label(const Labels& labels, Label label);
bool repeats_a_label(const Labels& labels);

// An equation for shapes: a label for each axis, and how many elements each label stands for.
struct Einsum {
  std::vector<Labels> inputs;
  Labels output;
  std::map<Label, int64_t> extents;

  // Those of the inputs that the output has not, each once.
  Labels summed() const;
};

// Throws sy::invalid where the equation and the shapes do not fit.
Einsum read_einsum(std::string_view equation, const std::vector<sy::Extents>& shapes);

// True if an input's term has a letter twice.
bool has_diagonal(std::string_view equation);

}  // namespace mps
