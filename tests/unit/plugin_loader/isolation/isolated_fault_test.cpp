// What a plugin of its own process does to that process does not happen to this one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <thread>

#include "plugin_loader/isolation/isolated.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Tensor fatal() { return floats({2}, {kNaN, 2}); }

void sit_out_the_quarantine() { std::this_thread::sleep_for(std::chrono::milliseconds(150)); }

struct Fault {
  const char* variant;
  const char* message;
};

class IsolatedFault : public testing::TestWithParam<Fault> {};

TEST_P(IsolatedFault, LosesTheCallWhichGoesElsewhere) {
  const auto [variant, message] = GetParam();
  const Runtime runtime = start_isolated({{variant, "cpu"}}, "deadline_seconds = 5\n");
  const Operation relu = runtime.operation("Relu");
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), variant + std::string(":0"));
  const Tensor moved = relu(fatal());
  EXPECT_EQ(moved.device().name(), "cpu:0");
  EXPECT_EQ(moved.to_vector<float>()[1], 2);
  EXPECT_THAT(runtime.fallbacks().at(0).reason, HasSubstr(message));
}

TEST_P(IsolatedFault, IsOverWhenTheDeviceHasRecovered) {
  const auto [variant, message] = GetParam();
  const Runtime runtime = start_isolated({{variant, "cpu"}}, "deadline_seconds = 5\n");
  const Operation relu = runtime.operation("Relu");
  const pid_t first = process_of(runtime.device(variant));
  relu(fatal());
  EXPECT_TRUE(is_gone_soon(first));
  sit_out_the_quarantine();
  const Tensor made = relu(floats({2}, {-1, 2}));
  EXPECT_EQ(made.device().name(), variant + std::string(":0"));
  EXPECT_EQ(made.to_vector<float>(), (Floats{0, 2}));
  const pid_t second = process_of(runtime.device(variant));
  EXPECT_GT(second, 0);
  EXPECT_NE(first, second);
}

INSTANTIATE_TEST_SUITE_P(
    All, IsolatedFault,
    testing::Values(Fault{"run_crashes", "crashed (signal 11, SIGSEGV) while it ran Relu"},
                    Fault{"run_exits", "ended with exit status 7 while it ran Relu"},
                    Fault{"run_hangs", "did not answer within 5 s while it ran Relu"},
                    Fault{"run_crashes_asynchronous", "crashed (signal 11, SIGSEGV) while it ran"},
                    Fault{"run_exits_asynchronous", "ended with exit status 7 while it ran Relu"}),
    [](const auto& test) { return std::string(test.param.variant); });

TEST(IsolatedFaults, AProcessThatEndsWhileIdleLosesNoCall) {
  const Runtime runtime = start_isolated({{"good", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  const pid_t process = process_of(runtime.device("good"));
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  ASSERT_TRUE(is_gone_soon(process));
  const Tensor moved = relu(floats({2}, {-1, 2}));
  EXPECT_EQ(moved.device().name(), "cpu:0");
  EXPECT_EQ(moved.to_vector<float>(), (Floats{0, 2}));
  sit_out_the_quarantine();
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), "good:0");
}

TEST(IsolatedFaults, TensorsOfALostProcessAreLost) {
  const Runtime runtime = start_isolated({{"run_crashes", "cpu"}});
  const Operation relu = runtime.operation("Relu");
  const Tensor kept = relu(floats({2}, {-1, 2}));
  relu(fatal());
  sit_out_the_quarantine();
  relu(floats({2}, {-1, 2}));
  EXPECT_THROW(kept.to_vector<float>(), Error);
}

// Ten pieces of work of 0.3 s each.
TEST(IsolatedFaults, WaitsMayTakeTheDeadlineForEachPieceOfWork) {
  const switchyard::Setup slow{
      .order = {"template", "cpu"},
      .sections = "[plugins.template.options]\ndelay_microseconds = 300000\n"};
  const Runtime runtime =
      Runtime::from_text(isolating(slow, {"template"}, "deadline_seconds = 2\n"));
  Tensor sum = floats({1}, {1}).to(runtime.device("template"));
  for (int i = 0; i < 10; ++i) sum = runtime.operation("Add")(sum, sum);
  EXPECT_EQ(sum.to_vector<float>(), (Floats{1024}));
}

TEST(IsolatedFaults, OpeningADeviceGoesOnWithTheNext) {
  for (const char* variant : {"open_crashes", "open_exits"}) {
    const Runtime runtime = start_isolated({{variant, "cpu"}});
    const Tensor made = runtime.operation("Relu")(floats({2}, {-1, 2}));
    EXPECT_EQ(made.device().name(), "cpu:0") << variant;
    EXPECT_THAT(runtime.fallbacks().at(0).reason, HasSubstr("while it opened a device 0"))
        << variant;
  }
}

TEST(IsolatedFaults, APluginThatTellsSomethingForEverHangs) {
  const Runtime runtime = start_isolated({{"logs_for_ever", "cpu"}}, "deadline_seconds = 1\n");
  EXPECT_EQ(runtime.operation("Relu")(floats({2}, {-1, 2})).device().name(), "cpu:0");
  EXPECT_THAT(runtime.fallbacks().at(0).reason,
              HasSubstr("did not answer within 1 s while it opened a device 0"));
}

// The file that was checked is the one that is loaded, later, too.
TEST(IsolatedFaults, AChangedLibraryIsNotStartedAgain) {
  const ScratchFolder folder;
  std::string text = isolating({{"good", "cpu"}}, {"good"});
  const std::string library = fake_library("good").string();
  const std::filesystem::path copy = folder.copy_of("good");
  const Runtime runtime =
      Runtime::from_text(text.replace(text.find(library), library.size(), copy.string()));
  const Operation relu = runtime.operation("Relu");
  const Tensor kept = relu(floats({2}, {-1, 2}));
  EXPECT_EQ(kept.device().name(), "good:0");
  std::filesystem::remove(copy);
  folder.copy_of("good");
  const pid_t process = process_of(runtime.device("good"));
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  EXPECT_THROW(kept.to_vector<float>(), Error);
  sit_out_the_quarantine();
  EXPECT_EQ(relu(floats({2}, {-1, 2})).device().name(), "cpu:0");
}

// What a copy gives whose process ends is an error or the right values; where the host copies by
// itself it asks the process for nothing.
TEST(IsolatedFaults, CopiesUnderWayAreMadeOrLost) {
  for (const char* variant : {"opaque", "asynchronous", "cpu"}) {
    const Runtime runtime = start_isolated({{variant, "cpu"}});
    const Tensor numbers = counting({1 << 20});
    const Floats expected = numbers.to_vector<float>();
    const Device device = runtime.device(variant);
    const pid_t process = process_of(device);
    ASSERT_GT(process, 0) << variant;
    std::thread killer([process] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ::kill(process, SIGKILL);
    });
    try {
      for (bool has_gone = false; !has_gone;) {
        has_gone = ::kill(process, 0) != 0;
        EXPECT_EQ(numbers.clone().to(device).to_vector<float>(), expected) << variant;
      }
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("its process")) << variant;
    }
    killer.join();
  }
}

