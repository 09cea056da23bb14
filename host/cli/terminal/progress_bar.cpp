#include "cli/terminal/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal/terminal.hpp"
#include "error/plain_text.hpp"

namespace switchyard::cli {

ProgressBar::ProgressBar(std::size_t total, bool is_wanted)
    : total_(total), is_shown_(is_wanted && obeys_escapes(stderr)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(std::size_t done, const std::string& what) {
  if (!is_shown_) return;
  const std::size_t columns = terminal_columns(stderr);
  print_message(fmt::format("\r{}\x1b[K", line(done, total_, plain_line(what), columns)));
}

void ProgressBar::clear() {
  if (!is_shown_) return;
  print_message("\r\x1b[K");
}

std::string ProgressBar::line(std::size_t done, std::size_t total, const std::string& what,
                              std::size_t columns) {
  constexpr std::size_t width = 30;
  const std::size_t filled = total == 0 ? width : width * std::min(done, total) / total;
  const std::string text = fmt::format("[{}{}] {}/{} {}", std::string(filled, '#'),
                                       std::string(width - filled, ' '), done, total, what);
  // A line that reaches the last column would wrap, and the next would not cover it.
  return text.substr(0, columns > 1 ? columns - 1 : 0);
}

}  // namespace switchyard::cli
