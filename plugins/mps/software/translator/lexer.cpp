#include <array>
#include <cctype>

#include "software/translator/token.hpp"

namespace mps::software {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// No shifts: a ">>" may close two lists of template arguments.
constexpr std::array<std::string_view, 15> pairs{
    "::", "[[", "->", "&&", "||", "<=", ">=", "==", "!=", "++", "--", "+=", "-=", "*=", "/="};

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  std::vector<Token> read() {
    while (skip_blank()) tokens_.push_back(next());
    tokens_.push_back({Token::Kind::end, text_.substr(text_.size()), text_.size(), line_});
    return std::move(tokens_);
  }

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  // False at the end of the text.
  bool skip_blank() {
    while (here_ < text_.size()) {
      if (at(here_) == '\n') {
        ++line_;
        ++here_;
        line_begins_ = true;
      } else if (is_space(at(here_))) {
        ++here_;
      } else if (at(here_) == '#' && line_begins_) {
        directive();
      } else if (at(here_) == '/' && (at(here_ + 1) == '/' || at(here_ + 1) == '*')) {
        comment();
      } else {
        line_begins_ = false;
        return true;
      }
    }
    return false;
  }

  void directive() {
    const size_t end = std::min(text_.find('\n', here_), text_.size());
    size_t i = here_ + 1;
    while (i < end && is_space(at(i))) ++i;
    if (is_digit(at(i))) {
      line_ = 0;
      for (; is_digit(at(i)); ++i) line_ = line_ * 10 + static_cast<uint32_t>(at(i) - '0');
      --line_;  // the marker's own line end counts up
    }
    here_ = end;
  }

  void comment() {
    if (at(here_ + 1) == '/') {
      here_ = std::min(text_.find('\n', here_), text_.size());
      return;
    }
    const size_t end = text_.find("*/", here_ + 2);
    if (end == std::string_view::npos) throw TranslationError(name_, line_, "comment has no end");
    for (; here_ < end + 2; ++here_) line_ += at(here_) == '\n';
  }

  Token next() {
    const size_t begin = here_;
    const char first = at(begin);
    const auto token = [&](Token::Kind kind) {
      return Token{kind, text_.substr(begin, here_ - begin), begin, line_};
    };
    if (is_digit(first) || (first == '.' && is_digit(at(begin + 1)))) {
      number();
      return token(Token::Kind::number);
    }
    if (is_word(first)) {
      while (is_word(at(here_))) ++here_;
      return token(Token::Kind::identifier);
    }
    if (first == '"' || first == '\'') {
      quoted(first);
      return token(Token::Kind::text);
    }
    here_ += 1;
    for (const std::string_view pair : pairs) {
      if (text_.substr(begin, 2) == pair) here_ = begin + 2;
    }
    return token(Token::Kind::punctuation);
  }

  void number() {
    while (is_word(at(here_)) || at(here_) == '.' || at(here_) == '\'' ||
           ((at(here_) == '+' || at(here_) == '-') && exponent(at(here_ - 1)))) {
      ++here_;
    }
  }
  bool exponent(char c) const { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

  void quoted(char quote) {
    ++here_;
    while (here_ < text_.size() && at(here_) != quote) here_ += at(here_) == '\\' ? 2 : 1;
    here_ = std::min(here_ + 1, text_.size());
  }

  std::string_view text_;
  std::string_view name_;
  size_t here_ = 0;
  uint32_t line_ = 1;
  bool line_begins_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> read_tokens(std::string_view text, std::string_view name) {
  return Lexer(text, name).read();
}

}  // namespace mps::software
