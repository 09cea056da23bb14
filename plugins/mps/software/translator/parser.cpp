// Finds declarations. It must only be right about sources that the C++ compiler accepts: what it
// takes for something else than it is, that compiler refuses.
#include <algorithm>
#include <set>

#include "software/translator/syntax.hpp"

namespace mps::software {
namespace {

const auto& groups_of_members =
    *new const std::set<std::string_view>{"struct", "class", "union", "enum", "namespace"};
const auto& takes_brackets =
    *new const std::set<std::string_view>{"decltype", "alignas", "static_assert", "__attribute__"};

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) {
    syntax_.text = text;
    syntax_.name = name;
    syntax_.tokens = read_tokens(text, name);
  }

  Syntax parse() {
    while (!at_end()) declaration();
    return std::move(syntax_);
  }

 private:
  // What is known of the declaration being read.
  struct Declaration {
    size_t begin = 0;
    size_t name = 0;  // the last identifier before brackets
    bool is_template = false;
    bool is_instance = false;
    bool is_kernel = false;
    bool opens_members = false;
    bool is_alias = false;  // using, typedef, static_assert
    std::optional<Attribute> function_constant;
    std::string host_name;
    std::optional<size_t> function;
  };

  bool at_end() const { return here_ + 1 >= syntax_.tokens.size(); }
  bool is(std::string_view word) const { return syntax_.is(here_, word); }
  const Token& token() const { return syntax_.tokens[here_]; }
  void jump() { here_ = syntax_.partner(here_) + 1; }

  // From `here_` to after the declaration.
  void declaration() {
    Declaration made;
    made.begin = here_;
    if (is("}")) syntax_.fail(here_, "unexpected '}'");
    while (!at_end()) {
      if (is(";")) return finish(made);
      if (is("{")) {
        if (block(made)) return;
        continue;
      }
      if (is(":") && !made.opens_members && !made.function) {  // public:
        ++here_;
        return;
      }
      step(made);
    }
  }

  // One word, or one list in brackets.
  void step(Declaration& made) {
    const std::string_view word = token().text;
    if (word == "[[") return attributes(made);
    if (word == "template") return template_word(made);
    if (word == "kernel") made.is_kernel = true;
    if (word == "using" || word == "typedef") made.is_alias = true;
    if (word == "operator") return operator_name(made);
    if (groups_of_members.count(word)) made.opens_members = true;
    if (takes_brackets.count(word) && syntax_.is(here_ + 1, "(")) {
      if (word == "static_assert") made.is_alias = true;
      ++here_;
      return jump();
    }
    if (word == "=") return initialiser();
    if (word == "(" && !made.function && made.name && !made.is_alias) return function(made);
    if (word == "(" || word == "[") return jump();
    if (word == "<" && here_ > 0 && syntax_.tokens[here_ - 1].kind == Token::Kind::identifier) {
      return jump();
    }
    if (token().kind == Token::Kind::identifier && !made.function) made.name = here_;
    ++here_;
  }

  void template_word(Declaration& made) {
    ++here_;
    if (is("<")) {
      made.is_template = true;
      jump();
    } else {
      made.is_instance = true;
    }
  }

  void operator_name(Declaration& made) {
    made.name = here_++;
    if (is("(")) here_ += 2;
    while (!at_end() && !is("(")) ++here_;
  }

  void initialiser() {
    while (!at_end() && !is(";")) {
      if (is("(") || is("{") || is("[")) {
        jump();
      } else {
        ++here_;
      }
    }
  }

  void attributes(Declaration& made) {
    for (Attribute& attribute : attribute_list(here_)) {
      if (attribute.name == "kernel") made.is_kernel = true;
      if (attribute.name == "function_constant") made.function_constant = attribute;
      if (attribute.name == "host_name") made.host_name = unquoted(attribute.argument);
    }
    here_ = syntax_.partner(here_) + 1;
  }

  static std::string unquoted(const std::string& text) {
    std::string result;
    bool inside = false;
    for (const char c : text) {
      if (c == '"') {
        inside = !inside;
      } else if (inside) {
        result += c;
      }
    }
    return result;
  }

  // The list that opens at `open`; notes where it stands.
  std::vector<Attribute> attribute_list(size_t open) {
    std::vector<Attribute> result;
    const size_t close = syntax_.partner(open);
    for (size_t i = open + 1; i < close; ++i) {
      if (syntax_.tokens[i].kind != Token::Kind::identifier) continue;
      Attribute attribute{std::string(syntax_.tokens[i].text), {}};
      if (syntax_.is(i + 1, "(")) {
        const size_t end = syntax_.partner(i + 1);
        attribute.argument = syntax_.spelling({i + 2, end});
        i = end;
      }
      result.push_back(std::move(attribute));
    }
    syntax_.attributes.push_back({open, close + 1});
    return result;
  }

  void function(Declaration& made) {
    FunctionSyntax function;
    size_t name = here_ - 1;  // NAME or NAME<ARGUMENTS>
    if (syntax_.is(name, ">")) name = open_of_angles(name) - 1;
    function.name = std::string(syntax_.tokens[made.name].text);
    if (syntax_.tokens[name].kind == Token::Kind::identifier) {
      function.name = std::string(syntax_.tokens[name].text);
    }
    function.symbol = syntax_.spelling({name, here_});
    function.head = {made.begin, here_};
    function.is_kernel = made.is_kernel;
    function.is_template = made.is_template;
    function.is_instance = made.is_instance;
    function.is_member = depth_ > 0;
    function.host_name = made.is_kernel && made.host_name.empty() ? function.name : made.host_name;
    const size_t close = syntax_.partner(here_);
    function.parameters = parameters({here_ + 1, close});
    here_ = close + 1;
    made.function = syntax_.functions.size();
    syntax_.functions.push_back(std::move(function));
  }

