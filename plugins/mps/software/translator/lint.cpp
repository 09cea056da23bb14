#include "software/translator/lint.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace mps::software {
namespace {

const auto& absent_words = *new const std::set<std::string_view>{
    "asm",   "catch", "delete",       "double", "goto",    "new",
    "throw", "try",   "dynamic_cast", "typeid", "virtual", "std"};
const auto& address_spaces =
    *new const std::set<std::string_view>{"device", "constant", "threadgroup", "thread"};

bool has_word(const Syntax& syntax, Range range, std::string_view word) {
  for (size_t i = range.begin; i < range.end; ++i) {
    if (syntax.is(i, word)) return true;
  }
  return false;
}

bool has_address_space(const Syntax& syntax, Range range) {
  return std::any_of(address_spaces.begin(), address_spaces.end(),
                     [&](std::string_view word) { return has_word(syntax, range, word); });
}

void absent_words_are_not_used(const Syntax& syntax) {
  for (size_t i = 0; i < syntax.tokens.size(); ++i) {
    const Token& token = syntax.tokens[i];
    if (token.kind == Token::Kind::identifier && absent_words.count(token.text)) {
      syntax.fail(i, "Metal has no '" + std::string(token.text) + "'");
    }
  }
}

void pointers_name_their_address_space(const Syntax& syntax) {
  for (const FunctionSyntax& function : syntax.functions) {
    for (const ParameterSyntax& parameter : function.parameters) {
      const Range range = parameter.type_and_name;
      const bool refers = has_word(syntax, range, "*") || has_word(syntax, range, "&");
      if (refers && !has_address_space(syntax, range)) {
        syntax.fail(range.begin, "parameter '" + syntax.spelling(range) + "' of " + function.name +
                                     " names no address space");
      }
    }
  }
}

// `float *p = ...;` as a statement: auto takes the address space over, anything else must name it.
void local_pointers_name_their_address_space(const Syntax& syntax, Range body) {
  for (size_t i = body.begin; i + 1 < body.end; ++i) {
    const bool begins = syntax.is(i, "{") || syntax.is(i, "}") || syntax.is(i, ";");
    if (!begins) continue;
    size_t type = i + 1;
    while (syntax.is(type, "const") || syntax.is(type, "volatile")) ++type;
    const Token& token = syntax.tokens[type];
    if (token.kind != Token::Kind::identifier || token.text == "auto" || token.text == "return" ||
        address_spaces.count(token.text)) {
      continue;
    }
    size_t star = type + 1;
    if (syntax.is(star, "<")) star = syntax.partner(star) + 1;
    if (!syntax.is(star, "*") && !syntax.is(star, "&")) continue;
    const bool names = syntax.tokens[star + 1].kind == Token::Kind::identifier;
    if (names && (syntax.is(star + 2, "=") || syntax.is(star + 2, ";"))) {
      syntax.fail(type, "pointer '" + std::string(syntax.tokens[star + 1].text) +
                            "' names no address space");
    }
  }
}

void globals_are_constant(const Syntax& syntax) {
  for (const VariableSyntax& variable : syntax.variables) {
    if (!has_word(syntax, variable.tokens, "constant")) {
      syntax.fail(variable.name, "'" + std::string(syntax.tokens[variable.name].text) +
                                     "' outside functions is not in the constant address space");
    }
  }
}

void kernels_return_nothing(const Syntax& syntax) {
  for (const FunctionSyntax& function : syntax.functions) {
    const bool checked = function.is_kernel && !function.is_instance && function.head.end >= 2;
    if (checked && !syntax.is(function.head.end - 2, "void")) {
      syntax.fail(function.head.begin, "kernel " + function.name + " does not return void");
    }
  }
}

void group_variables_are_kernels_own(const Syntax& syntax) {
  for (const GroupVariableSyntax& variable : syntax.group_variables) {
    const FunctionSyntax& function = syntax.functions[variable.function];
    if (variable.depth > 1 || !function.is_kernel) {
      syntax.fail(variable.tokens.begin, "threadgroup variable '" + variable.names.front() +
                                             "' is not in the outermost block of a kernel");
    }
  }
}

void bodies_keep_no_state(const Syntax& syntax, Range body) {
  for (size_t i = body.begin; i < body.end; ++i) {
    if (syntax.is(i, "static") || syntax.is(i, "thread_local")) {
      syntax.fail(i, "a function has no static variables");
    }
    if (syntax.is(i, "(") && syntax.is(i + 1, "*") && syntax.is(i + 3, ")") &&
        syntax.is(i + 4, "(")) {
      syntax.fail(i, "there are no pointers to functions");
    }
  }
}

// Calls among functions whose names have one body each: of overloads only the compiler could tell
// which one is called.
class Calls {
 public:
  explicit Calls(const Syntax& syntax) : syntax_(syntax) {
    for (const FunctionSyntax& function : syntax.functions) {
      if (function.body.empty()) continue;
      const bool known = named_.count(function.name) > 0;
      named_[function.name] = known || function.is_template ? nullptr : &function;
    }
  }

  void refuse_recursion() {
    for (const auto& [name, function] : named_) {
      if (function) visit(*function);
    }
  }

 private:
  void visit(const FunctionSyntax& function) {
    if (done_.count(&function)) return;
    if (!open_.insert(&function).second) {
      syntax_.fail(function.head.begin, "function " + function.name + " calls itself");
    }
    for (size_t i = function.body.begin; i < function.body.end; ++i) {
      const bool call = syntax_.is(i + 1, "(") && !syntax_.is(i - 1, "::") &&
                        !syntax_.is(i - 1, ".") && !syntax_.is(i - 1, "->");
      const auto found = call ? named_.find(syntax_.tokens[i].text) : named_.end();
      if (found != named_.end() && found->second) visit(*found->second);
    }
    open_.erase(&function);
    done_.insert(&function);
  }

  const Syntax& syntax_;
  std::map<std::string, const FunctionSyntax*, std::less<>> named_;
  std::set<const FunctionSyntax*> open_, done_;
};

}  // namespace

void lint(const Syntax& syntax) {
  absent_words_are_not_used(syntax);
  pointers_name_their_address_space(syntax);
  globals_are_constant(syntax);
  kernels_return_nothing(syntax);
  group_variables_are_kernels_own(syntax);
  for (const FunctionSyntax& function : syntax.functions) {
    bodies_keep_no_state(syntax, function.body);
    local_pointers_name_their_address_space(syntax, function.body);
  }
  Calls(syntax).refuse_recursion();
}

}  // namespace mps::software
