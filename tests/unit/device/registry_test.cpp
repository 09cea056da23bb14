#include "device/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "device/devices.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Config config_with(const std::string& name, const std::string& variant,
                   const std::string& more = "") {
  return parse_config(
      "[plugins." + name + "]\nlibrary = \"" + fake_library(variant).string() + "\"\n" + more,
      "test.toml", {}, {});
}

TEST(DeviceRegistry, OpensADeviceOnceWhenItIsFirstAskedFor) {
  DeviceRegistry registry(config_with("acme", "two_devices"), device_context());
  const auto first = registry.find({"acme", 0}).device;
  ASSERT_TRUE(first);
  EXPECT_EQ(first, registry.find({"acme", 0}).device);
  const auto second = registry.find({"acme", 1}).device;
  EXPECT_NE(first, second);
  EXPECT_NE(first->ordinal(), second->ordinal());
}

TEST(DeviceRegistry, SaysWhyThereIsNoSuchDevice) {
  DeviceRegistry registry(config_with("acme", "good"), device_context());
  EXPECT_EQ(registry.find({"acme", 1}).message, "plugin 'acme' has 1 devices, so no acme:1");
  EXPECT_EQ(registry.find({"other", 0}).message, "the configuration has no [plugins.other]");
  EXPECT_EQ(registry.find({"other", 0}).reason, SY_REASON_CONFIG);
}

TEST(DeviceRegistry, PassesOnThePluginsOwnReason) {
  for (const char* variant : {"unavailable", "no_devices"}) {
    DeviceRegistry registry(config_with("acme", variant), device_context());
    const DeviceRegistry::Lookup found = registry.find({"acme", 0});
    EXPECT_FALSE(found.device);
    EXPECT_EQ(found.reason, SY_REASON_OS) << variant;
    EXPECT_EQ(found.message, "there is no fake device in this machine; plug one in");
  }
}

TEST(DeviceRegistry, TriesADeviceThatDidNotOpenAgainLater) {
  DeviceRegistry registry(config_with("acme", "open_device_transient_long"), device_context());
  const DeviceRegistry::Lookup found = registry.find({"acme", 0});
  EXPECT_TRUE(found.may_open_later);
  EXPECT_THAT(found.message, HasSubstr("acme:0: open_device: the fake's open_device fails"));
  EXPECT_FALSE(registry.find({"acme", 0}).device) << "it is not time yet";
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_FALSE(registry.find({"acme", 0}).device) << "it fails four times, and each try makes two";
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  const auto device = registry.find({"acme", 0}).device;
  EXPECT_TRUE(device);
  EXPECT_EQ(device, registry.find({"acme", 0}).device);
}

TEST(DeviceRegistry, TriesADeviceThatCannotOpenOnce) {
  DeviceRegistry registry(config_with("acme", "null_open_device"), device_context());
  const DeviceRegistry::Lookup found = registry.find({"acme", 0});
  EXPECT_TRUE(found.failed);
  EXPECT_FALSE(found.may_open_later);
}

TEST(DeviceRegistry, KeepsAPluginThatDidNotLoadWithItsReason) {
  DeviceRegistry registry(config_with("acme", "entry_fails"), device_context());
  EXPECT_NO_THROW(registry.check_required());
  const DeviceRegistry::Lookup found = registry.find({"acme", 0});
  EXPECT_EQ(found.reason, SY_REASON_FAULTED);
  EXPECT_THAT(found.message, HasSubstr("the fake fails on purpose"));
}

TEST(DeviceRegistry, LoadsAPluginThatTheOrderDoesWithoutWhenItIsAskedFor) {
  const Config config = parse_config(
      "[routing]\norder = [\"first\"]\n"
      "[plugins.first]\nlibrary = \"" +
          fake_library("good").string() +
          "\"\n"
          "[plugins.broken]\nlibrary = \"" +
          fake_library("entry_fails").string() + "\"\n",
      "test.toml", {}, {});
  trace::set_level(trace::Level::warn);
  testing::internal::CaptureStderr();
  DeviceRegistry registry(config, device_context());
  EXPECT_TRUE(registry.find({"first", 0}).device);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  EXPECT_THAT(registry.find({"broken", 0}).message, HasSubstr("the fake fails on purpose"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("'broken' was not loaded"));
  EXPECT_EQ(registry.entries().size(), 2u);
}

TEST(DeviceRegistry, StopsAtARequiredPluginThatIsBrokenOrNotAvailable) {
  for (const char* variant : {"entry_fails", "unavailable"}) {
    const DeviceRegistry registry(config_with("acme", variant, "required = true\n"),
                                  device_context());
    try {
      registry.check_required();
      ADD_FAILURE() << variant << " passed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::plugin);
      EXPECT_THAT(error.what(), HasSubstr("'acme'"));
    }
  }
}

}  // namespace
}  // namespace switchyard
