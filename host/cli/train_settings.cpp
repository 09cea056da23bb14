#include "cli/train_settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

#include "cli/json.hpp"
#include "cli/number.hpp"

namespace switchyard::cli {
namespace {

/// Calls `visit` with each setting's option, its value, and what was given of it.
template <typename Settings, typename Given, typename Visit>
void each_setting(Settings& settings, Given& given, const Visit& visit) {
  visit("epochs", settings.epochs, given.epochs);
  visit("batch-size", settings.batch_size, given.batch_size);
  visit("learning-rate", settings.learning_rate, given.learning_rate);
  visit("seed", settings.seed, given.seed);
  visit("limit", settings.limit, given.limit);
  visit("precision", settings.precision, given.precision);
}

}  // namespace

void add_train_settings(CLI::App& arguments, GivenTrainSettings& given) {
  const TrainSettings defaults;
  add_number(arguments, "--epochs", given.epochs, {1, 100000},
             fmt::format("Passes over the examples; {} if left out", defaults.epochs));
  add_number(arguments, "--batch-size", given.batch_size, {2, 1000000},
             fmt::format("Examples of a step; {} if left out", defaults.batch_size));
  add_number(arguments, "--learning-rate", given.learning_rate, {1e-12, 1e6},
             fmt::format("The highest of the one cycle; {} if left out", defaults.learning_rate))
      ->type_name("RATE");
  add_number(arguments, "--seed", given.seed, {},
             "Of first parameters, dropout and the order of examples; 0 if left out");
  add_number(arguments, "--limit", given.limit, {},
             "Trains and tests with so many examples only; 0, all, if left out");
  arguments
      .add_option("--precision", given.precision,
                  "Of products and convolutions: float32 (if left out), bfloat16 or float16")
      ->type_name("TYPE")
      ->check(CLI::IsMember({"float32", "bfloat16", "float16"}));
}

TrainSettings settings_from(const GivenTrainSettings& given) {
  TrainSettings settings;
  each_setting(settings, given, [](const char*, auto& value, const auto& wanted) {
    if (wanted) value = *wanted;
  });
  return settings;
}

std::string text_of(const TrainSettings& settings) {
  Json json;
  const GivenTrainSettings none;
  each_setting(settings, none,
               [&](const char* name, const auto& value, const auto&) { json[name] = value; });
  return json.dump();
}

TrainSettings settings_from(const GivenTrainSettings& given, const std::string& saved) {
  TrainSettings settings;
  try {
    const Json json = Json::parse(saved);
    each_setting(settings, given,
                 [&](const char* name, auto& value, const auto&) { json.at(name).get_to(value); });
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::model,
                fmt::format("the checkpoint notes no settings of `switchyard train` ({}); give one "
                            "that it wrote",
                            error.what()));
  }
  each_setting(settings, given, [](const char* name, const auto& value, const auto& wanted) {
    if (!wanted || *wanted == value) return;
    throw Error(ErrorKind::usage,
                fmt::format("--{} {}: the run to go on with has {}; leave the option out", name,
                            *wanted, value));
  });
  return settings;
}

}  // namespace switchyard::cli
