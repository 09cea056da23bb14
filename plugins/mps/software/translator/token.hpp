// Words of a preprocessed source in the Metal Shading Language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mps::software {

// A source that is not accepted; the message begins "NAME:LINE: error:".
class TranslationError : public std::runtime_error {
 public:
  TranslationError(std::string_view name, uint32_t line, const std::string& message)
      : std::runtime_error(std::string(name) + ":" + std::to_string(line) + ": error: " + message) {
  }
};

struct Token {
  enum class Kind : uint8_t { identifier, number, text, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;
  size_t position = 0;  // in the preprocessed text
  uint32_t line = 0;    // of the source

  size_t end() const { return position + text.size(); }
};

// The last token is of kind `end`. `name` stands in messages. Markers of lines ("# 3 ...") set the
// line; other directives are passed over.
std::vector<Token> read_tokens(std::string_view text, std::string_view name);

}  // namespace mps::software
