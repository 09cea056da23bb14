#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <switchyard/defaults.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/number.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "cli/train/train_run.hpp"
#include "files/file_replacement.hpp"

namespace switchyard::cli {
namespace {

struct TrainOptions {
  ConfigurationOptions configuration;
  GivenTrainSettings settings;
  std::string task;
  std::string device = "auto";
  std::string data;
  std::string model, checkpoint, curve;  // files; "": not wanted
  bool resume = false;
  int workers = 1;
  std::optional<std::int64_t> stop_after;  // epochs of the whole run
};

struct TrainOutcome {
  std::string device;
  bool is_over = false;      // all epochs
  bool interrupted = false;  // by the user
  double milliseconds = 0;
};

TrainSettings settings_of(const TrainOptions& options) {
  if (!options.resume) return settings_from(options.settings);
  const CheckpointMetadata metadata = checkpoint_metadata(options.checkpoint);
  const auto saved = metadata.find("settings");
  return settings_from(options.settings, options.checkpoint,
                       saved == metadata.end() ? "" : saved->second);
}

void announce(const FashionRun& run, const TrainOptions& options, const std::string& device) {
  const TrainSettings& settings = run.settings();
  print_message(
      fmt::format("training on {} in {}: {} parameters, {} epochs of steps of {}{}\n", device,
                  settings.precision, run.parameter_count(), settings.epochs, settings.batch_size,
                  options.resume ? fmt::format(", going on in epoch {}", run.epoch() + 1) : ""));
}

/// Trains until all epochs are over, or the user wants no more; the checkpoint tells of each stop.
void train(FashionRun& run, const TrainOptions& options, TrainOutcome& outcome) {
  const std::int64_t epochs = run.settings().epochs;
  const std::int64_t last = std::min(epochs, options.stop_after.value_or(epochs));
  const InterruptibleWork work;
  TrainingProgress progress(epochs, run.loader().size());
  while (run.epoch() < last && !work.is_interrupted()) {
    const bool is_whole = run.train_epoch(progress, [&] { return work.is_interrupted(); });
    if (!options.checkpoint.empty()) run.save(options.checkpoint);
    if (is_whole && !options.curve.empty()) draw_curve(run.history(), options.curve);
  }
  outcome.is_over = run.epoch() >= epochs;
  outcome.interrupted = !outcome.is_over && work.is_interrupted();
}

std::string how_it_ended(const TrainOptions& options, const TrainOutcome& outcome) {
  if (outcome.is_over) return "all epochs done";
  return fmt::format("{}; {}", outcome.interrupted ? "interrupted" : "stopped",
                     options.checkpoint.empty()
                         ? "lost, as there is no --checkpoint"
                         : "`switchyard train` with --resume goes on from the checkpoint");
}

void print_as_text(const FashionRun& run, const TrainOptions& options,
                   const TrainOutcome& outcome) {
  const TrainHistory& history = run.history();
  TextTable table({{"epoch", true}, {"loss", true}, {"accuracy", true}});
  for (std::size_t i = 0; i < history.losses.size(); ++i) {
    table.add({std::to_string(i + 1), fmt::format("{:.4f}", history.losses[i]),
               fmt::format("{:.2f} %", 100 * history.accuracies[i])});
  }
  print(table.text());
  print(fmt::format("{} on {}, {}\n", how_it_ended(options, outcome), outcome.device,
                    time_text(outcome.milliseconds)));
  if (!options.checkpoint.empty()) print(fmt::format("checkpoint {}\n", options.checkpoint));
  if (!options.curve.empty()) print(fmt::format("curve {}\n", options.curve));
  if (outcome.is_over && !options.model.empty()) print(fmt::format("model {}\n", options.model));
}

void print_as_json(const FashionRun& run, const TrainOptions& options,
                   const TrainOutcome& outcome) {
  const TrainHistory& history = run.history();
  Json epochs = Json::array();
  for (std::size_t i = 0; i < history.losses.size(); ++i) {
    epochs.push_back({{"loss", history.losses[i]}, {"accuracy", history.accuracies[i]}});
  }
  print_json({{"device", outcome.device},
              {"parameters", run.parameter_count()},
              {"complete", outcome.is_over},
              {"interrupted", outcome.interrupted},
              {"settings", Json::parse(text_of(run.settings()))},
              {"epochs", epochs},
              {"time_ms", outcome.milliseconds},
              {"model", outcome.is_over ? options.model : ""},
              {"checkpoint", options.checkpoint},
              {"curve", options.curve}});
}

/// Hours of work are not to end in a file that cannot be written, or in one that overwrites
/// another.
void check_files(const TrainOptions& options) {
  std::map<std::filesystem::path, const char*> taken;
  const auto check_file = [&taken](const char* option, const std::string& file) {
    if (file.empty()) return;
    try {
      check_replaceable(file);
    } catch (const Error& error) {
      throw Error(error).set_line(fmt::format("{}: {}", option, error.what()));
    }
    const auto [known, is_new] = taken.emplace(file_behind(file), option);
    if (is_new) return;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: {} is the file of {}, too; give each its own", option, file,
                            known->second));
  };
  check_file("--output", options.model);
  check_file("--checkpoint", options.checkpoint);
  check_file("--curve", options.curve);
}

