#include "software/translator/reach.hpp"

#include <vector>

namespace mps::software {

Reach::Reach(const Syntax& syntax) {
  for (const FunctionSyntax& function : syntax.functions) {
    auto& words = uses_[function.name];
    for (size_t i = function.body.begin; i < function.body.end; ++i) {
      if (syntax.tokens[i].kind == Token::Kind::identifier) words.insert(syntax.tokens[i].text);
    }
  }
  for (const VariableSyntax& variable : syntax.variables) {
    auto& words = uses_[std::string(syntax.tokens[variable.name].text)];
    for (size_t i = variable.name + 1; i < variable.tokens.end; ++i) {
      words.insert(syntax.tokens[i].text);
    }
  }
}

std::set<std::string_view> Reach::from(std::string_view name) const {
  std::set<std::string_view> seen;
  std::vector<std::string_view> open{name};
  while (!open.empty()) {
    const std::string_view next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    const auto found = uses_.find(next);
    if (found != uses_.end()) open.insert(open.end(), found->second.begin(), found->second.end());
  }
  return seen;
}

}  // namespace mps::software
