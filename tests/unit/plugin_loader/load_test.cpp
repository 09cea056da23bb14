// The good plugin goes on, and every wrong one is refused with its reason.
#include "plugin_loader/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plugin_loader/fakes.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Load, TakesAGoodPlugin) {
  const LoadResult result = load_fake("good");
  ASSERT_TRUE(result.plugin) << result.failure->reason;
  EXPECT_FALSE(result.failure);
  const Plugin& plugin = *result.plugin;
  EXPECT_EQ(plugin.name(), "mine");
  EXPECT_EQ(plugin.library(), fake_library("good"));
  EXPECT_EQ(plugin.version(), "0.0.1");
  EXPECT_EQ(plugin.abi_version(), SY_ABI_VERSION);
  EXPECT_TRUE(plugin.built());
  EXPECT_TRUE(plugin.available());
  EXPECT_TRUE(plugin.has_events());
  EXPECT_FALSE(plugin.has_map());
  EXPECT_FALSE(plugin.has_release_constant());
  ASSERT_EQ(plugin.devices().size(), 1u);
  const ProbedDevice& device = plugin.devices().front();
  EXPECT_STREQ(device.info.name, "a fake device");
  ASSERT_EQ(device.claims.size(), 5u);
  EXPECT_STREQ(device.claims.front().op, "Add");
  EXPECT_EQ(device.info.claims, device.claims.data());
}

TEST(Load, FindsALibraryByNameInThePluginFolders) {
  const LoadResult result = load_library("switchyard_fake_good");
  ASSERT_TRUE(result.plugin) << result.failure->reason;
  EXPECT_EQ(result.plugin->library(), fake_library("good"));
}

TEST(Load, SaysWhatItLookedFor) {
  LoadContext context = trial_context();
  context.plugin_folders.push_back("/second/folder");
  const LoadResult result = load_library("switchyard_nowhere", "", context);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->problem, LoadProblem::not_found);
  EXPECT_EQ(result.failure->library, "");
  EXPECT_THAT(result.failure->reason,
              AllOf(HasSubstr("\"switchyard_nowhere\""),
                    HasSubstr(context.plugin_folders[0] + "/libswitchyard_nowhere.so, "),
                    HasSubstr("/second/folder/libswitchyard_nowhere.so")));
  EXPECT_THAT(result.failure->remedy, HasSubstr("plugins.mine.library"));
  EXPECT_THAT(to_text(*result.failure, "mine"), HasSubstr("plugin 'mine' was not loaded: "));
}

struct Wrong {
  std::string variant;
  LoadProblem problem;
  std::string reason;
};

void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.variant; }

class WrongPlugin : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPlugin, IsRefusedWithItsReason) {
  LoadContext context = trial_context();
  if (GetParam().variant.find("hangs") != std::string::npos)
    context.trial_limit = std::chrono::milliseconds(500);
  const LoadResult result = load_library(fake_library(GetParam().variant), "", context);
  ASSERT_TRUE(result.failure);
  EXPECT_FALSE(result.plugin);
  EXPECT_EQ(to_text(result.failure->problem), to_text(GetParam().problem));
  EXPECT_EQ(result.failure->library, fake_library(GetParam().variant));
  EXPECT_THAT(result.failure->reason, HasSubstr(GetParam().reason));
  EXPECT_FALSE(result.failure->remedy.empty());

  // The others go on.
  EXPECT_TRUE(load_fake("good").plugin);
}

