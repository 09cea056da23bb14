#include "ops/products/einsum_equation.hpp"

#include <algorithm>
#include <utility>

namespace mps {
namespace {

void add_extents(Einsum& einsum, size_t input, sy::Extents shape) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t& extent = einsum.extents.try_emplace(einsum.inputs[input][axis], 1).first->second;
    if (extent != 1 && shape[axis] != 1 && shape[axis] != extent) {
      throw sy::invalid("Einsum: one label stands for extents ", extent, " and ", shape[axis]);
    }
    if (shape[axis] != 1) extent = shape[axis];
  }
}

}  // namespace

bool has_label(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

bool repeats_a_label(const Labels& labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    if (std::count(labels.begin(), labels.end(), labels[i]) > 1) return true;
  }
  return false;
}

Labels Einsum::summed() const {
  Labels labels;
  for (const Labels& input : inputs) {
    for (const Label label : input) {
      if (!has_label(output, label) && !has_label(labels, label)) labels.push_back(label);
    }
  }
  return labels;
}

Einsum read_einsum(std::string_view equation, const std::vector<sy::Extents>& shapes) {
  std::vector<size_t> ranks;
  for (const sy::Extents shape : shapes) ranks.push_back(shape.size());
  sy::EinsumEquation::Bound bound = sy::EinsumEquation(equation).bind(ranks);
  Einsum made{std::move(bound.inputs), std::move(bound.output), {}};
  for (size_t i = 0; i < shapes.size(); ++i) add_extents(made, i, shapes[i]);
  for (const Label label : made.output) {
    if (made.extents.count(label) == 0) throw sy::invalid("Einsum: a result of no input's letter");
  }
  if (repeats_a_label(made.output)) throw sy::invalid("Einsum: the result has a letter twice");
  return made;
}

bool has_diagonal(std::string_view equation) {
  const sy::EinsumEquation read(equation);
  return std::any_of(read.terms().begin(), read.terms().end(), repeats_a_label);
}

}  // namespace mps
