// The gradient of Einsum: another einsum, of the gradient and the other operands.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

constexpr char kEllipsis = '.';

/// An equation with letters in place of each ellipsis.
struct Equation {
  std::vector<std::string> terms;
  std::string result;
};

/// One character for an ellipsis, and no blanks.
std::string compact(std::string_view text) {
  std::string term;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    term += text[i];
    if (text[i] == kEllipsis) i += 2;
  }
  return term;
}

/// Without "->": the ellipsis, then the letters that occur once, in the alphabet's order.
std::string implied_result(const std::vector<std::string>& terms) {
  std::map<char, int> uses;
  for (const std::string& term : terms) {
    for (const char c : term) ++uses[c];
  }
  std::string result;
  if (uses.count(kEllipsis)) result += kEllipsis;
  for (const auto& [letter, count] : uses) {
    if (letter != kEllipsis && count == 1) result += letter;
  }
  return result;
}

/// Letters that no term uses, one for each dimension that the longest ellipsis stands for.
std::string fresh_letters(const std::vector<std::string>& terms, std::size_t count) {
  std::string fresh;
  for (char c = 'A'; c <= 'z' && fresh.size() < count; ++c) {
    const bool used = std::any_of(terms.begin(), terms.end(), [c](const std::string& term) {
      return term.find(c) != std::string::npos;
    });
    if (!used && (c <= 'Z' || c >= 'a')) fresh += c;
  }
  if (fresh.size() == count) return fresh;
  throw Error(ErrorKind::unsupported,
              "[Einsum] has a gradient only where its dimensions have no more than 52 letters");
}

Equation read(const Backward& step) {
  const std::string text = compact(step.attributes().get_text("equation", ""));
  const std::size_t arrow = text.find("->");
  Equation equation{{""}, ""};
  for (const char c : text.substr(0, arrow)) {
    if (c == ',') {
      equation.terms.emplace_back();
    } else {
      equation.terms.back() += c;
    }
  }
  equation.result =
      arrow == std::string::npos ? implied_result(equation.terms) : text.substr(arrow + 2);
  std::vector<std::size_t> hidden(equation.terms.size(), 0);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    if (equation.terms[i].find(kEllipsis) == std::string::npos) continue;
    hidden[i] = step.input_shape(i).size() + 1 - equation.terms[i].size();
  }
  const std::size_t most = *std::max_element(hidden.begin(), hidden.end());
  const std::string fresh = fresh_letters(equation.terms, most);
  const auto spell = [&](std::string& term, std::size_t count) {
    const std::size_t at = term.find(kEllipsis);
    if (at != std::string::npos) term.replace(at, 1, fresh.substr(most - count));
  };
  for (std::size_t i = 0; i < hidden.size(); ++i) spell(equation.terms[i], hidden[i]);
  spell(equation.result, most);
  return equation;
}

/// Each letter once, in order.
std::string distinct(const std::string& term) {
  std::string letters;
  for (const char c : term) {
    if (letters.find(c) == std::string::npos) letters += c;
  }
  return letters;
}

/// The gradient over `letters` shown to all dimensions of `term`, where a letter that comes again
/// stands for a diagonal.
Tensor to_term(Tensor gradient, const std::string& letters, const std::string& term,
               const Dims& shape) {
  std::string have = letters;
  for (std::size_t d = 0; d < term.size(); ++d) {
    const std::size_t first = have.find(term[d]);
    if (first == std::string::npos) {  // of no other operand: summed alone
      gradient = unsqueeze(gradient, static_cast<std::int64_t>(d));
      have.insert(d, 1, term[d]);
    } else if (first < d) {
      const std::int64_t extent = shape[first];
      Dims along(d + 1, 1);
      along[first] = along[d] = extent;
      for (std::size_t rest = d; rest < have.size(); ++rest) along.push_back(1);
      const Mask diagonal = ne(reshape(eye(extent, {}, options_like(gradient)), along), 0);
      gradient = where(diagonal, unsqueeze(gradient, static_cast<std::int64_t>(d)), 0);
      have.insert(d, 1, term[d]);
    }
  }
  return expand(gradient, shape);
}

/// Extents of 1 that broadcast are summed to; letters of no other operand are shown everywhere.
Tensor of_operand(Backward& step, const Equation& equation, std::size_t i) {
  std::vector<Tensor> others = {step.grad_output()};
  std::string text = equation.result, seen = equation.result;
  for (std::size_t j = 0; j < equation.terms.size(); ++j) {
    if (j == i) continue;
    others.push_back(step.input(j));
    text += "," + equation.terms[j];
    seen += equation.terms[j];
  }
  const std::string& term = equation.terms[i];
  std::string letters;
  for (const char c : distinct(term)) {
    if (seen.find(c) != std::string::npos) letters += c;
  }
  Tensor gradient = einsum(text + "->" + letters, others);
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const auto dim = static_cast<std::int64_t>(k);
    if (step.input_shape(i)[term.find(letters[k])] == 1 && gradient.size(dim) != 1) {
      gradient = sum(gradient, Dims{dim}, true);
    }
  }
  return to_term(gradient, letters, term, step.input_shape(i));
}

void einsum_rule(Backward& step) {
  const Equation equation = read(step);
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    if (step.needs_input_grad(i)) step.set_grad_input(i, of_operand(step, equation, i));
  }
}

constexpr RuleRow kEinsumRules[] = {{"Einsum", einsum_rule, kAll}};

}  // namespace

std::span<const RuleRow> einsum_rules() { return kEinsumRules; }

}  // namespace switchyard
