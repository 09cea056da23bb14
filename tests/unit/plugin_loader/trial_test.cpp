// Trials are made once for each build of a library, and kept from harming anybody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "plugin_loader/fakes.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/load.hpp"
#include "plugin_loader/load_marks.hpp"
#include "plugin_loader/trial.hpp"
#include "plugin_loader/trial_process.hpp"
#include "plugin_loader/trial_record.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TrialRecordTest : public ::testing::Test {
 protected:
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "cache" / "switchyard" / "trials";
  const TrialRecord record{file};
};

TEST_F(TrialRecordTest, RemembersOneBuildUnderOneSetOfCircumstances) {
  const auto path = scratch.copy_of("good");
  {
    const LibraryFile library(path);
    EXPECT_FALSE(record.has(library, "a"));
    record.add(library, "a", {});
    EXPECT_TRUE(record.has(library, "a"));
    EXPECT_FALSE(record.has(library, "b"));
  }
  scratch.copy_of("asynchronous");
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now());
  EXPECT_FALSE(record.has(LibraryFile(path), "a"));
}

// cp -p, rsync --inplace and reproducible installs leave the time of the contents as it was.
TEST_F(TrialRecordTest, KnowsAFileThatWasChangedInPlaceWithItsTimeKept) {
  const auto path = scratch.copy_of("good");
  const auto time = std::filesystem::last_write_time(path);
  record.add(LibraryFile(path), "", {});
  EXPECT_TRUE(record.has(LibraryFile(path), ""));
  { std::fstream(path, std::ios::in | std::ios::out).put('\x7f'); }
  std::filesystem::last_write_time(path, time);
  EXPECT_FALSE(record.has(LibraryFile(path), ""));
}

TEST_F(TrialRecordTest, KnowsOtherBuildsOfWhatALibraryNeeds) {
  const LibraryFile library(scratch.copy_of("good"));
  const auto needed = scratch.copy_of("asynchronous", "needed.so");
  record.add(library, "", {needed, "/of/the/system"});
  EXPECT_TRUE(record.has(library, ""));
  scratch.copy_of("no_events", "needed.so");
  EXPECT_FALSE(record.has(library, ""));
}

TEST_F(TrialRecordTest, ForgetsLibrariesThatAreGone) {
  const auto gone = scratch.copy_of("good", "gone.so");
  const auto kept = scratch.copy_of("good", "kept.so");
  record.add(LibraryFile(gone), "", {});
  record.add(LibraryFile(kept), "", {});
  EXPECT_THAT(read_file(file), HasSubstr("gone.so"));
  std::filesystem::remove(gone);
  const auto next = scratch.copy_of("good", "next.so");
  record.add(LibraryFile(next), "", {});
  EXPECT_THAT(read_file(file), Not(HasSubstr("gone.so")));
  EXPECT_TRUE(record.has(LibraryFile(kept), ""));
  EXPECT_TRUE(record.has(LibraryFile(next), ""));
}

TEST_F(TrialRecordTest, IsNotBelievedWhereOthersCanWriteIt) {
  const LibraryFile library(scratch.copy_of("good"));
  record.add(library, "", {});
  ::chmod(file.c_str(), 0666);
  EXPECT_FALSE(record.has(library, ""));
}

TEST_F(TrialRecordTest, IsStartedAnewWhereItMakesNoSense) {
  const LibraryFile library(scratch.copy_of("good"));
  std::filesystem::create_directories(file.parent_path());
  for (const char* content : {"", "x", "switchyard trials 9\nabc def\n", "switchyard trials 3\nabc",
                              "switchyard trials 3\n\n\t\t\n \n"}) {
    std::ofstream(file) << content;
    EXPECT_FALSE(record.has(library, "")) << content;
    record.add(library, "", {});
    EXPECT_TRUE(record.has(library, "")) << content;
  }
}

