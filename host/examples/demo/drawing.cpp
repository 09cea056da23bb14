#include "drawing.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace demo {
namespace {

constexpr std::string_view kGap = "    ";

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += "\n";
}

/// 24 greys of the 256-colour palette, from almost black to almost white.
std::string grey(std::uint8_t pixel) { return std::to_string(232 + pixel * 23 / 255); }

std::string half_block(std::uint8_t upper, std::uint8_t lower) {
  return "\x1b[38;5;" + grey(upper) + ";48;5;" + grey(lower) + "m\u2580";
}

/// A half block for every corner that is bright enough, where there are no greys.
std::string plain_block(std::uint8_t upper, std::uint8_t lower) {
  constexpr int bright = 90;
  if (upper >= bright) return lower >= bright ? "\u2588" : "\u2580";
  return lower >= bright ? "\u2584" : " ";
}

std::string line_of(const PictureSet& pictures, std::size_t picture, std::size_t row) {
  const auto pixels = pictures.picture(picture);
  const bool greys = shows_greys();
  std::string line;
  for (std::size_t column = 0; column < pictures.columns; ++column) {
    const std::uint8_t upper = pixels[row * pictures.columns + column];
    const std::uint8_t lower =
        row + 1 < pictures.rows ? pixels[(row + 1) * pictures.columns + column] : std::uint8_t{0};
    line += greys ? half_block(upper, lower) : plain_block(upper, lower);
  }
  return greys ? line + "\x1b[0m" : line;
}

std::string caption_of(const Exhibit& exhibit, std::size_t number, std::size_t width) {
  std::string text = number < exhibit.caption.size() ? exhibit.caption[number] : "";
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

bool shows_greys() {
  static const bool shows = [] {
    const char* refused = std::getenv("NO_COLOR");
    return (refused == nullptr || *refused == '\0') && isatty(STDOUT_FILENO) == 1;
  }();
  return shows;
}

std::size_t pictures_that_fit(std::size_t columns) {
  if (isatty(STDOUT_FILENO) != 1) return std::numeric_limits<std::size_t>::max();
  winsize window{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  const std::size_t width = is_known ? window.ws_col : 80;
  return std::max<std::size_t>(1, (width + kGap.size()) / (columns + kGap.size()));
}

std::string draw(const PictureSet& pictures, const std::vector<Exhibit>& exhibits) {
  std::string text;
  std::size_t captions = 0;
  for (std::size_t row = 0; row < pictures.rows; row += 2) {
    for (const Exhibit& exhibit : exhibits) {
      if (&exhibit != &exhibits.front()) text += kGap;
      text += line_of(pictures, exhibit.picture, row);
      captions = std::max(captions, exhibit.caption.size());
    }
    end_line(text);
  }
  for (std::size_t number = 0; number < captions; ++number) {
    for (const Exhibit& exhibit : exhibits) {
      if (&exhibit != &exhibits.front()) text += kGap;
      text += caption_of(exhibit, number, pictures.columns);
    }
    end_line(text);
  }
  return text;
}

}  // namespace demo
