#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/verify/case_result.hpp"

namespace switchyard::cli {

/// Which cases may be skipped, and why: a text file, one reason a line, `#` before comments.
///     OP: reason             every case whose model holds the op ("Gelu", "ai.onnx.ml.Scaler")
///     case PATTERN: reason   the cases of that name, in which `*` stands for any characters
/// The list excuses refusals only, never a wrong result, and it cannot rot: a skip that it does not
/// explain and an entry that explains no skip are both errors.
class SkipList {
 public:
  /// Throws Error(invalid_argument) that names the file and the line.
  static SkipList read(const std::filesystem::path& file);

  /// Parses the text of a list; `name` stands for its file.
  static SkipList parse(const std::string& text, const std::string& name);

  /// Puts the list's reason before the reason of a skip that it explains; makes any other skip a
  /// failure. Leaves what is not a skip as it is.
  void judge(CaseResult& result);

  /// A sentence for each entry that has explained no skip so far.
  std::vector<std::string> unused() const;

 private:
  struct Entry {
    std::string op;            // "" if it goes by name
    std::string case_pattern;  // "" if it goes by op
    std::string reason;
    int line = 0;
    std::size_t skips = 0;
  };

  Entry* find(const CaseResult& result);

  std::string name_;
  std::vector<Entry> entries_;
};

/// True if the name fits the pattern, in which `*` stands for any characters.
bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace switchyard::cli
