#include "cli/bench/config_comparison.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/bench/stopwatch.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "cli/values/host_values.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {
namespace {

/// One configuration with its model ready to run.
struct Contender {
  std::string config;
  Runtime runtime;
  Model model;
  std::vector<NamedValue> inputs;
  RunReport report;
  std::vector<double> run_ms;
};

Contender prepare(const ComparisonOptions& options, const std::string& file,
                  const ConfigurationOptions& overrides) {
  ConfigurationOptions configuration = overrides;
  configuration.file = file;
  const Config config = read_configuration(configuration);
  Runtime runtime = start_runtime(config);
  Model model = load_model(runtime, options.model);
  InputSources sources = options.inputs;
  if (!sources.random) sources.random = 1;
  std::vector<NamedValue> inputs =
      input_values(model.inputs(), sources, runtime.engine()->config.limits);
  return {config.source, std::move(runtime), std::move(model), std::move(inputs), {}, {}};
}

double timed_run(Contender& contender) {
  const Stopwatch watch;
  bring_to_host(contender.model.run(
      contender.inputs, {.cancellation = &user_cancellation(), .report = &contender.report}));
  return watch.milliseconds();
}

void run_in_turns(std::vector<Contender>& contenders, int repeat) {
  const InterruptibleWork work;
  for (Contender& contender : contenders) timed_run(contender);  // prepares kernels
  for (int i = 0; i < repeat; ++i) {
    for (Contender& contender : contenders) contender.run_ms.push_back(timed_run(contender));
  }
}

std::string placement_text(const RunReport& report) {
  std::string text;
  for (const auto& [device, count] : report.placement) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", device, count);
  }
  return text;
}

void print_as_text(const std::vector<Contender>& contenders, const ComparisonOptions& options) {
  const double base = median(contenders.front().run_ms);
  TextTable table(
      {{"configuration"}, {"median", true}, {"least", true}, {"ratio", true}, {"ops by device"}});
  for (const Contender& contender : contenders) {
    const double middle = median(contender.run_ms);
    table.add({contender.config, time_text(middle), time_text(smallest(contender.run_ms)),
               fmt::format("{:.2f}", middle / base), placement_text(contender.report)});
  }
  print(fmt::format("{}, {} runs each, in turns\n{}", options.model.file, options.repeat,
                    table.text()));
}

void print_as_json(const std::vector<Contender>& contenders, const ComparisonOptions& options) {
  const double base = median(contenders.front().run_ms);
  Json list = Json::array();
  for (const Contender& contender : contenders) {
    Json placement = Json::object();
    for (const auto& [device, count] : contender.report.placement) placement[device] = count;
    const double middle = median(contender.run_ms);
    list.push_back({{"config", contender.config},
                    {"time_ms", {{"median", middle}, {"min", smallest(contender.run_ms)}}},
                    {"ratio", middle / base},
                    {"placement", std::move(placement)}});
  }
  print_json({{"model", options.model.file},
              {"repeat", options.repeat},
              {"configurations", std::move(list)}});
}

}  // namespace

int compare_configurations(const ComparisonOptions& options, std::vector<std::string> files,
                           const ConfigurationOptions& overrides) {
  if (files.empty()) files.emplace_back();
  std::vector<Contender> contenders;
  for (const std::string& file : files) contenders.push_back(prepare(options, file, overrides));
  run_in_turns(contenders, options.repeat);
  overrides.json ? print_as_json(contenders, options) : print_as_text(contenders, options);
  return kSuccess;
}

}  // namespace switchyard::cli
