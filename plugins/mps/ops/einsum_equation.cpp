#include "ops/einsum_equation.hpp"

#include <algorithm>

namespace mps {
namespace {

constexpr Label ellipsis = 0;
constexpr Label first_of_ellipsis = 256;

// The ellipsis is one label of its own until ranks are known.
struct Terms {
  std::vector<Labels> inputs;
  Labels output;
  bool has_output = false;
};

Labels read_term(std::string_view text) {
  Labels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text.substr(i, 3) == "...") {
      labels.push_back(ellipsis);
      i += 2;
    } else {
      labels.push_back(static_cast<unsigned char>(text[i]));
    }
  }
  return labels;
}

Terms read_terms(std::string_view text) {
  Terms terms;
  const size_t arrow = text.find("->");
  terms.has_output = arrow != std::string_view::npos;
  if (terms.has_output) terms.output = read_term(text.substr(arrow + 2));
  std::string_view rest = text.substr(0, arrow);
  for (;;) {
    const size_t comma = rest.find(',');
    terms.inputs.push_back(read_term(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return terms;
    rest.remove_prefix(comma + 1);
  }
}

// `count` axes in place of the ellipsis.
Labels spread(const Labels& term, size_t count) {
  Labels made;
  for (const Label label : term) {
    if (label != ellipsis) {
      made.push_back(label);
      continue;
    }
    for (size_t i = count; i-- > 0;) made.push_back(first_of_ellipsis + static_cast<Label>(i));
  }
  return made;
}

// Without "->": the ellipsis, then the letters that occur once, in the alphabet's order.
Labels implied_output(const std::vector<Labels>& inputs) {
  std::map<Label, int> uses;
  for (const Labels& labels : inputs) {
    for (const Label label : labels) ++uses[label];
  }
  Labels output;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    if (use->first >= first_of_ellipsis) output.push_back(use->first);
  }
  for (const auto& [label, count] : uses) {
    if (label < first_of_ellipsis && count == 1) output.push_back(label);
  }
  return output;
}

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
  const Terms terms = read_terms(equation);
  if (shapes.size() != terms.inputs.size()) {
    throw sy::invalid("Einsum: the equation has ", terms.inputs.size(), " terms for ",
                      shapes.size(), " inputs");
  }
  Einsum made;
  size_t most = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Labels& term = terms.inputs[i];
    const bool has_ellipsis = has_label(term, ellipsis);
    const size_t letters = term.size() - (has_ellipsis ? 1 : 0);
    const size_t rank = shapes[i].size();
    if (rank < letters || (!has_ellipsis && rank != letters)) {
      throw sy::invalid("Einsum: input ", i, " of rank ", rank, " does not go with ", letters,
                        " letters");
    }
    most = std::max(most, rank - letters);
    made.inputs.push_back(spread(term, rank - letters));
    add_extents(made, i, shapes[i]);
  }
  made.output = terms.has_output ? spread(terms.output, most) : implied_output(made.inputs);
  for (const Label label : made.output) {
    if (made.extents.count(label) == 0) throw sy::invalid("Einsum: a result of no input's letter");
  }
  if (repeats_a_label(made.output)) throw sy::invalid("Einsum: the result has a letter twice");
  return made;
}

bool has_diagonal(std::string_view equation) {
  const Terms terms = read_terms(equation);
  return std::any_of(terms.inputs.begin(), terms.inputs.end(), repeats_a_label);
}

}  // namespace mps
