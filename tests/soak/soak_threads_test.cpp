// A soak: random programs, models, training and new runtimes in random order, on devices with
// injected faults. No answer is wrong, no error is of a kind that a device's fault cannot be, the
// host keeps to plugin.h meanwhile, and memory stays flat.
//
// SWITCHYARD_SOAK_SECONDS is how long it runs, SWITCHYARD_SOAK_SEED what it does:
//
//   SWITCHYARD_SOAK_SECONDS=3600 build/release/bin/switchyard_soak_threads
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>

#include "conditions.hpp"
#include "device/plugin_report.hpp"
#include "difference.hpp"
#include "memory.hpp"
#include "program.hpp"
#include "tally.hpp"
#include "work.hpp"

namespace switchyard::soak {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
// Beyond a tenth: what allocators of many threads keep apart.
constexpr std::size_t kResidentSlack = 32 * kMebibyte;
constexpr std::size_t kTensorSlack = kMebibyte;
// Kernels of ever new shapes fill its caches for so long that it is made anew from time to time.
constexpr std::uint64_t kRoundsOfOneReference = 200;

std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Soak {
 public:
  explicit Soak(std::uint64_t seed) : dice_(seed) {}

  void run(std::chrono::seconds length) {
    const Clock::time_point end = Clock::now() + length;
    for (std::uint64_t round = 0; Clock::now() < end || !has_begun_all(); ++round) {
      if (round % kRoundsOfOneReference == 0) reference_.emplace(random_programs::plain());
      if (!environment_ && !start_next()) continue;
      take_a_round();
      note_process();
      if (needs_reload_ || dice_() % 12 == 0) reload();
    }
    reload();
    reference_.reset();
  }

  const Tally& tally() const { return tally_; }

  void expect_flat_memory() const {
    EXPECT_EQ(resident_.growth("resident memory", kResidentSlack), "");
    EXPECT_EQ(tensors_.growth("memory of tensors", kTensorSlack), "");
  }

 private:
  // Each condition has its turn however short the soak is, but one that never begins is an error.
  bool has_begun_all() const {
    const std::size_t all = faulty_conditions().size();
    return tally_.begun.size() == all || turn_ >= 10 * all;
  }

  bool start_next() {
    const auto& all = faulty_conditions();
    const Conditions& conditions = all[turn_++ % all.size()];
    SCOPED_TRACE(conditions.name);
    try {
      environment_.emplace(conditions);
      tally_.begun.insert(conditions.name);
    } catch (const Error& error) {
      judge(error);
    }
    ++tally_.reloads;
    return environment_.has_value();
  }

  void take_a_round() {
    SCOPED_TRACE(environment_->conditions.name);
    const std::uint64_t seed = dice_();
    SCOPED_TRACE("seed of the round: " + std::to_string(seed));
    switch (dice_() % 6) {
      case 0: ++tally_.model_runs; return compare(seed, run_model);
      case 1: ++tally_.trainings; return compare(seed, train);
      case 2: return run_a_program(seed, {.threads = 3, .steps = 30});
      default: return run_a_program(seed, {.threads = 1, .steps = 50});
    }
  }

  // A plugin whose process has ended says so until it is in another one.
  void note_process() {
    if (environment_->conditions.setup.isolated.empty()) return;
    const Plugin& plugin = environment_->devices.front().open()->plugin();
    const bool has_ended = plugin_report(plugin, nullptr).find("its process ") != std::string::npos;
    if (has_ended && !has_ended_) ++tally_.ended_processes;
    has_ended_ = has_ended;
  }

  void run_a_program(std::uint64_t seed, const random_programs::Shape& shape) {
    ++tally_.programs;
    const auto expected = random_programs::run_program(*reference_, seed, shape);
    const auto found = random_programs::run_program(*environment_, seed, shape);
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_FALSE(expected[i].error) << expected[i].error->what();
      for (std::size_t k = 0; k < found[i].read.size(); ++k) {
        compare(expected[i].read.at(k), found[i].read[k]);
      }
      if (found[i].error) {
        judge(*found[i].error);
      } else {
        EXPECT_EQ(found[i].read.size(), expected[i].read.size());
      }
    }
  }

  void compare(std::uint64_t seed, Floats (*work)(const Runtime&, std::uint64_t)) {
    const Floats expected = work(reference_->runtime, seed);
    try {
      compare(expected, work(environment_->runtime, seed));
    } catch (const Error& error) {
      judge(error);
    }
  }

  void compare(const Floats& expected, const Floats& found) {
    ++tally_.results;
    EXPECT_EQ(random_programs::difference(expected, found), "");
  }

  void judge(const Error& error) {
    ++tally_.ended_early;
    tally_.add_error(error);
    EXPECT_TRUE(is_sensible(error.kind())) << name_of(error.kind()) << ": " << error.what();
    EXPECT_STRNE(error.what(), "");
    // Streams that a lost device held are gone for good.
    needs_reload_ = needs_reload_ || error.kind() == ErrorKind::device_lost || dice_() % 4 == 0;
  }

  void reload() {
    needs_reload_ = false;
    has_ended_ = false;
    if (environment_) {
      const Conditions& conditions = environment_->conditions;
      const auto plugins = environment_->plugins();
      environment_.reset();
      for (const auto& plugin : plugins) {
        if (plugin && plugin->name() == "faults") judge_report(conditions, *plugin);
      }
    }
    resident_.add(resident_bytes());
    tensors_.add(reference_->devices.front().memory().used_bytes);
  }

  void judge_report(const Conditions& conditions, const Plugin& plugin) {
    const std::string report = plugin_report(plugin, nullptr);
    if (!conditions.setup.validated.empty()) {
      EXPECT_NE(report.find(" calls, all as plugin.h has it"), std::string::npos)
          << conditions.name << ": " << report;
    }
    tally_.take_faults(conditions.name, report);
  }

  std::mt19937_64 dice_;
  std::size_t turn_ = 0;
  std::optional<Environment> reference_;
  std::optional<Environment> environment_;
  bool needs_reload_ = false;
  bool has_ended_ = false;  // the process of the environment's plugin
  Tally tally_;
  Samples resident_, tensors_;
};

TEST(Soak, GivesNoWrongAnswerAndKeepsMemoryFlat) {
  const std::uint64_t seed = number_in_environment("SWITCHYARD_SOAK_SEED", 1);
  const std::uint64_t seconds = number_in_environment("SWITCHYARD_SOAK_SECONDS", 5);
  SCOPED_TRACE("SWITCHYARD_SOAK_SEED=" + std::to_string(seed));
  Soak soak(seed);
  soak.run(std::chrono::seconds(seconds));
  std::cout << "seed " << seed << ": " << soak.tally().text();
  soak.expect_flat_memory();
  EXPECT_EQ(soak.tally().begun.size(), faulty_conditions().size()) << "some have not begun";
  const auto faults = soak.tally().all_faults();
  EXPECT_GT(soak.tally().results, 0u);
  for (const char* kind : {"delay", "status"}) {
    const auto found = faults.find(kind);
    EXPECT_TRUE(found != faults.end() && found->second > 0) << "no fault of the kind " << kind;
  }
}

}  // namespace
}  // namespace switchyard::soak
