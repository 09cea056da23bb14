#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/model_options.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "error/plain_text.hpp"

namespace switchyard::cli {
namespace {

struct ExplainOptions {
  ConfigurationOptions configuration;
  ModelOptions model;
};

Json to_json(const NodeExplanation& node) {
  Json trail = Json::array();
  for (const TrailEntry& entry : node.trail) {
    trail.push_back({{"plugin", entry.plugin},
                     {"verdict", entry.verdict},
                     {"code", entry.code},
                     {"reason", entry.reason}});
  }
  return {{"name", node.name},           {"op", node.op},           {"device", node.device},
          {"host_work", node.host_work}, {"program", node.program}, {"trail", std::move(trail)}};
}

Colour colour_of(const TrailEntry& entry) {
  if (entry.verdict == "supported") return Colour::green;
  if (entry.verdict == "denied") return Colour::red;
  return entry.verdict == "refused" ? Colour::yellow : Colour::dim;
}

const TrailEntry* denial_of(const NodeExplanation& node) {
  const auto found =
      std::find_if(node.trail.begin(), node.trail.end(),
                   [](const TrailEntry& entry) { return entry.verdict == "denied"; });
  return found == node.trail.end() ? nullptr : &*found;
}

/// What a run would end with at this node; "" if it would not. Nodes whose types show only in the
/// run are not judged.
std::string failure_of(const NodeExplanation& node) {
  if (!node.device.empty()) return "";
  if (const TrailEntry* denied = denial_of(node)) return denied->reason;
  const bool is_refused =
      std::all_of(node.trail.begin(), node.trail.end(), [](const TrailEntry& entry) {
        return entry.verdict == "refused" || entry.verdict == "unavailable";
      });
  return is_refused ? "no device takes it; add a device that does to routing.order" : "";
}

std::string position_of(const NodeExplanation& node) {
  if (denial_of(node)) return paint(Colour::red, "denied");
  if (node.device.empty()) return paint(Colour::red, "none");
  if (node.program > 0) return fmt::format("{} (program {})", node.device, node.program);
  return node.host_work ? node.device + " (host work)" : node.device;
}

std::string entry_line(const TrailEntry& entry) {
  std::string line =
      fmt::format("    {}: {}", entry.plugin, paint(colour_of(entry), entry.verdict));
  if (!entry.code.empty()) line += fmt::format(" ({})", entry.code);
  if (!entry.reason.empty()) line += ": " + plain_line(entry.reason);
  return line + "\n";
}

std::string node_text(const NodeExplanation& node) {
  std::string text = fmt::format("{}  {} -> {}\n", paint(Colour::bold, node.op),
                                 plain_line(node.name), position_of(node));
  for (const TrailEntry& entry : node.trail) text += entry_line(entry);
  return text;
}

/// The refusals on the way, the same for many nodes of an op.
std::string refusals_of(const NodeExplanation& node) {
  std::string text;
  for (const TrailEntry& entry : node.trail) {
    if (entry.verdict != "refused" && entry.verdict != "unavailable") continue;
    text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", entry.plugin, entry.code,
                        entry.reason);
  }
  return text;
}

std::string table_by_op(const std::vector<NodeExplanation>& nodes) {
  std::map<std::tuple<std::string, std::string, std::string>, int> counts;
  for (const NodeExplanation& node : nodes)
    ++counts[{node.op, position_of(node), refusals_of(node)}];
  TextTable table({{"op"}, {"device"}, {"nodes", true}, {"refusals on the way"}});
  for (const auto& [key, count] : counts) {
    table.add({std::get<0>(key), std::get<1>(key), std::to_string(count), std::get<2>(key)});
  }
  return table.text(0);
}

int explain(const ExplainOptions& options) {
  const Runtime runtime = start_runtime(options.configuration);
  const Model model = load_model(runtime, options.model);
  const std::vector<NodeExplanation> nodes = model.explain();
  if (options.configuration.json) {
    Json list = Json::array();
    for (const NodeExplanation& node : nodes) list.push_back(to_json(node));
    print_json({{"nodes", std::move(list)}});
  } else {
    for (const NodeExplanation& node : nodes) print(node_text(node));
    print("\n" + table_by_op(nodes));
  }
  for (const NodeExplanation& node : nodes) {
    const std::string failure = failure_of(node);
    if (failure.empty()) continue;
    print_error(fmt::format("node '{}' ({}): {}", node.name, node.op, failure));
    return kFailure;
  }
  return kSuccess;
}

Action declare_explain(CLI::App& arguments) {
  auto options = std::make_shared<ExplainOptions>();
  add_configuration_options(arguments, options->configuration);
  add_model_options(arguments, options->model);
  return [options] { return explain(*options); };
}

}  // namespace

const Subcommand explain_command = {"explain",
                                    "Shows for each node of a model which plugin takes it, and why",
                                    "  switchyard explain model.onnx\n"
                                    "  switchyard explain model.onnx --order cpu --dim batch=1\n"
                                    "Exits with 1 if no device takes a node, or may: `fallback`.",
                                    declare_explain};

}  // namespace switchyard::cli