const std::vector<Wrong> wrongs = {
    {"no_entry", LoadProblem::no_entry, "does not export switchyard_plugin_entry"},
    {"undefined_symbol", LoadProblem::not_opened, "undefined symbol: symbol_that_nobody_defines"},
    {"missing_library", LoadProblem::not_opened,
     "libswitchyard_not_installed.so.9: cannot open shared object file"},
    {"aborts_at_load", LoadProblem::crashed, "crashed while loading (signal 6, SIGABRT)"},
    {"throws_at_load", LoadProblem::crashed, "the fake throws on purpose"},
    {"too_old", LoadProblem::wrong_version,
     "this host speaks ABI 0.2 to 0.2, but the plugin returned SY_UNSUPPORTED: this plugin speaks "
     "ABI 0.1"},
    {"too_new", LoadProblem::wrong_version,
     "this host speaks ABI 0.2 to 0.2, but the plugin returned SY_UNSUPPORTED: this plugin speaks "
     "ABI 0.3 to 0.4"},
    {"claims_too_old", LoadProblem::wrong_version, "but the plugin speaks 0.1"},
    {"claims_too_new", LoadProblem::wrong_version, "but the plugin speaks 0.3"},
    {"no_table", LoadProblem::entry_failed, "its entry returned SY_OK without a table"},
    {"empty_table", LoadProblem::incomplete, "struct_size of 4 bytes"},
    {"short_struct", LoadProblem::incomplete, "lacks the required prepare, destroy_kernel, run"},
    {"entry_fails", LoadProblem::entry_failed,
     "its entry returned SY_TRANSIENT: the fake fails on purpose"},
    {"entry_throws", LoadProblem::entry_failed,
     "its entry threw an exception, which no plugin may: the fake throws on purpose"},
    {"entry_throws_number", LoadProblem::entry_failed,
     "threw something that is not a std::exception"},
    {"entry_crashes", LoadProblem::crashed, "crashed while entering (signal 11, SIGSEGV)"},
    {"entry_exits", LoadProblem::crashed, "ended the process while entering (exit status 7)"},
    {"lacks_probe", LoadProblem::incomplete, "lacks the required probe"},
    {"lacks_open_device", LoadProblem::incomplete, "lacks the required open_device"},
    {"lacks_close_device", LoadProblem::incomplete, "lacks the required close_device"},
    {"lacks_allocate", LoadProblem::incomplete, "lacks the required allocate"},
    {"lacks_release", LoadProblem::incomplete, "lacks the required release"},
    {"lacks_copy", LoadProblem::incomplete, "lacks the required copy"},
    {"lacks_create_stream", LoadProblem::incomplete, "lacks the required create_stream"},
    {"lacks_destroy_stream", LoadProblem::incomplete, "lacks the required destroy_stream"},
    {"lacks_completed", LoadProblem::incomplete, "lacks the required completed"},
    {"lacks_wait", LoadProblem::incomplete, "lacks the required wait"},
    {"lacks_prepare", LoadProblem::incomplete, "lacks the required prepare"},
    {"lacks_destroy_kernel", LoadProblem::incomplete, "lacks the required destroy_kernel"},
    {"lacks_run", LoadProblem::incomplete, "lacks the required run"},
    {"lacks_map", LoadProblem::incomplete, "mappable memory, for which its table lacks"},
    {"lacks_unmap", LoadProblem::incomplete, "mappable memory, for which its table lacks"},
    {"lacks_wait_event", LoadProblem::incomplete, "some slots of events but lacks wait_event"},
    {"lacks_release_host", LoadProblem::incomplete,
     "some slots of allocated host memory but lacks release_host"},
    {"probe_fails", LoadProblem::probe_failed,
     "its probe returned SY_TRANSIENT: the fake fails on purpose"},
    {"probe_throws", LoadProblem::probe_failed, "its probe threw an exception"},
    {"probe_crashes", LoadProblem::crashed, "crashed while probing (signal 11, SIGSEGV)"},
    {"probe_hangs", LoadProblem::crashed, "took longer than 0.5 s while probing"},
    {"text_nowhere", LoadProblem::crashed,
     "crashed while reading what it says (signal 11, SIGSEGV)"},
    {"open_crashes", LoadProblem::crashed, "crashed while opening device 0 (signal 11, SIGSEGV)"},
    {"open_exits", LoadProblem::crashed, "ended the process while opening device 0"},
    {"open_hangs", LoadProblem::crashed, "took longer than 0.5 s while opening device 0"},
    {"close_crashes", LoadProblem::crashed, "crashed while closing device 0 (signal 11, SIGSEGV)"},
    {"bad_alignment", LoadProblem::probe_failed, "its alignment as 3, not a power of two"},
    {"bad_memory_kind", LoadProblem::probe_failed, "memory of kind 77"},
    {"unset_memory_kind", LoadProblem::probe_failed,
     "device 0 does not say what kind of memory it has"},
    {"unknown_device_flag", LoadProblem::probe_failed,
     "device 0 has flags 0x80000000, which ABI 0.2 does not have"},
    {"unknown_peer", LoadProblem::probe_failed, "device 0 names device 7 as a peer, of 1 devices"},
    {"unnamed_claim", LoadProblem::probe_failed, "claim 0 of device 0 names no op"},
    {"unknown_dtypes", LoadProblem::probe_failed,
     "claim 0 of device 0, of Relu, names dtypes 0xfffffffff8000101, which ABI 0.2 does not have"},
    {"unknown_claim_flag", LoadProblem::probe_failed,
     "claim 0 of device 0 has flags 0x80000000, which ABI 0.2 does not have"},
    {"missing_devices", LoadProblem::probe_failed, "counts 1 devices but gives none"},
    {"available_nowhere", LoadProblem::probe_failed, "available, but of its 0 devices none is"},
};

INSTANTIATE_TEST_SUITE_P(Fakes, WrongPlugin, ::testing::ValuesIn(wrongs),
                         [](const auto& info) { return info.param.variant; });

TEST(Load, KeepsAPluginWhoseDeviceIsNotAvailable) {
  const LoadResult result = load_fake("unavailable");
  ASSERT_TRUE(result.plugin) << result.failure->reason;
  EXPECT_TRUE(result.plugin->built());
  EXPECT_FALSE(result.plugin->available());
  EXPECT_EQ(result.plugin->reason(), SY_REASON_OS);
  EXPECT_THAT(result.plugin->message(), HasSubstr("plug one in"));
  EXPECT_EQ(result.plugin->devices().front().info.available, 0);
}

TEST(Load, KeepsAPluginWithoutDevices) {
  const LoadResult result = load_fake("no_devices");
  ASSERT_TRUE(result.plugin) << result.failure->reason;
  EXPECT_TRUE(result.plugin->devices().empty());
  EXPECT_THAT(result.plugin->message(), HasSubstr("plug one in"));
}

TEST(Load, StepsOverUnknownExtensions) { EXPECT_TRUE(load_fake("unknown_extension").plugin); }

TEST(Load, LoadsWithoutATrialWhereThereIsNoProbeProgram) {
  LoadContext context = trial_context();
  context.probe_program.clear();
  const ScratchFolder scratch;
  EXPECT_TRUE(load_library(scratch.copy_of("good"), "", context).plugin);
}

TEST(Load, LoadsWithoutATrialWhereTheProbeProgramDoesNotStart) {
  LoadContext context = trial_context();
  context.probe_program = "/nowhere/switchyard-probe";
  const ScratchFolder scratch;
  trace::set_level(trace::Level::warn);
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(load_library(scratch.copy_of("good"), "", context).plugin);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("loaded without a trial"));
}

}  // namespace
}  // namespace switchyard
