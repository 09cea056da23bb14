#include "kernels/einsum_equation.hpp"

#include <algorithm>
#include <map>

namespace cpu {
namespace {

constexpr Label ellipsis = 0;
constexpr Label first_of_ellipsis = 256;

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

}  // namespace

EinsumEquation::EinsumEquation(std::string_view text) {
  const size_t arrow = text.find("->");
  has_output_ = arrow != std::string_view::npos;
  if (has_output_) output_ = read_term(text.substr(arrow + 2));
  std::string_view rest = text.substr(0, arrow);
  for (;;) {
    const size_t comma = rest.find(',');
    terms_.push_back(read_term(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

EinsumEquation::Bound EinsumEquation::bind(const std::vector<size_t>& ranks) const {
  if (ranks.size() != terms_.size()) {
    throw sy::invalid("Einsum: the equation has ", terms_.size(), " terms for ", ranks.size(),
                      " inputs");
  }
  Bound bound;
  size_t most = 0;
  for (size_t i = 0; i < terms_.size(); ++i) {
    const bool has_ellipsis = std::ranges::count(terms_[i], ellipsis) != 0;
    const size_t letters = terms_[i].size() - (has_ellipsis ? 1 : 0);
    if (ranks[i] < letters || (!has_ellipsis && ranks[i] != letters)) {
      throw sy::invalid("Einsum: input ", i, " of rank ", ranks[i], " does not go with ", letters,
                        " letters");
    }
    most = std::max(most, ranks[i] - letters);
    bound.inputs.push_back(spread(terms_[i], ranks[i] - letters));
  }
  bound.output = has_output_ ? spread(output_, most) : implied_output(bound.inputs);
  return bound;
}

}  // namespace cpu
