// A plugin behind the validation layer, driven through its C table alone, as a host would.
#pragma once

#include <switchyard/layer.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plugin-api/plugin_driver.hpp"
#include "test_folders.hpp"

namespace layered {

using driver::make;

// A real plugin by its name, another by its variant's.
inline std::string library_of(const std::string& name) {
  const bool is_real = name == "template" || name == "cpu" || name == "mps" || name == "null";
  const std::string build = SWITCHYARD_BUILD_DIR;
  return is_real ? build + "/plugins/libswitchyard_" + name + ".so"
                 : build + "/fake-plugins/libswitchyard_fake_" + name + ".so";
}

inline sy_plugin_entry entry_of(const std::string& name) {
  static std::map<std::string, sy_plugin_entry> opened;
  sy_plugin_entry& entry = opened[name];
  if (entry == nullptr) entry = driver::find_entry(library_of(name));
  return entry;
}

inline sy_plugin_entry layer_entry() {
  static const sy_plugin_entry entry =
      driver::find_entry(SWITCHYARD_BUILD_DIR "/plugins/libswitchyard_validation.so");
  return entry;
}

// What a plugin's report says of it as a whole.
inline std::string report_of(const sy_plugin& plugin) {
  std::string text;
  auto writer = make<sy_writer>();
  writer.context = &text;
  writer.write = [](void* context, const char* piece, uint64_t size) -> sy_status {
    static_cast<std::string*>(context)->append(piece, size);
    return SY_OK;
  };
  auto args = make<sy_report_args>();
  args.writer = &writer;
  EXPECT_EQ(plugin.report(&args, nullptr), SY_OK);
  return text;
}

// How many violations of each rule a report counts: "(3 of the rule order, 1 of the rule map)".
inline std::map<std::string, int> counts_in(const std::string& report) {
  std::map<std::string, int> counts;
  const std::string words = " of the rule ";
  for (size_t at = report.find(words); at != report.npos; at = report.find(words, at + 1)) {
    const size_t number = report.find_last_of(" (", at - 1) + 1;
    const size_t name = at + words.size();
    if (report.find_first_not_of("0123456789", number) != at) continue;
    counts[report.substr(name, report.find_first_of(",)", name) - name)] =
        std::stoi(report.substr(number));
  }
  return counts;
}

// A host's services, which are valid as long as the process, and what was written to its log.
struct Services {
  std::string log;
  sy_option device = make<sy_option>();
  sy_host host = make<sy_host>();

  static Services& of(const std::string& plugin) {
    static auto& kept = *new std::vector<std::unique_ptr<Services>>;
    Services& made = *kept.emplace_back(std::make_unique<Services>());
    made.host.thread_limit = 1;
    made.host.library_path = "";
    made.host.context = &made.log;
    made.host.log = [](void* context, sy_log_level, const char* message) {
      *static_cast<std::string*>(context) += std::string(message) + "\n";
    };
    if (plugin != "mps") return made;
    made.device.kind = SY_OPTION_STRING;
    made.device.key = "device";
    made.device.text = "software";
    made.host.options = &made.device;
    made.host.option_count = 1;
    return made;
  }
};

// The plugin, entered through the layer for a host of its own, and what is asked for at a
// violation: "error" keeps wrong calls from the plugin.
class Plugin {
 public:
  explicit Plugin(const std::string& name, const char* on_violation = "error",
                  int64_t delay_microseconds = 0)
      : services_(Services::of(name)) {
    sy_option options[2] = {make<sy_option>(), make<sy_option>()};
    options[0].kind = SY_OPTION_STRING;
    options[0].key = "on_violation";
    options[0].text = on_violation;
    options[1].kind = SY_OPTION_INT;
    options[1].key = "delay_microseconds";
    options[1].integer = delay_microseconds;
    sy_layer layer = {};
    layer.link = {sizeof(layer), SY_EXTENSION_LAYER, nullptr};
    layer.entry = entry_of(name);
    layer.options = options;
    layer.option_count = 2;
    auto args = make<sy_entry_args>();
    args.min_version = args.max_version = SY_ABI_VERSION;
    args.host = &services_.host;
    args.extensions = &layer.link;
    auto error = make<sy_error>();
    EXPECT_EQ(layer_entry()(&args, &error), SY_OK) << error.message;
    plugin_ = args.plugin;
    before_ = counts_in(report_of(*plugin_));
    auto probe = make<sy_probe_args>();
    probe.host = &services_.host;
    EXPECT_EQ(plugin_->probe(&probe, nullptr), SY_OK);
  }
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const sy_plugin& table() const { return *plugin_; }
  const sy_host& host() const { return services_.host; }
  const std::string& log() const { return services_.log; }

  // The rules that were broken since this was made, each as often as it was.
  std::vector<std::string> broken_rules() const {
    std::vector<std::string> rules;
    for (const auto& [rule, count] : counts_in(report_of(*plugin_))) {
      const auto found = before_.find(rule);
      const int since = count - (found == before_.end() ? 0 : found->second);
      rules.insert(rules.end(), static_cast<size_t>(since), rule);
    }
    return rules;
  }

 private:
  Services& services_;
  const sy_plugin* plugin_ = nullptr;
  std::map<std::string, int> before_;
};

}  // namespace layered