TEST_F(TrialRecordTest, DoesWithoutAPositionToWrite) {
  const LibraryFile library(scratch.copy_of("good"));
  for (const char* position : {"", "/proc/nowhere/trials"}) {
    const TrialRecord nowhere{std::filesystem::path(position)};
    nowhere.add(library, "", {});
    EXPECT_FALSE(nowhere.has(library, ""));
  }
}

// A stand-in for the probe program that leaves a line in a file at each trial.
class Trials : public ::testing::Test {
 protected:
  Trials() {
    scratch.write("probe", "#!/bin/sh\necho trial >> " + count.string() + "\necho survived\n");
    ::chmod((scratch.path() / "probe").c_str(), 0755);
    context.probe_program = scratch.path() / "probe";
    context.trial_record = scratch.path() / "cache" / "trials";
  }

  long trials() const {
    const std::string lines = read_file(count);
    return std::count(lines.begin(), lines.end(), '\n');
  }

  const ScratchFolder scratch;
  const std::filesystem::path count = scratch.path() / "count";
  LoadContext context = trial_context();
};

TEST_F(Trials, AreMadeOnceForEachBuild) {
  const auto first = scratch.copy_of("good", "first.so");
  EXPECT_TRUE(load_library(first, "", context).plugin);
  EXPECT_EQ(trials(), 1);
  EXPECT_TRUE(load_library(first, "", context).plugin);
  EXPECT_EQ(trials(), 1);
  EXPECT_TRUE(load_library(scratch.copy_of("good", "second.so"), "", context).plugin);
  EXPECT_EQ(trials(), 2);
}

TEST_F(Trials, AreNotMadeOfABuildThatSurvivedInAnEarlierProcess) {
  const auto library = scratch.copy_of("good");
  const std::string circumstances =
      version_text(SY_ABI_VERSION) + "\n" + EntryTerms{"mine", {}, context.thread_limit}.text();
  TrialRecord(context.trial_record).add(LibraryFile(library), circumstances, {});
  EXPECT_TRUE(load_library(library, "", context).plugin);
  EXPECT_FALSE(std::filesystem::exists(count));
}

TEST_F(Trials, AreMadeAgainAfterACrash) {
  const auto library = scratch.copy_of("good");
  scratch.write("probe", "#!/bin/sh\necho trial >> " + count.string() + "\nkill -SEGV $$\n");
  for (long trial = 1; trial <= 2; ++trial) {
    const LoadResult result = load_library(library, "", context);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->problem, LoadProblem::crashed);
    EXPECT_EQ(trials(), trial);
  }
}

TEST_F(Trials, AreMadeAgainWhereAProcessEndedWhileItLoaded) {
  const auto library = scratch.copy_of("good");
  EXPECT_TRUE(load_library(library, "", context).plugin);
  const LibraryFile file(library);
  const LoadMarks marks = load_marks(file, EntryTerms{"mine", {}, context.thread_limit}, context);
  EXPECT_FALSE(marks.one_was_left()) << "this process has loaded it";
  EXPECT_EXIT(
      {
        const LoadMark mark = marks.begin();
        std::_Exit(3);
      },
      testing::ExitedWithCode(3), "");
  EXPECT_TRUE(marks.one_was_left());
  survive_trial(file, EntryTerms{"mine", {}, context.thread_limit}, context);
  EXPECT_EQ(trials(), 2);
  EXPECT_FALSE(marks.one_was_left()) << "it survived";
}

TEST_F(Trials, AreNotMadeAgainWhileAnotherProcessLoads) {
  const auto library = scratch.copy_of("good");
  EXPECT_TRUE(load_library(library, "", context).plugin);
  const LibraryFile file(library);
  const EntryTerms terms{"mine", {}, context.thread_limit};
  const LoadMark mark = load_marks(file, terms, context).begin();
  survive_trial(file, terms, context);
  EXPECT_EQ(trials(), 1);
}

