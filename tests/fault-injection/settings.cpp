#include "settings.hpp"

#include <errno.h>
#include <stdlib.h>

#include "switchyard/plugin/options.hpp"

namespace fault_injection {
namespace {

constexpr std::string_view kPrefix = "faults.";

struct StatusName {
  std::string_view name;
  sy_status status;
};
constexpr StatusName kStatusNames[] = {
    {"unsupported", SY_UNSUPPORTED},     {"invalid", SY_INVALID},
    {"out_of_memory", SY_OUT_OF_MEMORY}, {"transient", SY_TRANSIENT},
    {"device_lost", SY_DEVICE_LOST},     {"bug", SY_BUG},
};

std::vector<sy_status> read_statuses(const sy::Options& options) {
  std::vector<sy_status> chosen;
  for (const std::string& word : options.texts("faults.statuses")) {
    const size_t before = chosen.size();
    for (const StatusName& row : kStatusNames) {
      if (row.name == word) chosen.push_back(row.status);
    }
    if (chosen.size() == before) {
      throw sy::invalid("option faults.statuses names \"", word,
                        "\"; the statuses are unsupported, invalid, out_of_memory, transient, "
                        "device_lost and bug");
    }
  }
  if (!chosen.empty()) return chosen;
  for (const StatusName& row : kStatusNames) chosen.push_back(row.status);
  return chosen;
}

std::array<bool, kSlots.size()> read_slots(const sy::Options& options) {
  std::array<bool, kSlots.size()> chosen = {};
  if (!options.has("faults.calls")) {
    for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = kSlots[i].kind != SlotKind::apart;
    return chosen;
  }
  for (const std::string& word : options.texts("faults.calls")) {
    const std::optional<Slot> slot = slot_named(word);
    if (!slot) {
      throw sy::invalid("option faults.calls names \"", word,
                        "\"; plugin.h has no slot of that name");
    }
    chosen[static_cast<size_t>(*slot)] = true;
  }
  return chosen;
}

bool serves_an_isolated_plugin() {
#if defined(__APPLE__)
  const std::string_view program = getprogname();
#else
  const std::string_view program = program_invocation_short_name;
#endif
  return program == "switchyard-device-server";
}

void refuse_what_ends_this_process(const Settings& settings) {
  for (const Fault fault : {Fault::hang, Fault::crash}) {
    if (settings.chance(fault) == 0 || serves_an_isolated_plugin()) continue;
    throw sy::invalid("option faults.", kFaultNames[static_cast<size_t>(fault)],
                      " would stop the program: set isolation = \"process\" in the plugin's "
                      "section");
  }
}

}  // namespace

bool is_own_option(std::string_view key) {
  return key == "wraps" || key.substr(0, kPrefix.size()) == kPrefix;
}

Settings read_settings(const sy_host& host) {
  std::vector<sy_option> own;
  for (uint64_t i = 0; i < host.option_count; ++i) {
    const sy_option& option = *SY_AT(sy_option, host.options, i);
    if (is_own_option(option.key)) own.push_back(option);
  }
  sy_host mine = host;
  mine.options = own.data();
  mine.option_count = own.size();
  const sy::Options options(mine);
  options.reject_unknown({"wraps", "faults.seed", "faults.after", "faults.calls", "faults.statuses",
                          "faults.delay_microseconds", "faults.delay", "faults.status",
                          "faults.wrong_status", "faults.wrong_sequence", "faults.hang",
                          "faults.crash"});
  Settings settings;
  settings.wraps = options.text("wraps", "");
  if (settings.wraps.empty()) throw sy::invalid("option wraps must be the file of a plugin");
  settings.seed = static_cast<uint64_t>(options.integer("faults.seed", 1));
  settings.after = static_cast<uint64_t>(options.integer("faults.after", 0, 0, INT64_MAX));
  settings.delay_microseconds =
      options.integer("faults.delay_microseconds", settings.delay_microseconds, 0, 1'000'000);
  for (size_t i = 1; i < kFaultNames.size(); ++i) {
    settings.chances[i] = options.real("faults." + std::string(kFaultNames[i]), 0, 0, 1);
  }
  settings.slots = read_slots(options);
  settings.statuses = read_statuses(options);
  refuse_what_ends_this_process(settings);
  return settings;
}

}  // namespace fault_injection
