#pragma once

#include <string>
#include <vector>

namespace switchyard {

/// One axis of a picture: the range that it shows, and the round numbers in it that get a mark.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;

  /// Holds `low` to `high`, with about `marks` marks; `is_whole` for marks at integers only.
  static Axis around(double low, double high, int marks, bool is_whole = false);

  std::vector<double> marks() const;
  std::string text(double mark) const;  // with as many digits as the step has
  double fraction(double value) const { return (value - low) / (high - low); }
};

}  // namespace switchyard