TEST(IsolatedFaults, ADeviceOfTheSamePluginRecoversToo) {
  const Runtime runtime = start_isolated({{"two_devices:0", "two_devices:1", "cpu"}});
  const Tensor first = floats({2}, {-1, 2}).to(runtime.device("two_devices:0"));
  const Tensor second = floats({2}, {-1, 2}).to(runtime.device("two_devices:1"));
  ASSERT_EQ(::kill(process_of(runtime.device("two_devices:0")), SIGKILL), 0);
  EXPECT_THROW(first.to_vector<float>(), Error);
  EXPECT_THROW(second.to_vector<float>(), Error);
  sit_out_the_quarantine();
  for (const char* name : {"two_devices:0", "two_devices:1"}) {
    const Tensor made = floats({2}, {-1, 2}).to(runtime.device(name));
    EXPECT_EQ(runtime.operation_on(runtime.device(name), "Relu")(made).to_vector<float>(),
              (Floats{0, 2}));
  }
}

TEST(IsolatedFaults, OfALibraryAreFailuresToLoad) {
  struct Case {
    const char* variant;
    const char* message;
  };
  for (const auto& [variant, message] :
       {Case{"aborts_at_load", "crashed (signal 6, SIGABRT) while it loaded the library"},
        Case{"entry_crashes", "crashed (signal 11, SIGSEGV) while it entered the library"},
        Case{"entry_exits", "ended with exit status 7 while it entered the library"},
        Case{"probe_crashes", "crashed (signal 11, SIGSEGV) while it told of its devices"}}) {
    const LoadResult result = load_library(fake_library(variant), "isolation = \"process\"\n");
    ASSERT_TRUE(result.failure) << variant;
    EXPECT_EQ(result.failure->problem, LoadProblem::crashed) << variant;
    EXPECT_THAT(result.failure->reason, HasSubstr(message));
  }
}

TEST(IsolatedFaults, AProbeThatHangsIsEndedAtTheLimitForTrials) {
  LoadContext context = trial_context();
  context.trial_limit = std::chrono::seconds(2);
  const LoadResult result =
      load_library(fake_library("probe_hangs"), "isolation = \"process\"\n", context);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(result.failure->reason,
              HasSubstr("did not answer within 2 s while it told of its devices"));
}

TEST(IsolatedFaults, WithoutTheProgramThatServesNothingIsLoaded) {
  LoadContext context = trial_context();
  context.probe_program.clear();
  const LoadResult result =
      load_library(fake_library("good"), "isolation = \"process\"\n", context);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(to_text(*result.failure, "mine"),
              HasSubstr("switchyard-device-server, which would serve it, is not installed. Install "
                        "Switchyard whole, or take plugins.mine.isolation out."));
}

// Whatever is wrong with a plugin is said in the same words as without isolation.
TEST(IsolatedFaults, WrongPluginsAreRefusedForTheSameReasons) {
  for (const char* variant :
       {"no_entry", "undefined_symbol", "too_old", "too_new", "no_table", "empty_table",
        "short_struct", "entry_fails", "entry_throws", "lacks_run", "lacks_wait_event",
        "bad_memory_kind", "unknown_device_flag", "unnamed_claim", "missing_devices"}) {
    const LoadResult here = load_fake(variant);
    const LoadResult there = load_library(fake_library(variant), "isolation = \"process\"\n");
    ASSERT_TRUE(here.failure && there.failure) << variant;
    EXPECT_EQ(here.failure->problem, there.failure->problem) << variant;
    const bool at_probe = here.failure->problem == LoadProblem::probe_failed;
    if (at_probe)
      EXPECT_THAT(there.failure->reason, HasSubstr(here.failure->reason));
    else
      EXPECT_EQ(there.failure->reason, here.failure->reason);
  }
}

}  // namespace
}  // namespace switchyard
