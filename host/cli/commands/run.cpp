#include <fmt/format.h>

#include <memory>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/model_options.hpp"
#include "cli/arguments/number.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/reports/run_summary.hpp"
#include "cli/values/host_values.hpp"
#include "cli/values/input_values.hpp"
#include "cli/values/output_files.hpp"
#include "device/open_device.hpp"
#include "device/plugin_report.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {
namespace {

struct RunOptions {
  ConfigurationOptions configuration;
  ModelOptions model;
  InputSources inputs;
  std::string output_folder;
  int repeat = 1;
  bool profile = false;
  bool reports = false;
};

/// Runs once, and waits until the outputs lie in host memory; returns how long that took.
double timed_run(const Model& model, const std::vector<NamedValue>& inputs,
                 Model::RunOptions options, std::vector<NamedValue>& outputs) {
  options.cancellation = &user_cancellation();
  const Stopwatch watch;
  outputs = model.run(inputs, options);
  bring_to_host(outputs);
  return watch.milliseconds();
}

/// Placement and fallbacks are those of one run, the last.
void run_all(const Runtime& runtime, const Model& model, const std::vector<NamedValue>& inputs,
             const RunOptions& options, RunSummary& summary, std::vector<NamedValue>& outputs) {
  const InterruptibleWork work;
  // The first of several runs prepares kernels; the others are what a user waits for.
  if (options.repeat > 1) timed_run(model, inputs, {}, outputs);
  for (int i = 0; i < options.repeat; ++i) {
    runtime.reset_fallbacks();
    summary.run_ms.push_back(timed_run(model, inputs, {.report = &summary.report}, outputs));
  }
  summary.fallbacks = runtime.fallbacks();
  if (options.profile) {
    RunReport profiled;  // waiting after each op takes time, so this run is not among those timed
    timed_run(model, inputs, {.profile = true, .report = &profiled}, outputs);
    summary.report.profile = std::move(profiled.profile);
  }
}

/// What the devices say that ran something.
std::vector<Report> reports_of(const Runtime& runtime, const RunReport& report) {
  std::vector<Report> reports;
  for (const auto& [name, count] : report.placement) {
    const Device device = runtime.device(name);
    reports.push_back(
        {"device " + name, plugin_report(device.open()->plugin(), device.open()->handle())});
  }
  return reports;
}

int run(const RunOptions& options) {
  RunSummary summary;
  summary.model = options.model.file;
  const Stopwatch starting;
  const Runtime runtime = start_runtime(options.configuration);
  summary.start_ms = starting.milliseconds();
  const Stopwatch loading;
  const Model model = load_model(runtime, options.model);
  summary.load_ms = loading.milliseconds();
  const std::vector<NamedValue> inputs =
      input_values(model.inputs(), options.inputs, runtime.engine()->config.limits);
  if (!options.output_folder.empty()) prepare_output_files(model.outputs(), options.output_folder);
  std::vector<NamedValue> outputs;
  run_all(runtime, model, inputs, options, summary, outputs);
  if (options.reports) summary.devices = reports_of(runtime, summary.report);
  summary.outputs = describe_outputs(outputs);
  if (!options.output_folder.empty())
    write_outputs(outputs, options.output_folder, summary.outputs);
  options.configuration.json ? print_as_json(summary) : print_as_text(summary);
  return kSuccess;
}

Action declare_run(CLI::App& arguments) {
  auto options = std::make_shared<RunOptions>();
  add_configuration_options(arguments, options->configuration);
  add_model_options(arguments, options->model);
  add_input_options(arguments, options->inputs);
  arguments.add_option("--output-dir", options->output_folder, "Writes each output there, as .npy")
      ->type_name("DIR");
  add_number(arguments, "--repeat", options->repeat, kRepeats,
             "Times so many runs, after one that is not timed if there are several");
  arguments.add_flag("--profile", options->profile, "Adds a table of time by op");
  arguments.add_flag("--report", options->reports, "Adds what each device says of itself");
  return [options] { return run(*options); };
}

}  // namespace

const Subcommand run_command = {
    "run", "Runs a model and shows its outputs, its time, and what ran where",
    "  switchyard run model.onnx --random 1\n"
    "  switchyard run model.onnx --input image=cat.npy --output-dir out\n"
    "  switchyard run model.onnx --random 1 --dim batch=8 --repeat 20 --profile\n"
    "  switchyard run model.onnx --random 1 --report --set plugins.mps.options.profile=true\n"
    "  switchyard run model.onnx --random 1 --order cpu --json",
    declare_run};

}  // namespace switchyard::cli
