#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <switchyard/dtype.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/doctor/op_coverage.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/dtype_list.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"

namespace switchyard::cli {
namespace {

bool runs_on_devices(const OpCoverage& line) { return line.op->row->runs_on == RunsOn::device; }

/// Where an op runs that no device is asked for.
std::string runs_on(const OpCoverage& line) {
  return line.op->row->runs_on == RunsOn::body ? "other ops" : "host";
}

std::vector<Device> available_devices(const Runtime& runtime) {
  std::vector<Device> devices;
  for (const PluginInfo& plugin : runtime.plugins()) {
    for (const DeviceInfo& device : plugin.devices) {
      if (device.available) devices.push_back(runtime.device(device.id));
    }
  }
  return devices;
}

std::string summary(const std::vector<OpCoverage>& lines, const std::vector<Device>& devices) {
  const auto on_devices = std::count_if(lines.begin(), lines.end(), runs_on_devices);
  const auto with_gradient = std::count_if(
      lines.begin(), lines.end(), [](const OpCoverage& line) { return line.has_gradient; });
  std::string text = fmt::format("{} ops, of which {} run on devices; gradients flow through {}.\n",
                                 lines.size(), on_devices, with_gradient);
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto claimed = std::count_if(lines.begin(), lines.end(), [d](const OpCoverage& line) {
      return runs_on_devices(line) && line.dtypes[d] != 0;
    });
    text += fmt::format("{} claims {}.\n", devices[d].name(), claimed);
  }
  return text;
}

void print_table(const std::vector<OpCoverage>& lines, const std::vector<Device>& devices) {
  std::vector<TextTable::Column> columns = {{"op"}, {"gradient"}};
  for (const Device& device : devices) columns.push_back({device.name()});
  TextTable table(std::move(columns));
  for (const OpCoverage& line : lines) {
    std::vector<std::string> cells = {qualified_name(*line.op), line.has_gradient ? "yes" : "-"};
    for (const std::uint64_t dtypes : line.dtypes) {
      cells.push_back(runs_on_devices(line) ? dtype_list(dtypes) : runs_on(line));
    }
    table.add(std::move(cells));
  }
  print(table.text(0) + summary(lines, devices));
}

Json names_of(std::uint64_t dtypes) {
  Json names = Json::array();
  for (int bit = 1; bit < 64; ++bit) {
    if (dtypes >> bit & 1) names.push_back(std::string(name_of(static_cast<DType>(bit))));
  }
  return names;
}

void print_list(const std::vector<OpCoverage>& lines, const std::vector<Device>& devices) {
  Json list = Json::array();
  for (const OpCoverage& line : lines) {
    Json claims = Json::array();
    for (std::size_t d = 0; d < devices.size() && runs_on_devices(line); ++d) {
      claims.push_back({{"device", devices[d].name()}, {"dtypes", names_of(line.dtypes[d])}});
    }
    list.push_back({{"op", line.op->name()},
                    {"domain", line.op->row->domain},
                    {"version", line.op->version()},
                    {"gradient", line.has_gradient},
                    {"host", !runs_on_devices(line) && runs_on(line) == "host"},
                    {"devices", std::move(claims)}});
  }
  print_json({{"ops", std::move(list)}});
}

int list_ops(const ConfigurationOptions& options) {
  const Runtime runtime = start_runtime(options);
  const std::vector<Device> devices = available_devices(runtime);
  const std::vector<OpCoverage> lines = op_coverage(devices);
  options.json ? print_list(lines, devices) : print_table(lines, devices);
  return kSuccess;
}

Action declare_ops(CLI::App& arguments) {
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(arguments, *options);
  return [options] { return list_ops(*options); };
}

}  // namespace

const Subcommand ops_command = {
    "ops", "Lists the ops, the element types in which each device claims them, and the gradients",
    "  switchyard ops\n"
    "  switchyard ops --set plugins.mps.options.device=software\n"
    "A claim says what a device may take; `switchyard explain` shows what it took of a model, and\n"
    "why it refused the rest. `host`: shapes and control flow, which run on no device.",
    declare_ops};

}  // namespace switchyard::cli
