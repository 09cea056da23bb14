#pragma once

#include <cstddef>
#include <string>

namespace switchyard::cli {

/// A bar on standard error that shows how much is done; nothing where that is not a terminal, or
/// where `is_wanted` is false. Gone when it is destroyed.
class ProgressBar {
 public:
  ProgressBar(std::size_t total, bool is_wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Shows that `done` of the total are done and that `what` comes next.
  void show(std::size_t done, const std::string& what);

  /// Takes the bar away, so that a line can be printed; the next `show` brings it back.
  void clear();

  /// The bar as a line of `columns`: "[####    ] 12/40 what".
  static std::string line(std::size_t done, std::size_t total, const std::string& what,
                          std::size_t columns);

 private:
  std::size_t total_;
  bool is_shown_;
};

}  // namespace switchyard::cli
