#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::cli {

/// What a training run has come to so far.
struct TrainHistory {
  std::vector<double> losses;      // of each epoch that is over, the mean over its examples
  std::vector<double> accuracies;  // after each, the share of test examples that are right
  double loss_sum = 0;             // of the epoch at hand, over its examples so far
  std::int64_t examples = 0;

  void add_batch(std::int64_t count, double loss);
  void end_epoch(double accuracy);
};

/// As a checkpoint's metadata has it, and back, exactly. Throws Error(model) that names the
/// checkpoint's `file` for another text.
std::string text_of(const TrainHistory& history);
TrainHistory history_from(const std::string& file, const std::string& text);

/// Loss and errors of each epoch as a picture. Throws Error(invalid_argument) where it cannot be
/// written.
void draw_curve(const TrainHistory& history, const std::string& file);

}  // namespace switchyard::cli
