#include "cli/terminal/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "error/plain_text.hpp"

namespace switchyard::cli {
namespace {

constexpr std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::bold: return "1";
    case Colour::dim: return "2";
    case Colour::red: return "31";
    case Colour::green: return "32";
    case Colour::yellow: return "33";
  }
  return "0";
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// The position behind an escape sequence that begins at `at`.
std::size_t behind_escape(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

/// The length of an escape sequence of `paint`'s at the start of the text; 0 if there is none.
std::size_t colour_length(std::string_view text) {
  for (const std::string_view code : {"0", "1", "2", "31", "32", "33"}) {
    const std::string sequence = fmt::format("\x1b[{}m", code);
    if (text.substr(0, sequence.size()) == sequence) return sequence.size();
  }
  return 0;
}

}  // namespace

bool obeys_escapes(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb")
    return false;
  return isatty(fileno(stream)) == 1;
}

bool shows_colours(std::FILE* stream) {
  // https://no-color.org: the variable counts if it is set and not empty.
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  return obeys_escapes(stream);
}

std::FILE* program_output() {
  static std::FILE* const output = [] {
    const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    std::FILE* stream = own < 0 ? nullptr : fdopen(own, "w");
    if (stream == nullptr) {
      if (own >= 0) close(own);
      return stdout;  // closed when the program began: writing will fail
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return stream;
  }();
  return output;
}

std::string paint(Colour colour, std::string_view text, std::FILE* stream) {
  if (!shows_colours(stream)) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(colour), text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = behind_escape(text, i);
      continue;
    }
    if (!is_continuation(text[i])) ++width;
    ++i;
  }
  return width;
}

std::size_t terminal_columns(std::FILE* stream) {
  if (isatty(fileno(stream)) != 1) return 0;
  winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string printable(std::string_view text, bool with_colours) {
  std::string safe;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t escape = with_colours ? text.find('\x1b', start) : std::string_view::npos;
    const std::size_t end = std::min(escape, text.size());
    safe += plain_text(text.substr(start, end - start));
    if (end == text.size()) break;
    const std::size_t length = colour_length(text.substr(end));
    safe += length > 0 ? text.substr(end, length) : "?";
    start = end + std::max<std::size_t>(length, 1);
  }
  return safe;
}

void print(std::string_view text) {
  const std::string safe = printable(text, shows_colours(program_output()));
  std::fwrite(safe.data(), 1, safe.size(), program_output());
}

void print_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_error(std::string_view line) {
  std::fflush(program_output());
  print_message(
      fmt::format("{} {}\n", paint(Colour::red, "switchyard: error:", stderr), plain_line(line)));
}

}  // namespace switchyard::cli
