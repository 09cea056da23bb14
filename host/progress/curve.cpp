#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/progress.hpp>

#include "files/file_replacement.hpp"
#include "progress/axis.hpp"

namespace switchyard {
namespace {

constexpr double kWidth = 640, kHeight = 400;
constexpr double kLeft = 64, kRight = 620, kTop = 52, kBottom = 348;  // of the plot in the picture

// Colours that people who are colour-blind can tell apart (Okabe and Ito).
constexpr std::array<std::string_view, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                      "#cc79a7", "#e69f00", "#56b4e9"};

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      default: safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return safe;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text,
                    std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view colour) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     colour);
}

struct Point {
  double x;
  double y;
};

Point point_of(const CurveSeries& series, std::size_t i) {
  return {series.x.empty() ? static_cast<double>(i + 1) : series.x[i], series.values[i]};
}

bool is_drawn(const Point& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

/// The series in the plot between two axes.
class Plot {
 public:
  explicit Plot(const std::vector<CurveSeries>& series) : series_(series) {
    std::vector<double> xs, ys;
    for (const CurveSeries& one : series) {
      for (std::size_t i = 0; i < one.values.size(); ++i) {
        const Point point = point_of(one, i);
        if (!is_drawn(point)) continue;
        xs.push_back(point.x);
        ys.push_back(point.y);
      }
    }
    const bool is_counted =
        std::all_of(xs.begin(), xs.end(), [](double x) { return x == std::floor(x); });
    if (xs.empty()) xs = ys = {0, 1};
    const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
    const auto [low, high] = std::minmax_element(ys.begin(), ys.end());
    const double margin = (*high - *low) * 0.05;
    across_ = Axis::around(*left, *right, 8, is_counted);
    up_ = Axis::around(*low - margin, *high + margin, 6);
  }

  std::string text() const {
    std::string text = grid();
    for (std::size_t i = 0; i < series_.size(); ++i) {
      text += curve(series_[i], kColours[i % kColours.size()]);
    }
    return text + legend();
  }

 private:
  double x_of(double value) const { return kLeft + across_.fraction(value) * (kRight - kLeft); }
  double y_of(double value) const { return kBottom - up_.fraction(value) * (kBottom - kTop); }

  std::string grid() const {
    std::string text;
    for (const double mark : up_.marks()) {
      text += line(kLeft, y_of(mark), kRight, y_of(mark), "#e4e4e4");
      text += text_at(kLeft - 8, y_of(mark) + 4, "end", up_.text(mark));
    }
    for (const double mark : across_.marks()) {
      text += line(x_of(mark), kBottom, x_of(mark), kBottom + 5, "#444");
      text += text_at(x_of(mark), kBottom + 20, "middle", across_.text(mark));
    }
    text += line(kLeft, kTop, kLeft, kBottom, "#444");
    return text + line(kLeft, kBottom, kRight, kBottom, "#444");
  }

  std::string curve(const CurveSeries& series, std::string_view colour) const {
    std::string path;
    std::string alone;  // points without a neighbour, which a line does not show
    bool is_open = false;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const Point point = point_of(series, i);
      if (!is_drawn(point)) {
        is_open = false;
        continue;
      }
      const bool ends = i + 1 == series.values.size() || !is_drawn(point_of(series, i + 1));
      if (!is_open && ends) {
        alone += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                             x_of(point.x), y_of(point.y), colour);
      }
      path += fmt::format("{}{:.1f} {:.1f}", is_open ? "L" : "M", x_of(point.x), y_of(point.y));
      is_open = true;
    }
    if (path.empty()) return "";
    return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"2\" fill=\"none\"/>\n", path,
                       colour) +
           alone;
  }

  // Above the plot, where no curve runs, from the right.
  std::string legend() const {
    constexpr double kAbove = kTop - 14, kDash = 22, kGap = 18, kLetter = 6.5;
    std::string text;
    double x = kRight;
    for (std::size_t i = series_.size(); i-- > 0;) {
      text += text_at(x, kAbove, "end", series_[i].name);
      x -= kLetter * static_cast<double>(series_[i].name.size()) + kDash + 8;
      text += fmt::format("<path d=\"M{:.1f} {:.1f}h{}\" stroke=\"{}\" stroke-width=\"2\"/>\n", x,
                          kAbove - 4, kDash, kColours[i % kColours.size()]);
      x -= kGap;
    }
    return text;
  }

  const std::vector<CurveSeries>& series_;
  Axis across_;
  Axis up_;
};

void check_lengths(const CurveSeries& series) {
  if (series.x.empty() || series.x.size() == series.values.size()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the curve '{}' has {} x for {} values; give as many, or none",
                          series.name, series.x.size(), series.values.size()));
}

}  // namespace

void save_curve(const std::filesystem::path& path, const std::vector<CurveSeries>& series,
                const CurveLabels& labels) {
  for (const CurveSeries& one : series) check_lengths(one);
  std::string picture = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  const double middle = (kLeft + kRight) / 2;
  picture += text_at(middle, 22, "middle", labels.title, " font-size=\"15\"");
  picture += Plot(series).text();
  picture += text_at(middle, kHeight - 12, "middle", labels.x);
  const double height = (kTop + kBottom) / 2;
  picture += text_at(16, height, "middle", labels.y,
                     fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", height));
  FileReplacement file(path);
  file.write(picture + "</svg>\n");
  file.commit();
}

}  // namespace switchyard
