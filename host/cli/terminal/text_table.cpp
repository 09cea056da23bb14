#include "cli/terminal/text_table.hpp"

#include <algorithm>

#include "cli/terminal/terminal.hpp"

namespace switchyard::cli {

std::string TextTable::text(std::size_t indent) const {
  const std::vector<std::size_t> width = widths();
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(paint(Colour::dim, column.title));
  std::string text = line(titles, width, indent);
  for (const std::vector<std::string>& row : rows_) text += line(row, width, indent);
  return text;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  return widths;
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths, std::size_t indent) const {
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string gap(widths[i] - display_width(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += columns_[i].is_number ? gap + cells[i] : cells[i] + gap;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace switchyard::cli
