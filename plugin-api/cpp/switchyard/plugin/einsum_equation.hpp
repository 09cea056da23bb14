// Einsum's equations, read into labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "switchyard/plugin/guard.hpp"

namespace sy {

// A label is a letter's code, or, for an axis that an ellipsis stands for, first_of_ellipsis plus
// its position counted from the ellipsis's end.
using Label = int;
using Labels = std::vector<Label>;
inline constexpr Label first_of_ellipsis = 256;

// Terms as they are written, with the ellipsis as one label of its own until ranks are known.
class EinsumEquation {
 public:
  explicit EinsumEquation(std::string_view text);

  // The labels of the inputs' axes and of the output's.
  struct Bound {
    std::vector<Labels> inputs;
    Labels output;
  };
  // Throws sy::invalid where the equation and the ranks do not fit.
  Bound bind(const std::vector<size_t>& ranks) const;

  const std::vector<Labels>& terms() const { return terms_; }  // of the inputs

 private:
  std::vector<Labels> terms_;
  Labels output_;
  bool has_output_ = false;
};

namespace detail {

inline constexpr Label ellipsis = 0;

inline Labels read_term(std::string_view text) {
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
inline Labels spread(const Labels& term, size_t count) {
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
inline Labels implied_output(const std::vector<Labels>& inputs) {
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

}  // namespace detail

inline EinsumEquation::EinsumEquation(std::string_view text) {
  const size_t arrow = text.find("->");
  has_output_ = arrow != std::string_view::npos;
  if (has_output_) output_ = detail::read_term(text.substr(arrow + 2));
  std::string_view rest = text.substr(0, arrow);
  for (;;) {
    const size_t comma = rest.find(',');
    terms_.push_back(detail::read_term(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

inline EinsumEquation::Bound EinsumEquation::bind(const std::vector<size_t>& ranks) const {
  if (ranks.size() != terms_.size()) {
    throw invalid("Einsum: the equation has ", terms_.size(), " terms for ", ranks.size(),
                  " inputs");
  }
  Bound bound;
  size_t most = 0;
  for (size_t i = 0; i < terms_.size(); ++i) {
    const bool has_ellipsis = std::count(terms_[i].begin(), terms_[i].end(), detail::ellipsis) != 0;
    const size_t letters = terms_[i].size() - (has_ellipsis ? 1 : 0);
    if (ranks[i] < letters || (!has_ellipsis && ranks[i] != letters)) {
      throw invalid("Einsum: input ", i, " of rank ", ranks[i], " does not go with ", letters,
                    " letters");
    }
    most = std::max(most, ranks[i] - letters);
    bound.inputs.push_back(detail::spread(terms_[i], ranks[i] - letters));
  }
  bound.output = has_output_ ? detail::spread(output_, most) : detail::implied_output(bound.inputs);
  return bound;
}

}  // namespace sy
