#include "cli/train_history.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>
#include <switchyard/progress.hpp>

#include "cli/json.hpp"

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

// A loss that is no number is noted as null, which JSON has in its place.
std::string text_of(const TrainHistory& history) {
  return Json{{"losses", history.losses},
              {"accuracies", history.accuracies},
              {"loss_sum", history.loss_sum},
              {"examples", history.examples}}
      .dump();
}

namespace {
double number_of(const Json& json) { return json.is_null() ? NAN : json.get<double>(); }
std::vector<double> numbers_of(const Json& json) {
  std::vector<double> numbers;
  for (const Json& entry : json) numbers.push_back(number_of(entry));
  return numbers;
}
}  // namespace

TrainHistory history_from(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    return {numbers_of(json.at("losses")), numbers_of(json.at("accuracies")),
            number_of(json.at("loss_sum")), json.at("examples").get<std::int64_t>()};
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::model,
                fmt::format("the checkpoint notes no history of `switchyard train` ({}); give one "
                            "that it wrote",
                            error.what()));
  }
}

void draw_curve(const TrainHistory& history, const std::string& file) {
  std::vector<double> errors;
  for (const double accuracy : history.accuracies) errors.push_back(1 - accuracy);
  save_curve(file, {{"loss in training", history.losses}, {"share of wrong test answers", errors}},
             {.title = "Fashion-MNIST", .x = "epoch", .y = "loss, share"});
}

}  // namespace switchyard::cli
