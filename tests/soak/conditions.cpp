#include "conditions.hpp"

namespace switchyard::soak {
namespace {

constexpr std::string_view kEveryStatus = R"(
faults.status = 0.002
faults.delay = 0.01
faults.delay_microseconds = 200
)";

// Those after which the device goes on, so that most programs come to their end.
constexpr std::string_view kPassingStatuses = R"(
faults.status = 0.01
faults.statuses = ["unsupported", "transient", "out_of_memory"]
)";

constexpr std::string_view kWrongNumbers = R"(
faults.wrong_status = 0.0005
faults.wrong_sequence = 0.001
)";

// The calls that the server's start is made of come first, and a process lives for a while.
constexpr std::string_view kCrashes = R"(
faults.after = 50
faults.crash = 0.002
faults.status = 0.0005
faults.calls = ["run", "copy", "allocate", "prepare", "supports", "wait", "release"]
)";

constexpr std::string_view kHangs = R"(
faults.after = 100
faults.hang = 0.0005
faults.calls = ["run", "copy", "prepare"]
)";

/// `below` are options of the plugin that is wrapped.
Conditions faults_in(const std::string& name, const std::filesystem::path& wrapped,
                     const std::string& below, std::string_view faults, bool is_isolated = false) {
  const std::vector<std::string> nobody, faults_alone = {"faults"};
  const std::string sections = fmt::format(
      "[plugins.faults.options]\nwraps = \"{}\"\n{}\nfaults.seed = 7\n{}\n"
      "[plugins.cpu.options]\nthreads = 1\n",
      wrapped.string(), below, faults);
  return {.name = name,
          .setup = {.order = {"faults", "cpu"},
                    .routing = "fallback = \"allow\"",
                    .sections = sections,
                    // The layer checks calls of this process alone.
                    .validated = is_isolated ? nobody : faults_alone,
                    .isolated = is_isolated ? faults_alone : nobody},
          .devices = {"faults:0", "cpu:0"},
          .has_streams = true,
          .may_fail = true};
}

Conditions synchronous(const std::string& name, std::string_view faults, bool isolated = false) {
  return faults_in(name, plugin_library("cpu"), "threads = 1", faults, isolated);
}

Conditions asynchronous(const std::string& name, const std::string& options,
                        std::string_view faults, bool isolated = false) {
  const std::string below = fmt::format("kernels = \"{}\"\ndelay_microseconds = 30\n{}",
                                        plugin_library("cpu").string(), options);
  return faults_in(name, fake_library("late"), below, faults, isolated);
}

// The layer believes what a plugin answers, and takes the host's search for work whose number is
// wrong for a mistake.
Conditions not_validated(Conditions conditions) {
  conditions.setup.validated.clear();
  return conditions;
}

}  // namespace

const std::vector<Conditions>& faulty_conditions() {
  static auto& all = *new std::vector<Conditions>{
      synchronous("synchronous", kEveryStatus),
      synchronous("synchronous_that_goes_on", kPassingStatuses),
      asynchronous("asynchronous", "", kEveryStatus),
      asynchronous("asynchronous_that_goes_on", "batch = 20", kPassingStatuses),
      asynchronous("asynchronous_with_memory_of_its_own", "caches_memory = true", kEveryStatus),
      asynchronous("asynchronous_without_events", "has_events = false", kPassingStatuses),
      not_validated(asynchronous("wrong_numbers", "memory = \"address\"", kWrongNumbers)),
      synchronous("isolated_and_crashing", kCrashes, true),
      asynchronous("isolated_asynchronous_and_crashing", "", kCrashes, true),
      synchronous("isolated_and_hanging", kHangs, true),
  };
  return all;
}

}  // namespace switchyard::soak
