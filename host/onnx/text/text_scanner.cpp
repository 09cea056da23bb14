#include "onnx/text/text_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <switchyard/error.hpp>

namespace switchyard {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '.'; }

}  // namespace

void TextScanner::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

char TextScanner::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextScanner::accept(std::string_view sign) {
  skip_space();
  if (text_.substr(at_, sign.size()) != sign) return false;
  at_ += sign.size();
  return true;
}

void TextScanner::expect(std::string_view sign) {
  if (!accept(sign)) fail(fmt::format("'{}' is missing", sign));
}

bool TextScanner::at_name() { return starts_name(peek()); }

bool TextScanner::at_number() {
  const char c = peek();
  return is_digit(c) || c == '-' || c == '+' || c == '.' || is_word("inf") || is_word("nan");
}

bool TextScanner::is_word(std::string_view word) const {
  const std::string_view rest = text_.substr(at_);
  return rest.substr(0, word.size()) == word &&
         (rest.size() == word.size() || !continues_name(rest[word.size()]));
}

std::string TextScanner::name() {
  if (!at_name()) return {};
  const std::size_t start = at_;
  while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
  return std::string(text_.substr(start, at_ - start));
}

std::string TextScanner::number() {
  if (!at_number()) fail("a number is missing");
  const std::size_t start = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const bool is_sign = (c == '-' || c == '+') && (at_ == start || (text_[at_ - 1] | 32) == 'e');
    if (!continues_name(c) && !is_sign) break;
    ++at_;
  }
  return std::string(text_.substr(start, at_ - start));
}

std::string TextScanner::quoted_text() {
  expect("\"");
  const std::size_t end = text_.find('"', at_);
  if (end == std::string_view::npos) fail("a text has no closing quote");
  const std::string_view text = text_.substr(at_, end - at_);
  at_ = end + 1;
  return std::string(text);
}

void TextScanner::fail(const std::string& what) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
  throw Error(ErrorKind::internal, fmt::format("ONNX text, line {}: {} before \"{}\"", line, what,
                                               text_.substr(at_, 20)));
}

}  // namespace switchyard
