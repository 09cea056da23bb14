#include <gtest/gtest.h>
#include <switchyard/plugin.h>

#include <string>

namespace {

const sy_plugin& enter() {
  static sy_host host = {};
  host.struct_size = sizeof(host);
  sy_entry_args args = {};
  args.struct_size = sizeof(args);
  args.min_version = args.max_version = SY_ABI_VERSION;
  args.host = &host;
  EXPECT_EQ(switchyard_plugin_entry(&args, nullptr), SY_OK);
  return *args.plugin;
}

TEST(MpsProbe, SaysBuiltButNotAvailable) {
  sy_probe_args args = {};
  args.struct_size = sizeof(args);
  ASSERT_EQ(enter().probe(&args, nullptr), SY_OK);
  EXPECT_EQ(args.built, 1);
  EXPECT_EQ(args.available, 0);
  EXPECT_EQ(args.reason, SY_REASON_OS);
  ASSERT_EQ(args.device_count, 1u);
  EXPECT_EQ(args.devices->available, 0);
  EXPECT_EQ(args.devices->reason, SY_REASON_OS);
  EXPECT_EQ(args.devices->claim_count, 0u);
  EXPECT_STREQ(args.devices->sentence, args.sentence);
#if defined(__linux__)
  EXPECT_EQ(std::string(args.sentence).rfind("no Metal device: this is Linux; ", 0), 0u);
#endif
}

TEST(MpsOpen, RefusesWithTheSameSentence) {
  sy_probe_args probe = {};
  probe.struct_size = sizeof(probe);
  ASSERT_EQ(enter().probe(&probe, nullptr), SY_OK);
  sy_open_device_args args = {};
  args.struct_size = sizeof(args);
  sy_error error = {};
  error.struct_size = sizeof(error);
  EXPECT_EQ(enter().open_device(&args, &error), SY_UNSUPPORTED);
  EXPECT_EQ(error.reason, SY_REASON_OS);
  EXPECT_STREQ(error.message, probe.sentence);
  EXPECT_EQ(args.device, nullptr);
  args.index = 1;
  EXPECT_EQ(enter().open_device(&args, &error), SY_INVALID);
}

TEST(MpsTable, HasEveryRequiredSlot) {
  const sy_plugin& plugin = enter();
  EXPECT_TRUE(plugin.close_device && plugin.allocate && plugin.release && plugin.map &&
              plugin.unmap && plugin.copy && plugin.create_stream && plugin.destroy_stream &&
              plugin.completed && plugin.wait && plugin.prepare && plugin.destroy_kernel &&
              plugin.run);
  sy_run_args args = {};
  args.struct_size = sizeof(args);
  EXPECT_EQ(plugin.run(&args, nullptr), SY_INVALID);
}

}  // namespace
