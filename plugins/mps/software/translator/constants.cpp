#include "software/translator/constants.hpp"

#include <algorithm>
#include <set>

#include "software/translator/reach.hpp"

namespace mps::software {
namespace {

using Names = std::set<std::string_view>;

const auto& assignments = *new const Names{"=", "+=", "-=", "*=", "/=", "++", "--"};
const auto& no_types = *new const Names{"return", "else", "case", "do", "sizeof"};

std::string_view name_of(const Syntax& syntax, const VariableSyntax& variable) {
  return syntax.tokens[variable.name].text;
}

uint32_t index_of(const Syntax& syntax, const VariableSyntax& variable) {
  const std::string& text = variable.attribute->argument;
  const bool is_number =
      !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) syntax.fail(variable.name, "the index of a function constant is not a number");
  return static_cast<uint32_t>(std::stoul(text));
}

bool is_compile_time(const Syntax& syntax, const VariableSyntax& variable) {
  for (size_t i = variable.tokens.begin; i < variable.name; ++i) {
    if (syntax.is(i, "constexpr")) return true;
  }
  return false;
}

bool is_derived(const Syntax& syntax, const VariableSyntax& variable, const Reach& reach,
                const Names& given) {
  if (variable.attribute || is_compile_time(syntax, variable)) return false;
  const Names words = reach.from(name_of(syntax, variable));
  return std::any_of(given.begin(), given.end(), [&](auto name) { return words.count(name) > 0; });
}

// TYPE NAME = VALUE, which can be assigned again.
void check_derived(const Syntax& syntax, const VariableSyntax& variable) {
  bool is_one_value = syntax.is(variable.name + 1, "=") && !syntax.is(variable.name + 2, "{");
  for (size_t i = variable.name + 1; i < variable.tokens.end; ++i) {
    if (syntax.is(i, "(")) i = syntax.partner(i);
    is_one_value = is_one_value && !syntax.is(i, ",");
  }
  if (is_one_value) return;
  syntax.fail(variable.name, "'" + std::string(name_of(syntax, variable)) +
                                 "' is made of function constants, and not declared as a single "
                                 "TYPE NAME = VALUE");
}

bool is_assigned(const Syntax& syntax, size_t name) {
  const Token& before = syntax.tokens[name - 1];
  if (before.text == "++" || before.text == "--") return true;
  // A declaration of the same name, or a member.
  const bool is_another = before.kind == Token::Kind::identifier || before.text == "." ||
                          before.text == "->" || before.text == "*" || before.text == "&" ||
                          before.text == ">" || before.text == ",";
  return !is_another && assignments.count(syntax.tokens[name + 1].text) > 0;
}

// At an opening bracket: the extent of an array that is being declared.
bool is_extent(const Syntax& syntax, size_t bracket) {
  const Token& name = syntax.tokens[bracket - 1];
  const Token& type = syntax.tokens[bracket - 2];
  const auto is_identifier = [](const Token& token) {
    return token.kind == Token::Kind::identifier && !no_types.count(token.text);
  };
  return is_identifier(name) && is_identifier(type);
}

void check_extent(const Syntax& syntax, size_t bracket, const Names& constants) {
  for (size_t i = bracket + 1; i < syntax.partner(bracket); ++i) {
    if (!constants.count(syntax.tokens[i].text)) continue;
    syntax.fail(i, "the extent of array '" + std::string(syntax.tokens[bracket - 1].text) +
                       "' is a function constant, which is not known when the source is compiled");
  }
}

// The C++ compiler would let these pass; it refuses the other uses as compile-time constants.
void check_uses(const Syntax& syntax, const FunctionSyntax& function, Names constants) {
  for (const ParameterSyntax& parameter : function.parameters) {
    constants.erase(syntax.tokens[parameter.type_and_name.end - 1].text);
  }
  for (size_t i = function.body.begin; i < function.body.end; ++i) {
    if (syntax.is(i, "[") && is_extent(syntax, i)) check_extent(syntax, i, constants);
    if (constants.count(syntax.tokens[i].text) && is_assigned(syntax, i)) {
      syntax.fail(i, "'" + std::string(syntax.tokens[i].text) + "' is a constant");
    }
  }
}

void write_declaration(const Syntax& syntax, const VariableSyntax& variable, Edits& edits) {
  for (size_t i = variable.tokens.begin; i < variable.name; ++i) {
    const Token& token = syntax.tokens[i];
    if (token.text == "constant") edits.replace(token.position, token.end(), "thread_local");
  }
}

std::string deriving(std::string_view name) { return "msl_derive_" + std::string(name) + "()"; }

}  // namespace

Constants find_constants(const Syntax& syntax) {
  Constants result;
  Names names;
  for (const VariableSyntax& variable : syntax.variables) {
    if (!variable.attribute) continue;
    result.given.push_back({index_of(syntax, variable),
                            std::string(syntax.tokens[variable.name - 1].text),
                            std::string(name_of(syntax, variable))});
    names.insert(name_of(syntax, variable));
  }
  if (names.empty()) return result;
  const Reach reach(syntax);
  for (size_t i = 0; i < syntax.variables.size(); ++i) {
    if (is_derived(syntax, syntax.variables[i], reach, names)) result.derived.push_back(i);
  }
  for (const size_t i : result.derived) {
    check_derived(syntax, syntax.variables[i]);
    names.insert(name_of(syntax, syntax.variables[i]));
  }
  for (const FunctionSyntax& function : syntax.functions) check_uses(syntax, function, names);
  return result;
}

void write_constants(const Syntax& syntax, const Constants& constants, Edits& edits) {
  for (const VariableSyntax& variable : syntax.variables) {
    if (variable.attribute) write_declaration(syntax, variable, edits);
  }
  for (const size_t i : constants.derived) {
    const VariableSyntax& variable = syntax.variables[i];
    const std::string name(name_of(syntax, variable));
    write_declaration(syntax, variable, edits);
    edits.insert(syntax.tokens[variable.name].end(),
                 "; inline void " + deriving(name) + " { " + name);
    edits.insert(syntax.tokens[variable.tokens.end].end(), " }");
  }
}

std::string setter_of_constants(const Syntax& syntax, const Constants& constants) {
  std::string text = "void msl_set_constants(const void* const* values) {\n";
  for (size_t i = 0; i < constants.given.size(); ++i) {
    const std::string value = "values[" + std::to_string(i) + "]";
    const std::string& name = constants.given[i].name;
    text += "  if (" + value + ") " + name + " = *static_cast<const decltype(" + name + ")*>(" +
            value + ");\n";
  }
  for (const size_t i : constants.derived) {
    text += "  " + deriving(name_of(syntax, syntax.variables[i])) + ";\n";
  }
  return text + "}\n";
}

}  // namespace mps::software
