// C++ for OpenCL has real address spaces, so that a compiler for it finds what C++ cannot. It has
// no kernel templates, spells constructions of vectors as casts, and no attributes of Metal's.
#include <set>

#include "software/translator/edits.hpp"
#include "software/translator/syntax.hpp"
#include "software/translator/translate.hpp"

namespace mps::software {
namespace {

const auto& scalars =
    *new const std::set<std::string_view>{"float", "half", "int",   "uint", "short", "ushort",
                                          "char",  "bool", "uchar", "long", "ulong", "bfloat"};

bool is_vector_type(std::string_view word) {
  if (word.size() < 4 || word.back() < '2' || word.back() > '4') return false;
  return scalars.count(word.substr(0, word.size() - 1)) > 0;
}

void erase(const Syntax& syntax, size_t token, Edits& edits) {
  edits.replace(syntax.tokens[token].position, syntax.tokens[token].end(), "");
}

// `kernel` before a template or an instance of one.
void erase_template_kernels(const Syntax& syntax, Edits& edits) {
  for (const FunctionSyntax& function : syntax.functions) {
    if (!function.is_kernel || !(function.is_template || function.is_instance)) continue;
    for (size_t i = function.head.begin; i < function.head.end; ++i) {
      if (syntax.is(i, "kernel")) erase(syntax, i, edits);
    }
  }
}

// Only kernels may have them, and a kernel template has become an ordinary one: there they become
// references to somewhere in threadgroup memory.
void write_template_group_variables(const Syntax& syntax, Edits& edits) {
  for (size_t number = 0; number < syntax.group_variables.size(); ++number) {
    const GroupVariableSyntax& variable = syntax.group_variables[number];
    if (!syntax.functions[variable.function].is_template) continue;
    const std::string type = "GroupVariables" + std::to_string(number);
    std::string text =
        "struct " + type + " { " + syntax.words({variable.type.begin, variable.tokens.end}) + "; }";
    for (const std::string& name : variable.names) {
      text += "; threadgroup decltype(" + type + "::" + name + ")& " + name + " = ((threadgroup " +
              type + "*)0)->" + name;
    }
    edits.replace(syntax.tokens[variable.tokens.begin].position,
                  syntax.tokens[variable.tokens.end].position, std::move(text));
  }
}

}  // namespace

std::string translate_for_check(std::string_view text, std::string_view name) {
  const Syntax syntax = parse(text, name);
  Edits edits;
  for (const Range list : syntax.attributes) {
    edits.replace(syntax.tokens[list.begin].position, syntax.tokens[list.end - 1].end(), "");
  }
  erase_template_kernels(syntax, edits);
  write_template_group_variables(syntax, edits);
  for (size_t i = 0; i < syntax.tokens.size(); ++i) {
    const Token& token = syntax.tokens[i];
    if (syntax.is(i + 1, "(") && is_vector_type(token.text)) {
      edits.replace(token.position, token.end(), "(" + std::string(token.text) + ")");
    }
  }
  for (const VariableSyntax& variable : syntax.variables) {
    if (variable.attribute) edits.insert(syntax.tokens[variable.tokens.end].position, " = 0");
  }
  return "#line 1 \"" + std::string(name) + "\"\n" + edits.apply(text);
}

}  // namespace mps::software
