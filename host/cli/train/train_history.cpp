#include "cli/train/train_history.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <switchyard/progress.hpp>

#include "cli/terminal/json.hpp"
#include "cli/train/metadata_entry.hpp"

namespace switchyard::cli {

void TrainHistory::add_batch(std::int64_t count, double loss) {
  loss_sum += loss * static_cast<double>(count);
  examples += count;
}

void TrainHistory::end_epoch(double accuracy) {
  losses.push_back(loss_sum / static_cast<double>(examples));
  accuracies.push_back(accuracy);
  loss_sum = 0;
  examples = 0;
}

// A loss that is not a number is saved as null, which JSON has in its place.
std::string text_of(const TrainHistory& history) {
  return Json{{"losses", history.losses},
              {"accuracies", history.accuracies},
              {"loss_sum", history.loss_sum},
              {"examples", history.examples}}
      .dump();
}

TrainHistory history_from(const std::string& file, const std::string& text) {
  const MetadataEntry entry(file, "history", text);
  TrainHistory history{entry.numbers_or_nan("losses"), entry.numbers_or_nan("accuracies"),
                       entry.number_or_nan("loss_sum"),
                       entry.number("examples", Range<std::int64_t>{})};
  if (history.losses.size() == history.accuracies.size()) return history;
  entry.refuse("accuracies", fmt::format("a list of {}", history.accuracies.size()),
               fmt::format("of {}, as 'losses' is", history.losses.size()));
}

void draw_curve(const TrainHistory& history, const std::string& file) {
  std::vector<double> errors;
  for (const double accuracy : history.accuracies) errors.push_back(1 - accuracy);
  save_curve(file, {{"loss in training", history.losses}, {"share of wrong test answers", errors}},
             {.title = "Fashion-MNIST", .x = "epoch", .y = "loss, share"});
}

}  // namespace switchyard::cli