  size_t open_of_angles(size_t close) const {
    int depth = 0;
    for (size_t i = close; i > 0; --i) {
      if (syntax_.is(i, ">")) ++depth;
      if (syntax_.is(i, "<") && --depth == 0) return i;
    }
    syntax_.fail(close, "bracket has no partner");
  }

  std::vector<ParameterSyntax> parameters(Range range) {
    std::vector<ParameterSyntax> result;
    size_t i = range.begin;
    while (i < range.end) {
      ParameterSyntax parameter{{i, i}, std::nullopt};
      for (; i < range.end && !syntax_.is(i, ","); ++i) {
        if (syntax_.is(i, "[[")) {
          const auto list = attribute_list(i);
          if (!list.empty()) parameter.attribute = list.front();
          i = syntax_.partner(i);
          continue;
        }
        const bool template_list =
            syntax_.is(i, "<") && syntax_.tokens[i - 1].kind == Token::Kind::identifier;
        if (template_list || syntax_.is(i, "(") || syntax_.is(i, "[")) i = syntax_.partner(i);
        parameter.type_and_name.end = i + 1;
      }
      ++i;
      result.push_back(parameter);
    }
    const bool nothing = result.size() == 1 && syntax_.spelling(result[0].type_and_name) == "void";
    return nothing ? std::vector<ParameterSyntax>{} : result;
  }

  // True if the declaration ends with it.
  bool block(Declaration& made) {
    if (made.function) {
      body(*made.function);
      return true;
    }
    if (!made.opens_members) {
      jump();
      return false;
    }
    members(made);
    return syntax_.is(made.begin, "namespace");
  }

  void members(const Declaration& made) {
    const size_t close = syntax_.partner(here_);
    const bool is_enumeration = syntax_.is(made.begin, "enum");
    const bool is_namespace = syntax_.is(made.begin, "namespace");
    ++here_;
    if (!is_enumeration) {
      depth_ += is_namespace ? 0 : 1;
      while (here_ < close) declaration();
      depth_ -= is_namespace ? 0 : 1;
    }
    here_ = close + 1;
  }

  void body(size_t function) {
    const size_t close = syntax_.partner(here_);
    syntax_.functions[function].body = {here_, close + 1};
    uint32_t depth = 0;
    bool statement_begins = true;
    for (size_t i = here_; i < close; ++i) {
      if (syntax_.is(i, "{")) ++depth;
      if (syntax_.is(i, "}")) --depth;
      if (syntax_.is(i, "[[")) attribute_list(i);
      if (syntax_.is(i, "threadgroup") && statement_begins && group_variable(i, function, depth)) {
        continue;
      }
      const std::string_view word = syntax_.tokens[i].text;
      statement_begins = word == "{" || word == "}" || word == ";" || word == ")" ||
                         (statement_begins && (word == "const" || word == "volatile"));
    }
    here_ = close + 1;
    if (is(";")) ++here_;
  }

  // At `threadgroup`, the first word of a statement: false if it declares a pointer or a reference.
  bool group_variable(size_t& i, size_t function, uint32_t depth) {
    size_t end = i + 1;
    for (; !is_one_of(end, {"[", ";", ",", "=", "("}); ++end) {
      if (is_one_of(end, {"*", "&"}) || end + 1 >= syntax_.tokens.size()) return false;
      if (syntax_.is(end, "<")) end = syntax_.partner(end);
    }
    GroupVariableSyntax variable;
    variable.first_name = end - 1;
    variable.type = {i + 1, variable.first_name};
    variable.names.emplace_back(syntax_.tokens[variable.first_name].text);
    variable.depth = depth;
    variable.function = function;
    while (!syntax_.is(end, ";")) {
      if (syntax_.is(end, "=") || syntax_.is(end, "(")) {
        syntax_.fail(end, "a threadgroup variable cannot be initialised");
      }
      if (syntax_.is(end, ",")) variable.names.emplace_back(syntax_.tokens[end + 1].text);
      end = syntax_.is(end, "[") ? syntax_.partner(end) + 1 : end + 1;
    }
    variable.tokens = {i, end};
    i = end;
    syntax_.group_variables.push_back(std::move(variable));
    return true;
  }

  bool is_one_of(size_t token, std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return syntax_.is(token, word); });
  }

  // At the semicolon.
  void finish(const Declaration& made) {
    const size_t semicolon = here_++;
    if (made.function || made.is_alias || semicolon == made.begin) return;
    if (made.is_instance && made.is_kernel) return variable_instance(made, semicolon);
    if (made.opens_members || depth_ > 0 || made.is_instance) return;
    syntax_.variables.push_back({{made.begin, semicolon}, made.name, made.function_constant});
  }

  // template [[host_name("x")]] kernel decltype(f<float>) f<float>;
  void variable_instance(const Declaration& made, size_t semicolon) {
    FunctionSyntax function;
    function.name = std::string(syntax_.tokens[made.name].text);
    function.symbol = syntax_.spelling({made.name, semicolon});
    function.host_name = made.host_name.empty() ? function.name : made.host_name;
    function.head = {made.begin, semicolon};
    function.is_kernel = function.is_instance = true;
    syntax_.functions.push_back(std::move(function));
  }

  Syntax syntax_;
  size_t here_ = 0;
  uint32_t depth_ = 0;  // of structures
};

}  // namespace

Syntax parse(std::string_view text, std::string_view name) { return Parser(text, name).parse(); }

}  // namespace mps::software
