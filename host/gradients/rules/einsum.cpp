// The gradient of Einsum: another einsum, of the gradient and the other operands.
#include <algorithm>
#include <string>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/plugin/einsum_equation.hpp>

#include "functions/calls/options_like.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

/// An equation with letters in place of each ellipsis.
struct Equation {
  std::vector<std::string> terms;
  std::string result;
};

/// `count` letters that are not among `used`.
std::string fresh_letters(const std::string& used, std::size_t count) {
  std::string fresh;
  for (char c = 'A'; c <= 'z' && fresh.size() < count; ++c) {
    const bool is_letter = c <= 'Z' || c >= 'a';
    if (is_letter && used.find(c) == std::string::npos) fresh += c;
  }
  if (fresh.size() == count) return fresh;
  throw Error(ErrorKind::unsupported,
              "[Einsum] has a gradient only where its dimensions have no more than 52 letters");
}

Equation read(const Backward& step) {
  const sy::EinsumEquation parsed(step.attributes().get_text("equation", ""));
  std::vector<sy::Extents> shapes;
  for (std::size_t i = 0; i < parsed.terms().size(); ++i) {
    shapes.push_back(step.input_shape(i).span());
  }
  const sy::EinsumEquation::Bound bound = parsed.bind(shapes);
  std::string used;
  std::size_t of_ellipsis = 0;
  for (const sy::Labels& term : bound.inputs) {
    for (const sy::Label label : term) {
      if (label < sy::first_of_ellipsis) {
        used += static_cast<char>(label);
      } else {
        of_ellipsis =
            std::max(of_ellipsis, static_cast<std::size_t>(label - sy::first_of_ellipsis) + 1);
      }
    }
  }
  const std::string fresh = fresh_letters(used, of_ellipsis);
  const auto spelled = [&](const sy::Labels& labels) {
    std::string term;
    for (const sy::Label label : labels) {
      term += label < sy::first_of_ellipsis
                  ? static_cast<char>(label)
                  : fresh[static_cast<std::size_t>(label - sy::first_of_ellipsis)];
    }
    return term;
  };
  Equation equation;
  for (const sy::Labels& term : bound.inputs) equation.terms.push_back(spelled(term));
  equation.result = spelled(bound.output);
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
      Dims along = Dims::filled(d + 1, 1);
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