// A library that hangs would delay each start by the whole limit.
TEST_F(Trials, OfABuildThatHangsAreMadeOnce) {
  const auto library = scratch.copy_of("good");
  scratch.write("probe", "#!/bin/sh\necho trial >> " + count.string() + "\nexec sleep 600\n");
  context.trial_limit = std::chrono::milliseconds(100);
  for (const char* reason : {"took longer than 0.1 s while starting", "in an earlier trial"}) {
    const LoadResult result = load_library(library, "", context);
    ASSERT_TRUE(result.failure);
    EXPECT_THAT(result.failure->reason, HasSubstr(reason));
    EXPECT_EQ(trials(), 1);
  }
  std::filesystem::last_write_time(library, std::filesystem::file_time_type::clock::now());
  load_library(library, "", context);
  EXPECT_EQ(trials(), 2) << "a file that changed is tried again";
}

TEST(TrialProcess, TellsHowItsProgramEnded) {
  const auto outcome_of = [](const std::string& script) {
    return run_trial({"/bin/sh", "-c", script}, "", std::chrono::milliseconds(2000));
  };
  EXPECT_EQ(outcome_of("echo survived").kind, TrialOutcome::Kind::survived);
  EXPECT_EQ(outcome_of("echo probing; echo survived; exit 3").kind, TrialOutcome::Kind::survived);
  EXPECT_EQ(outcome_of("exit 0").reason, "ended the process while starting (exit status 0)");
  EXPECT_EQ(outcome_of("echo loading; echo entering; kill -SEGV $$").reason,
            "crashed while entering (signal 11, SIGSEGV)");
  EXPECT_EQ(outcome_of("echo loading; echo first >&2; echo '  last' >&2; exit 1").reason,
            "ended the process while loading (exit status 1); it last said: last");
  EXPECT_EQ(run_trial({"/nowhere/probe"}, "", std::chrono::milliseconds(100)).kind,
            TrialOutcome::Kind::no_trial);
}

TEST(TrialProcess, EndsWhatHangsAndDoesNotWaitForItsChildren) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run_trial({"/bin/sh", "-c", "echo probing; exec sleep 100"}, "",
                      std::chrono::milliseconds(300))
                .reason,
            "took longer than 0.3 s while probing");
  EXPECT_THAT(
      run_trial({"/bin/sh", "-c", "sleep 3 & exit 5"}, "", std::chrono::milliseconds(20000)).reason,
      HasSubstr("exit status 5"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2500));
}

// The process that waits for a trial may be killed meanwhile.
TEST(TrialProcess, ProbeOfAPluginThatHangsEndsByItself) {
  const std::string probe = build_folder() / "bin" / "switchyard-probe";
  EXPECT_THAT(run_trial({probe, fake_library("probe_hangs").string(), "1", "1"}, "",
                        std::chrono::milliseconds(20000))
                  .reason,
              HasSubstr("crashed while probing (signal 14"));
}

// More than a word of a command may be long, and than a pipe holds.
TEST(TrialProcess, HandsOnOptionsOfAnyLength) {
  const std::string options(std::size_t{3} << 20, 'x');
  const auto outcome_of = [&](const std::string& script) {
    return run_trial({"/bin/sh", "-c", script}, options, std::chrono::milliseconds(20000));
  };
  EXPECT_EQ(outcome_of("[ $(wc -c) = 3145728 ] && echo survived").kind,
            TrialOutcome::Kind::survived);
  EXPECT_EQ(outcome_of("echo survived").kind, TrialOutcome::Kind::survived) << "nobody reads them";
  EXPECT_EQ(outcome_of("head -c 9; exit 5").reason,
            "ended the process while starting (exit status 5)");
}

TEST(TrialProcess, WorksWhereTheHostProgramIgnoresItsChildren) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run_trial({"/bin/sh", "-c", "echo survived"}, "", std::chrono::milliseconds(2000)).kind,
            TrialOutcome::Kind::survived);
  EXPECT_EQ(run_trial({"/bin/sh", "-c", "exit 1"}, "", std::chrono::milliseconds(2000)).reason,
            "ended the process while starting");
  ::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace switchyard
