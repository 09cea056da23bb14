#include <memory>
#include <switchyard/error.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/number.hpp"
#include "cli/bench/config_comparison.hpp"
#include "cli/bench/device_benchmark.hpp"
#include "cli/commands/subcommand.hpp"

namespace switchyard::cli {
namespace {

struct BenchOptions {
  ConfigurationOptions overrides;
  std::vector<std::string> files;
  ComparisonOptions comparison;
};

int bench(BenchOptions options) {
  if (!options.comparison.model.file.empty()) {
    return compare_configurations(options.comparison, options.files, options.overrides);
  }
  if (options.files.size() > 1) {
    throw Error(ErrorKind::invalid_argument,
                "bench: several --config compare a model; name it: "
                "`switchyard bench MODEL --config A --config B`");
  }
  if (!options.files.empty()) options.overrides.file = options.files.front();
  return benchmark_devices(options.overrides);
}

Action declare_bench(CLI::App& arguments) {
  auto options = std::make_shared<BenchOptions>();
  arguments
      .add_option("--config", options->files, "A configuration; with a model, each is compared")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_override_options(arguments, options->overrides);
  add_model_options(arguments, options->comparison.model, false);
  add_input_options(arguments, options->comparison.inputs);
  int& repeat = options->comparison.repeat;
  add_number(arguments, "--repeat", repeat, kRepeats, "Timed runs of each configuration")
      ->default_str(std::to_string(repeat));
  return [options] { return bench(*options); };
}

}  // namespace

const Subcommand bench_command = {
    "bench", "Times a matrix product on every device, or a model under several configurations",
    "  switchyard bench\n"
    "  switchyard bench model.onnx --config one.toml --config other.toml\n"
    "  switchyard bench model.onnx --dim batch=8 --repeat 50\n"
    "Without a model: 100 products of 1000x1000 float32 on every available device. With one: the\n"
    "configurations take turns, run by run; inputs without a file are random.",
    declare_bench};

}  // namespace switchyard::cli
