#include "placement.hpp"

#include <algorithm>
#include <cstdint>

namespace demo {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string plugin_line(const std::string& name, bool built, bool available,
                        const std::string& detail) {
  const char* state = available ? "available" : built ? "built, not available" : "not built";
  return "  " + padded(name, 12) + padded(state, 22) + detail + "\n";
}

/// Nodes of one op that go the same way.
struct Row {
  std::string op;
  std::string device;
  std::string why;
  int nodes = 0;
};

std::string refusals_of(const switchyard::NodeExplanation& node) {
  std::string text;
  for (const switchyard::TrailEntry& entry : node.trail) {
    if (entry.verdict != "refused") continue;
    text += (text.empty() ? "" : "; ") + entry.plugin + " refused (" + entry.code +
            "): " + entry.reason;
  }
  return text;
}

std::vector<Row> rows_of(const std::vector<switchyard::NodeExplanation>& nodes) {
  std::vector<Row> rows;
  for (const switchyard::NodeExplanation& node : nodes) {
    const Row row{node.op, node.device, refusals_of(node), 1};
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return other.op == row.op && other.device == row.device && other.why == row.why;
    });
    if (same == rows.end()) {
      rows.push_back(row);
    } else {
      ++same->nodes;
    }
  }
  return rows;
}

}  // namespace

std::string describe_plugins(const std::vector<switchyard::PluginInfo>& plugins) {
  std::string text;
  for (const switchyard::PluginInfo& plugin : plugins) {
    if (!plugin.loaded) {
      text += "  " + padded(plugin.name, 12) + padded("not loaded", 22) + plugin.reason + "\n";
    } else if (plugin.devices.empty()) {
      text += plugin_line(plugin.name, plugin.built, plugin.available, plugin.reason);
    }
    for (const switchyard::DeviceInfo& device : plugin.devices) {
      text += plugin_line(device.id, device.built, device.available,
                          device.available ? device.description : device.reason);
    }
  }
  return text;
}

std::string describe_routes(const std::vector<switchyard::NodeExplanation>& nodes) {
  std::string text;
  for (const Row& row : rows_of(nodes)) {
    text += "  " + padded(std::to_string(row.nodes), 3) + padded(row.op, 19) + "-> " +
            padded(row.device, 12) + row.why;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string describe_placement(const switchyard::RunReport& report) {
  std::string text;
  for (const auto& [device, count] : report.placement) {
    text += (text.empty() ? "" : ", ") + device + " ran " + std::to_string(count) + " ops";
  }
  return text;
}

}  // namespace demo
