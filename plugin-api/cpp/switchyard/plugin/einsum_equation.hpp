/// @file
/// Einsum's equations, read into labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// A label is a letter's code, or, for an axis that an ellipsis stands for, first_of_ellipsis plus
/// its position counted from the ellipsis's end.
using Label = int;
/// Those of one term, or of an output.
using Labels = std::vector<Label>;
/// The label of the last axis that an ellipsis stands for; those before it have larger ones.
inline constexpr Label first_of_ellipsis = 256;
/// The ellipsis itself, in the terms of an equation whose ranks are not known yet.
inline constexpr Label ellipsis = 0;

/// The terms of an equation; without "->" its output is the ellipsis, then the letters that occur
/// once, in the alphabet's order.
class EinsumEquation {
 public:
  /// Throws sy::invalid for a malformed one.
  explicit EinsumEquation(std::string_view text);

  const std::vector<Labels>& terms() const { return terms_; }  ///< of the inputs
  const Labels& output() const { return output_; }             ///< of the result

  /// For inputs of these shapes: a label for each axis, and how many elements each label stands
  /// for; extents of 1 are repeated.
  struct Bound {
    /// The labels of each input and of the output, and the extents that they stand for.
    /// @{
    std::vector<Labels> inputs;
    Labels output;
    std::map<Label, int64_t> extents;
    /// @}
  };
  /// Throws sy::invalid where the equation and the shapes do not fit.
  Bound bind(const std::vector<Extents>& shapes) const;

 private:
  std::vector<Labels> terms_;
  Labels output_;
};

/// Whether the label is one of them.
inline bool has_label(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

namespace detail {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

inline Labels read_term(std::string_view text) {
  Labels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (is_letter(text[i])) {
      labels.push_back(static_cast<unsigned char>(text[i]));
    } else if (text.substr(i, 3) == "..." && !has_label(labels, ellipsis)) {
      labels.push_back(ellipsis);
      i += 2;
    } else {
      throw invalid("\"", text,
                    "\" is not a term of an equation: it takes letters and one \"...\"");
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

inline void add_extents(std::map<Label, int64_t>& extents, const Labels& labels, Extents shape) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t& extent = extents.try_emplace(labels[axis], 1).first->second;
    if (extent != 1 && shape[axis] != 1 && shape[axis] != extent) {
      throw invalid("Einsum: one label stands for extents ", extent, " and ", shape[axis]);
    }
    if (shape[axis] != 1) extent = shape[axis];
  }
}

inline Labels implied_output(const std::vector<Labels>& terms) {
  std::map<Label, int> uses;
  for (const Labels& term : terms) {
    for (const Label label : term) ++uses[label];
  }
  Labels output;
  for (const auto& [label, count] : uses) {
    if (label == ellipsis || count == 1) output.push_back(label);
  }
  return output;
}

inline void check_output(std::string_view text, const std::vector<Labels>& terms,
                         const Labels& output) {
  for (size_t i = 0; i < output.size(); ++i) {
    if (std::find(output.begin() + static_cast<std::ptrdiff_t>(i) + 1, output.end(), output[i]) !=
        output.end()) {
      throw invalid("\"", text, "\" names a subscript twice in its result");
    }
    const bool is_known = std::any_of(
        terms.begin(), terms.end(), [&](const Labels& term) { return has_label(term, output[i]); });
    if (is_known || output[i] == ellipsis) continue;
    const char letter = static_cast<char>(output[i]);
    throw invalid("\"", text, "\": subscript \"", std::string_view(&letter, 1),
                  "\" of the result is in no input");
  }
}

}  // namespace detail

inline EinsumEquation::EinsumEquation(std::string_view text) {
  const size_t arrow = text.find("->");
  std::string_view rest = text.substr(0, arrow);
  for (;;) {
    const size_t comma = rest.find(',');
    terms_.push_back(detail::read_term(rest.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  output_ = arrow == std::string_view::npos ? detail::implied_output(terms_)
                                            : detail::read_term(text.substr(arrow + 2));
  detail::check_output(text, terms_, output_);
}

inline EinsumEquation::Bound EinsumEquation::bind(const std::vector<Extents>& shapes) const {
  if (shapes.size() != terms_.size()) {
    throw invalid("Einsum: the equation has ", terms_.size(), " terms for ", shapes.size(),
                  " inputs");
  }
  Bound bound;
  size_t most = 0;
  for (size_t i = 0; i < terms_.size(); ++i) {
    const bool has_ellipsis = has_label(terms_[i], ellipsis);
    const size_t letters = terms_[i].size() - (has_ellipsis ? 1 : 0), rank = shapes[i].size();
    if (rank < letters || (!has_ellipsis && rank != letters)) {
      throw invalid("Einsum: input ", i, " of rank ", rank, " does not go with ", letters,
                    " letters");
    }
    most = std::max(most, rank - letters);
    bound.inputs.push_back(detail::spread(terms_[i], rank - letters));
    detail::add_extents(bound.extents, bound.inputs.back(), shapes[i]);
  }
  bound.output = detail::spread(output_, most);
  return bound;
}

}  // namespace sy
