#pragma once

#include <string>
#include <string_view>

namespace switchyard {

/// Cuts ONNX's text syntax into names, numbers, quoted texts and signs, passing over spaces and
/// comments (from # to the end of the line). Throws Error(internal) with the line: such texts are
/// the host's own.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  bool at_end() { return peek() == '\0'; }
  char peek();                         // the next sign, or '\0' at the end
  bool accept(std::string_view sign);  // passes over `sign` if it comes next
  void expect(std::string_view sign);

  bool at_name();
  bool at_number();
  std::string name();    // letters, digits, _ and . ; empty if none comes next
  std::string number();  // "3", "-1.5e3", "inf", "nan"
  std::string quoted_text();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void skip_space();
  bool is_word(std::string_view word) const;  // comes next as a whole

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace switchyard
