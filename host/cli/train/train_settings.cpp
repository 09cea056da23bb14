#include "cli/train/train_settings.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

#include "cli/arguments/number.hpp"
#include "cli/terminal/json.hpp"
#include "cli/train/metadata_entry.hpp"

namespace switchyard::cli {
namespace {

using Words = std::vector<std::string>;

/// Calls `visit` with each setting's name, its values, itself, and what was given of it.
template <typename Settings, typename Given, typename Visit>
void each_setting(Settings& settings, Given& given, const Visit& visit) {
  visit("epochs", Range<std::int64_t>{1, 100000}, settings.epochs, given.epochs);
  visit("batch-size", Range<std::int64_t>{2, 1000000}, settings.batch_size, given.batch_size);
  visit("learning-rate", Range<double>{1e-12, 1e6}, settings.learning_rate, given.learning_rate);
  visit("seed", Range<std::uint64_t>{}, settings.seed, given.seed);
  visit("limit", Range<std::int64_t>{}, settings.limit, given.limit);
  visit("precision", Words{"float32", "bfloat16", "float16"}, settings.precision, given.precision);
}

std::string help_of(const std::string& name) {
  const TrainSettings defaults;
  const std::map<std::string, std::string> helps = {
      {"epochs", fmt::format("Passes over the examples; {} if left out", defaults.epochs)},
      {"batch-size", fmt::format("Examples of a step; {} if left out", defaults.batch_size)},
      {"learning-rate",
       fmt::format("The highest of the one cycle; {} if left out", defaults.learning_rate)},
      {"seed", "Of first parameters, dropout and the order of examples; 0 if left out"},
      {"limit", "Trains and tests with so many examples only; 0, all, if left out"},
      {"precision", "Of products and convolutions: float32 (if left out), bfloat16 or float16"}};
  return helps.at(name);
}

template <typename Into, typename T>
void add_setting(CLI::App& arguments, const std::string& name, Range<T> range, Into& given) {
  CLI::Option* option = add_number(arguments, "--" + name, given, range, help_of(name));
  if (std::is_floating_point_v<T>) option->type_name("RATE");
}

void add_setting(CLI::App& arguments, const std::string& name, const Words& allowed,
                 std::optional<std::string>& given) {
  arguments.add_option("--" + name, given, help_of(name))
      ->type_name("TYPE")
      ->check(CLI::IsMember(allowed));
}

template <typename T>
void read_setting(const MetadataEntry& entry, const char* name, Range<T> range, T& value) {
  value = entry.number(name, range);
}

void read_setting(const MetadataEntry& entry, const char* name, const Words& allowed,
                  std::string& value) {
  value = entry.text(name, allowed);
}

}  // namespace

void add_train_settings(CLI::App& arguments, GivenTrainSettings& given) {
  const TrainSettings none;
  each_setting(none, given, [&](const char* name, const auto& values, const auto&, auto& into) {
    add_setting(arguments, name, values, into);
  });
}

TrainSettings settings_from(const GivenTrainSettings& given) {
  TrainSettings settings;
  each_setting(settings, given, [](const char*, const auto&, auto& value, const auto& wanted) {
    if (wanted) value = *wanted;
  });
  return settings;
}

std::string text_of(const TrainSettings& settings) {
  Json json;
  const GivenTrainSettings none;
  each_setting(settings, none, [&](const char* name, const auto&, const auto& value, const auto&) {
    json[name] = value;
  });
  return json.dump();
}

TrainSettings settings_from(const GivenTrainSettings& given, const std::string& file,
                            const std::string& saved) {
  TrainSettings settings;
  const MetadataEntry entry(file, "settings", saved);
  each_setting(settings, given,
               [&](const char* name, const auto& values, auto& value, const auto&) {
                 read_setting(entry, name, values, value);
               });
  each_setting(
      settings, given, [](const char* name, const auto&, const auto& value, const auto& wanted) {
        if (!wanted || *wanted == value) return;
        throw Error(ErrorKind::invalid_argument,
                    fmt::format("--{} {}: the run to go on with has {}; leave the option out", name,
                                *wanted, value));
      });
  return settings;
}

}  // namespace switchyard::cli
