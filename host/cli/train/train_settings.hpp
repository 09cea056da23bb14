#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace switchyard::cli {

/// What decides which parameters a training run ends with.
struct TrainSettings {
  std::int64_t epochs = 8;
  std::int64_t batch_size = 128;
  double learning_rate = 0.01;
  std::uint64_t seed = 0;
  std::int64_t limit = 0;  // examples of each set; 0: all
  std::string precision = "float32";
};

/// Those that the command line has.
struct GivenTrainSettings {
  std::optional<std::int64_t> epochs, batch_size, limit;
  std::optional<double> learning_rate;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> precision;
};

/// `given` must outlive the parsing.
void add_train_settings(CLI::App& arguments, GivenTrainSettings& given);

/// The given ones; the others have their defaults.
TrainSettings settings_from(const GivenTrainSettings& given);

/// As a checkpoint's metadata has them, and back. A run that goes on keeps its settings: throws
/// Error(invalid_argument) where one is given that differs, and Error(model) that names the
/// checkpoint's `file` for a text that has none, or one that no command line could give.
std::string text_of(const TrainSettings& settings);
TrainSettings settings_from(const GivenTrainSettings& given, const std::string& file,
                            const std::string& saved);

}  // namespace switchyard::cli
