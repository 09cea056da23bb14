// Random programs with streams, threads, views and writes in place come to the same everywhere as
// on cpu alone, where each op is over before the next begins; and the validation layer, which all
// but that cpu lie behind, finds no call against plugin.h.
//
// SWITCHYARD_RANDOM_PROGRAMS is how many each case runs, SWITCHYARD_RANDOM_SEED the first seed:
//
//   export SWITCHYARD_RANDOM_PROGRAMS=5000
//   build/release/bin/switchyard_random_programs_threads --gtest_filter='*caching*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "device/plugin_report.hpp"
#include "difference.hpp"
#include "program.hpp"

namespace switchyard::random_programs {
namespace {

constexpr std::uint64_t kProgramsOfOneEnvironment = 20;

std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Programs in one environment.
struct Tally {
  std::uint64_t programs = 0, outputs = 0, wrong = 0, ended_early = 0;
};

/// A thread that an error ends is judged up to there.
void compare(const Outcome& expected, const Outcome& found, bool may_fail, Tally& tally) {
  ASSERT_FALSE(expected.error) << expected.error->what();
  if (found.error) {
    ++tally.ended_early;
    EXPECT_TRUE(may_fail) << found.error->what();
    EXPECT_NE(found.error->kind(), ErrorKind::internal) << found.error->what();
  } else {
    EXPECT_EQ(found.read.size(), expected.read.size());
  }
  for (std::size_t i = 0; i < found.read.size() && i < expected.read.size(); ++i) {
    ++tally.outputs;
    const std::string wrong = difference(expected.read[i], found.read[i]);
    if (wrong.empty()) continue;
    ++tally.wrong;
    ADD_FAILURE() << "what it reads as number " << i << " is wrong: " << wrong;
  }
}

class RandomPrograms : public testing::TestWithParam<std::size_t> {
 protected:
  const Conditions& conditions() const { return environments()[GetParam()]; }

  void SetUp() override {
    for (const std::string& name : conditions().setup.order) {
      if (name == "mps" && !std::filesystem::exists(plugin_library(name))) {
        GTEST_SKIP() << "this build has no plugin " << name;
      }
    }
  }

  void run(const Shape& shape) {
    const Environment reference(plain());
    std::optional<Environment> environment;
    std::vector<std::shared_ptr<const Plugin>> plugins;
    Tally tally;
    const std::uint64_t first = number_in_environment("SWITCHYARD_RANDOM_SEED", 1);
    const std::uint64_t count = number_in_environment("SWITCHYARD_RANDOM_PROGRAMS", 25);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      SCOPED_TRACE("SWITCHYARD_RANDOM_SEED=" + std::to_string(seed));
      if (!environment) {
        environment.emplace(conditions());
        plugins = environment->plugins();
      }
      const auto expected = run_program(reference, seed, shape);
      const auto found = run_program(*environment, seed, shape);
      ++tally.programs;
      bool failed = tally.programs % kProgramsOfOneEnvironment == 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        compare(expected[i], found[i], conditions().may_fail, tally);
        failed = failed || found[i].error;
      }
      if (failed) environment.reset();
    }
    environment.reset();
    for (const auto& plugin : plugins) {
      const std::string report = plugin_report(*plugin, nullptr);
      EXPECT_NE(report.find(" calls, all as plugin.h has it"), std::string::npos) << report;
    }
    std::cout << conditions().name << ", " << shape.threads << " threads: " << tally.programs
              << " programs, " << tally.outputs << " outputs, " << tally.wrong << " wrong, "
              << tally.ended_early << " threads ended by an error\n";
  }
};

TEST_P(RandomPrograms, OfOneThreadComeToTheSame) { run({.threads = 1, .steps = 60}); }
TEST_P(RandomPrograms, OfFourThreadsComeToTheSame) { run({.threads = 4, .steps = 40}); }

INSTANTIATE_TEST_SUITE_P(In, RandomPrograms, testing::Range(std::size_t{0}, environments().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           return environments()[info.param].name;
                         });

}  // namespace
}  // namespace switchyard::random_programs
