#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace switchyard {

/// What a line of progress tells.
struct ProgressFacts {
  std::int64_t epoch = 1;  // counted from 1
  std::int64_t epochs = 1;
  std::int64_t done = 0;  // batches
  std::int64_t total = 0;
  double loss = 0;
  double rate = 0;     // examples a second
  double seconds = 0;  // left, or taken if the epoch is over
  bool is_over = false;
  std::string remark = {};
};

/// "epoch 3/10 ████ 45% loss 0.31 1234/s 00:12 left", with a bar that fits into so many columns;
/// without one where there is no room. 0 columns: no bar wanted.
std::string progress_line(const ProgressFacts& facts, std::size_t columns);

/// "00:12", or "1:02:03" from an hour on.
std::string time_text(double seconds);

}  // namespace switchyard
