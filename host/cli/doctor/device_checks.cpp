#include "cli/doctor/device_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>
#include <vector>

#include "cli/arguments/configuration.hpp"
#include "cli/bench/stopwatch.hpp"
#include "cli/doctor/claimed_ops.hpp"
#include "cli/doctor/op_trials.hpp"
#include "cli/doctor/routing_checks.hpp"
#include "cli/terminal/quantity.hpp"
#include "device/open_device.hpp"
#include "device/plugin_report.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::cli {
namespace {

constexpr std::int64_t kTrialExtent = 64;
constexpr std::size_t kTrialElements = kTrialExtent * kTrialExtent;
constexpr double kTolerance = 1e-3;

std::vector<float> wave(float step) {
  std::vector<float> values(kTrialElements);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(step * float(i));
  return values;
}

std::vector<double> sum(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<double> result(kTrialElements);
  for (std::size_t i = 0; i < kTrialElements; ++i) result[i] = double{a[i]} + b[i];
  return result;
}

std::vector<double> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<double> result(kTrialElements);
  for (std::size_t i = 0; i < kTrialElements; ++i) {
    const std::size_t row = i / kTrialExtent * kTrialExtent;
    for (std::size_t k = 0; k < kTrialExtent; ++k) {
      result[i] += double{a[row + k]} * b[k * kTrialExtent + i % kTrialExtent];
    }
  }
  return result;
}

/// An op of two matrices, and what it gives.
struct Trial {
  const char* op;
  std::vector<double> (*expected)(const std::vector<float>& a, const std::vector<float>& b);
};
constexpr Trial kTimedTrials[] = {{"Add", sum}, {"MatMul", product}};

/// NaN counts as far away.
double largest_error(const std::vector<float>& found, const std::vector<double>& expected) {
  if (found.size() != expected.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(double{found[i]} - expected[i]);
    if (!(error <= largest)) largest = std::isnan(error) ? INFINITY : error;
  }
  return largest;
}

/// `denied`: what the configuration has for ops that the device refuses.
HealthCheck try_out(const Runtime& alone, const Device& device, const Trial& trial, bool denied) {
  HealthCheck check{"device " + device.name(), trial.op, Health::fail, "", ""};
  const std::vector<float> a = wave(0.37F), b = wave(0.11F);
  const std::string what = fmt::format("{0} of two {1}x{1}", trial.op, kTrialExtent);
  try {
    const Tensor left = host_tensor<float>({kTrialExtent, kTrialExtent}, a).to(device);
    const Tensor right = host_tensor<float>({kTrialExtent, kTrialExtent}, b).to(device);
    const Operation operation = alone.operation_on(device, trial.op);
    const Stopwatch first;
    static_cast<void>(operation(left, right).to_vector<float>());
    const double first_ms = first.milliseconds();
    const Stopwatch second;
    const std::vector<float> found = operation(left, right).to_vector<float>();
    const double second_ms = second.milliseconds();
    const double error = largest_error(found, trial.expected(a, b));
    check.finding = fmt::format("{} is {}: the largest error is {}; {} the first time, then {}",
                                what, error <= kTolerance ? "right" : "WRONG", number_text(error),
                                time_text(first_ms), time_text(second_ms));
    if (error <= kTolerance) check.health = Health::ok;
  } catch (const Error& error) {
    // A device need not have every op.
    const bool refuses = error.kind() == ErrorKind::unsupported;
    check.health = refuses ? Health::warn : Health::fail;
    check.finding = fmt::format("{} {}: {}", what, refuses ? "is refused" : "fails", error.what());
    if (refuses && denied) check.finding += "; falling back from it is denied, so it ends a run";
  }
  if (check.health == Health::fail) {
    check.remedy = "Do not use the device, and report this with all that `doctor` prints.";
  }
  return check;
}

/// The first other device of the order that is there.
std::optional<DeviceName> other_device(Engine& inspected, const DeviceName& tried) {
  for (const DeviceName& name : inspected.config.routing.order) {
    if (to_text(name) != to_text(tried) && inspected.registry.find(name).device) return name;
  }
  return std::nullopt;
}

/// Every op that the device claims, beside another device.
void check_claimed_ops(Engine& inspected, const DeviceName& wanted, const Runtime& alone,
                       HealthChecks& checks) {
  const std::string subject = "device " + to_text(wanted);
  const std::optional<DeviceName> other = other_device(inspected, wanted);
  if (!other) {
    checks.push_back({subject, "claimed ops", Health::warn, "not compared with another device",
                      "List another device in routing.order."});
    return;
  }
  const Runtime reference = start_runtime(only_on(inspected.config, to_text(*other)));
  const OpTrialResults results =
      try_ops(claimed_ops(alone.device(to_text(wanted))), alone, reference);
  for (const std::string& wrong : results.wrong) {
    checks.push_back({subject, "claimed ops", Health::fail,
                      fmt::format("beside {}: {}", to_text(*other), wrong),
                      "Do not use the device, and report this with all that `doctor` prints."});
  }
  const auto list = [](const char* what, const std::vector<std::string>& ops) {
    return ops.empty() ? "" : fmt::format("; {}: {}", what, fmt::join(ops, " "));
  };
  checks.push_back(
      {subject, "claimed ops", Health::ok,
       fmt::format("{} give what {} gives{}{}{}", results.right.size(), to_text(*other),
                   list("refused as tried", results.refused),
                   list("not tried, as random numbers may be others there", results.random),
                   list("not tried, as no trial is known", results.unknown)),
       ""});
}

}  // namespace

DeviceExamination examine_device(Engine& inspected, const std::string& name) {
  const Config config = only_on(inspected.config, name);
  const DeviceName& wanted = config.routing.order.front();
  const std::string subject = "device " + to_text(wanted);
  const DeviceRegistry::Lookup found = inspected.registry.find(wanted);
  if (!found.device && found.reason == SY_REASON_CONFIG) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--device {}: {}; see `switchyard devices`", name, found.message));
  }
  DeviceExamination examination;
  HealthChecks& checks = examination.checks;
  if (!found.device) {
    checks.push_back({subject, "opening", Health::fail, found.message, ""});
    return examination;
  }
  try {
    const Runtime alone = start_runtime(config);
    const Device device = alone.device(to_text(wanted));
    checks.push_back({subject, "opening", Health::ok, device.description() + " opens", ""});
    for (const Trial& trial : kTimedTrials) {
      checks.push_back(try_out(alone, device, trial,
                               denies_fallback(inspected.config, trial.op, wanted.plugin)));
    }
    check_claimed_ops(inspected, wanted, alone, checks);
    examination.report = plugin_report(device.open()->plugin(), device.open()->handle());
  } catch (const Error& error) {
    checks.push_back({subject, "opening", Health::fail, error.what(), ""});
  }
  return examination;
}

}  // namespace switchyard::cli
