#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace switchyard {

/// How PyTorch writes the floating-point numbers of one tensor: all alike, and as wide as the
/// widest of them.
class NumberFormat {
 public:
  explicit NumberFormat(std::span<const double> numbers);

  std::size_t width() const { return width_; }
  std::string text(double number) const;

 private:
  enum class Style { whole, fixed, scientific };

  Style style_ = Style::whole;
  std::size_t width_ = 1;
};

}  // namespace switchyard
