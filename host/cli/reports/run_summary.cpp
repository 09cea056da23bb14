#include "cli/reports/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/reports/fallback_report.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "io/runtime_json.hpp"

namespace switchyard::cli {
namespace {

std::string heading(std::string_view text) { return paint(Colour::bold, text) + "\n"; }

std::string output_table(const std::vector<OutputSummary>& outputs) {
  TextTable table(
      {{"name"}, {"dtype"}, {"shape"}, {"min", true}, {"max", true}, {"mean", true}, {"file"}});
  for (const OutputSummary& output : outputs) {
    if (!output.is_present) {
      table.add({output.name, "no value"});
      continue;
    }
    const bool is_all_nan = output.has_numbers && output.extremes.has_none();
    const auto number = [&](double value) {
      if (is_all_nan) return std::string("all nan");
      return output.has_numbers ? number_text(value) : "-";
    };
    table.add({output.name, std::string(name_of(output.dtype)), shape_text(output.shape),
               number(output.extremes.smallest), number(output.extremes.largest),
               number(output.extremes.mean), output.file});
  }
  return table.text();
}

std::string time_line(const RunSummary& summary) {
  const std::vector<double>& runs = summary.run_ms;
  std::string text = fmt::format("  start {}, load {}, run ", time_text(summary.start_ms),
                                 time_text(summary.load_ms));
  if (runs.size() == 1) return text + time_text(runs.front()) + "\n";
  return text + fmt::format("{} (median), {} (least of {})\n", time_text(median(runs)),
                            time_text(smallest(runs)), runs.size());
}

std::string placement_line(const RunReport& report) {
  std::string text;
  for (const auto& [device, count] : report.placement) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", device, count);
  }
  if (text.empty()) text = "none on a device";
  if (report.programs > 0) text += fmt::format("; programs {}", report.programs);
  return fmt::format("  {}; host work {}, views {}, control {}, folded at load {}\n", text,
                     report.host_work, report.views, report.control, report.folded);
}

std::string profile_table(std::vector<RunReport::OpLine> profile) {
  std::sort(profile.begin(), profile.end(),
            [](const auto& a, const auto& b) { return a.time_ms > b.time_ms; });
  double total = 0;
  for (const RunReport::OpLine& line : profile) total += line.time_ms;
  TextTable table({{"op"}, {"device"}, {"count", true}, {"time", true}, {"share", true}});
  for (const RunReport::OpLine& line : profile) {
    table.add({line.op, line.device, std::to_string(line.count), time_text(line.time_ms),
               fmt::format("{:.1f} %", total > 0 ? 100 * line.time_ms / total : 0)});
  }
  return table.text();
}

Json outputs_json(const std::vector<OutputSummary>& outputs) {
  Json list = Json::array();
  for (const OutputSummary& output : outputs) {
    if (!output.is_present) {
      list.push_back({{"name", output.name}, {"dtype", ""}, {"shape", nullptr}, {"file", ""}});
      continue;
    }
    list.push_back({{"name", output.name},
                    {"dtype", name_of(output.dtype)},
                    {"shape", to_json(output.shape)},
                    {"file", output.file}});
    if (!output.has_numbers) continue;
    list.back()["min"] = output.extremes.smallest;
    list.back()["max"] = output.extremes.largest;
    list.back()["mean"] = output.extremes.mean;
  }
  return list;
}

Json profile_json(const std::vector<RunReport::OpLine>& profile) {
  Json list = Json::array();
  for (const RunReport::OpLine& line : profile) {
    list.push_back({{"op", line.op},
                    {"device", line.device},
                    {"count", line.count},
                    {"time_ms", line.time_ms}});
  }
  return list;
}

}  // namespace

void print_as_text(const RunSummary& summary) {
  print(heading("outputs of " + summary.model) + output_table(summary.outputs));
  print(heading("time") + time_line(summary));
  print(heading("ops by device") + placement_line(summary.report));
  if (summary.fallbacks.empty()) {
    print(heading("fallbacks") + "  none\n");
  } else {
    print(heading("fallbacks") + fallback_table(summary.fallbacks));
  }
  if (!summary.report.profile.empty()) {
    print(heading("profile") + profile_table(summary.report.profile));
  }
  print(text_of(summary.devices));
}

void print_as_json(const RunSummary& summary) {
  Json placement = Json::object();
  for (const auto& [device, count] : summary.report.placement) placement[device] = count;
  Json value = {{"outputs", outputs_json(summary.outputs)},
                {"time_ms",
                 {{"start", summary.start_ms},
                  {"load", summary.load_ms},
                  {"median", median(summary.run_ms)},
                  {"min", smallest(summary.run_ms)}}},
                {"placement", std::move(placement)},
                {"host_work", summary.report.host_work},
                {"programs", summary.report.programs},
                {"views", summary.report.views},
                {"control", summary.report.control},
                {"folded", summary.report.folded},
                {"fallbacks", json_of(summary.fallbacks)}};
  if (!summary.report.profile.empty()) value["profile"] = profile_json(summary.report.profile);
  if (!summary.devices.empty()) value["reports"] = json_of(summary.devices);
  print_json(value);
}

}  // namespace switchyard::cli
