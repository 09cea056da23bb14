#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace switchyard::cli {

/// Rows of text in aligned columns, under a title each.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool is_number = false;  // aligned to the right
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row; cells that are missing at its end are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  bool empty() const { return rows_.empty(); }

  /// All lines, each indented and ended by a newline, none with blanks at its end.
  std::string text(std::size_t indent = 2) const;

 private:
  std::vector<std::size_t> widths() const;
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                   std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace switchyard::cli
