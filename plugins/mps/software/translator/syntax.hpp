// What the translator knows of a source: its declarations, by numbers of tokens. Types stay the
// business of the C++ compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "software/translator/token.hpp"

namespace mps::software {

// Tokens from `begin` up to `end`, not included.
struct Range {
  size_t begin = 0;
  size_t end = 0;
  bool empty() const { return begin >= end; }
};

struct Attribute {
  std::string name;
  std::string argument;
};

struct ParameterSyntax {
  Range type_and_name;  // without attributes
  std::optional<Attribute> attribute;
};

struct FunctionSyntax {
  std::string name;
  std::string host_name;  // of a kernel; else empty
  std::string symbol;     // "f" or "f<float>"
  Range head;             // up to the opening bracket of the parameters
  std::vector<ParameterSyntax> parameters;
  Range body;  // with its braces; empty for a declaration
  bool is_kernel = false;
  bool is_template = false;
  bool is_instance = false;  // an explicit instantiation
  bool is_member = false;
};

struct VariableSyntax {
  Range tokens;  // of the whole declaration, without attributes
  size_t name = 0;
  std::optional<Attribute> attribute;
};

// A `threadgroup` variable in a body.
struct GroupVariableSyntax {
  Range tokens;  // from `threadgroup` up to the semicolon
  Range type;
  size_t first_name = 0;
  std::vector<std::string> names;
  uint32_t depth = 0;   // of braces; 1 is the function's own
  size_t function = 0;  // of Syntax::functions
};

struct Syntax {
  std::string_view text;
  std::string_view name;  // of the source
  std::vector<Token> tokens;
  std::vector<FunctionSyntax> functions;
  std::vector<VariableSyntax> variables;  // outside functions and structures
  std::vector<GroupVariableSyntax> group_variables;
  std::vector<Range> attributes;  // all lists, brackets included

  bool is(size_t token, std::string_view word) const {
    return token < tokens.size() && tokens[token].text == word;
  }
  // The source's own spelling.
  std::string spelling(Range range) const;
  // The same on one line.
  std::string words(Range range) const;
  [[noreturn]] void fail(size_t token, const std::string& message) const {
    throw TranslationError(name, tokens[token].line, message);
  }
  // The closing partner of the bracket at `token`; "<" counts angle brackets too.
  size_t partner(size_t token) const;
};

// `text` and `name` outlive the result. Throws TranslationError.
Syntax parse(std::string_view text, std::string_view name);

}  // namespace mps::software