void check(const TrainOptions& options) {
  check_files(options);
  if (!options.checkpoint.empty()) return;
  if (options.resume) {
    throw Error(ErrorKind::invalid_argument,
                "--resume needs --checkpoint FILE, which a run wrote before");
  }
  if (options.stop_after) {
    throw Error(ErrorKind::invalid_argument,
                "--stop-after needs --checkpoint FILE, to go on from later");
  }
}

int run_training(const TrainOptions& options) {
  check(options);
  const TrainSettings settings = settings_of(options);
  const Runtime runtime = start_runtime(options.configuration);
  const RuntimeScope runtime_scope(runtime);
  const Device device =
      options.device == "auto" ? current_device() : runtime.device(options.device);
  const DeviceScope device_scope(device);
  FashionRun run(settings, options.data, options.workers);
  if (options.resume) run.resume(options.checkpoint);
  TrainOutcome outcome;
  outcome.device = device.name();
  announce(run, options, fmt::format("{} ({})", device.name(), device.description()));
  const Stopwatch watch;
  train(run, options, outcome);
  outcome.milliseconds = watch.milliseconds();
  if (outcome.is_over && !options.model.empty()) run.write_model(options.model);
  options.configuration.json ? print_as_json(run, options, outcome)
                             : print_as_text(run, options, outcome);
  return outcome.interrupted ? kInterrupted : kSuccess;
}

void add_file_options(CLI::App& arguments, TrainOptions& options) {
  arguments
      .add_option("--data", options.data,
                  "The four files of Fashion-MNIST; without it $FASHION_MNIST, else those of "
                  "Debian's dataset-fashion-mnist")
      ->type_name("DIR");
  arguments
      .add_option("--output", options.model,
                  "Writes the trained network as an ONNX model: image [N, 1, 28, 28] of 0 to 1, to "
                  "logits [N, 10]")
      ->type_name("FILE");
  arguments
      .add_option("--checkpoint", options.checkpoint,
                  "Saves the run there after each epoch, and on Ctrl-C after the step at hand")
      ->type_name("FILE");
  arguments.add_flag("--resume", options.resume,
                     "Goes on exactly where the checkpoint was saved, with its settings");
  add_number(arguments, "--stop-after", options.stop_after, {1},
             "Stops when so many epochs of the run are over; --resume goes on");
  arguments
      .add_option("--curve", options.curve, "Draws loss and errors by epoch, as an SVG picture")
      ->type_name("FILE");
}

Action declare_train(CLI::App& arguments) {
  auto options = std::make_shared<TrainOptions>();
  arguments.add_option("TASK", options->task, "What to train: fashion-mnist")
      ->required()
      ->check(CLI::IsMember({"fashion-mnist"}));
  add_configuration_options(arguments, options->configuration);
  arguments
      .add_option("--device", options->device,
                  "PLUGIN or PLUGIN:INDEX; auto, the first of the order that is available, if left "
                  "out")
      ->type_name("DEVICE");
  add_train_settings(arguments, options->settings);
  add_file_options(arguments, *options);
  add_number(arguments, "--workers", options->workers, {0, 256},
             "Threads that make batches ahead; 1 if left out. The result is the same");
  return [options] { return run_training(*options); };
}

}  // namespace

const Subcommand train_command = {
    "train", "Trains a network on pictures of clothes, and writes it as an ONNX model",
    "  switchyard train fashion-mnist --device auto --output fashion.onnx --curve curve.svg\n"
    "  switchyard train fashion-mnist --checkpoint run.safetensors --output fashion.onnx\n"
    "  switchyard train fashion-mnist --checkpoint run.safetensors --resume --output fashion.onnx\n"
    "  switchyard train fashion-mnist --device mps --precision bfloat16 --epochs 4\n"
    "  switchyard run fashion.onnx --random 1",
    declare_train};

}  // namespace switchyard::cli
