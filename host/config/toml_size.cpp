#include "config/toml_size.hpp"

#include <algorithm>
#include <string>

namespace switchyard::config {
namespace {

/// Walks over a TOML text as far as its keys go; what is wrong with it is for the parser to say.
class KeyScanner {
 public:
  explicit KeyScanner(std::string_view text) : text_(text) {}

  /// The position where a key becomes too long; the text's size if none does.
  std::size_t find() {
    std::size_t dots = 0;  // between the parts of what is perhaps a key; a number has one at most
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      } else if (c == '.') {
        if (++dots >= kMostKeyParts) return at_;
      } else if (ends_key(c)) {
        dots = 0;
      }
      ++at_;
    }
    return text_.size();
  }

 private:
  static bool ends_key(char c) {
    constexpr std::string_view ends = "\n=[]{},";
    return ends.find(c) != std::string_view::npos;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool is_long = text_.substr(at_, 3) == triple;
    const std::string_view end = is_long ? std::string_view(triple) : text_.substr(at_, 1);
    at_ += end.size();
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (text_[at_] == '\n' && !is_long) return;
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<TextProblem> find_endless_key(std::string_view text) {
  const std::size_t found = KeyScanner(text).find();
  if (found >= text.size()) return std::nullopt;
  const std::string_view before = text.substr(0, found);
  const std::size_t line_start = before.rfind('\n') + 1;
  return TextProblem{{static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                      static_cast<int>(found - line_start) + 1},
                     "a key has more than " + std::to_string(kMostKeyParts) +
                         " parts; no key of a configuration is that deep"};
}

}  // namespace switchyard::config
