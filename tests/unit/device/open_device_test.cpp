#include "device/open_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "device/devices.hpp"
#include "device/status.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::internal, "nothing was thrown");
}

// What a call of the device that ends in `status` does.
Error fail(OpenDevice& device, sy_status status, const std::string& message) {
  PluginError error;
  error.status = status;
  message.copy(error.message, sizeof(error.message) - 1);
  error.message[message.size()] = '\0';
  return error_of([&] { device.check_call(status, error, "run"); });
}

TEST(OpenDevice, IsNamedAfterItsPluginInTheConfiguration) {
  EXPECT_EQ(open_fake("good")->name(), "mine:0");
  EXPECT_EQ(open_fake("two_devices", {.index = 1})->name(), "mine:1");
}

TEST(OpenDevice, ThatDoesNotOpenSaysWhy) {
  const Error error = error_of([] { open_fake("unavailable"); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_STREQ(error.what(), "mine:0: open_device: the fake has no device");
}

TEST(OpenDevice, LivesAsLongAsAStorageOfIt) {
  auto device = open_fake("asynchronous");
  const std::weak_ptr<OpenDevice> watched = device;
  StorageRef storage = device->allocator().allocate(64);
  device.reset();
  EXPECT_FALSE(watched.expired());
  storage = StorageRef();
  EXPECT_TRUE(watched.expired());
}

// ---------------------------------------------------------------- memory

TEST(OpenDeviceMemory, KeepsToTheConfiguredLimit) {
  const auto device = open_fake("good", {.memory_limit = 4096});
  const Error error = error_of([&] { device->allocator().allocate(5000); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("limit of 4096 bytes"));
}

TEST(OpenDeviceMemory, ShortOfMemoryOnceIsNoError) {
  EXPECT_TRUE(open_fake("out_of_memory_once")->allocator().allocate(64));
}

TEST(OpenDeviceMemory, ShortOfMemoryForGoodIsTheDevicesOwnError) {
  const auto device = open_fake("out_of_memory");
  const Error error = error_of([&] { device->allocator().allocate(64); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_STREQ(error.what(), "mine:0: allocate: the fake device has no 64 bytes");
  EXPECT_FALSE(device->quarantined()) << "the device is not broken";
}

// ---------------------------------------------------------------- faults

TEST(Quarantine, IsForLostDevicesAndBugsAlone) {
  for (const sy_status status : {SY_UNSUPPORTED, SY_INVALID, SY_OUT_OF_MEMORY, SY_TRANSIENT}) {
    const auto device = open_fake("good");
    fail(*device, status, "not my fault");
    EXPECT_FALSE(device->quarantined()) << status;
  }
  for (const sy_status status : {SY_DEVICE_LOST, SY_BUG}) {
    const auto device = open_fake("good");
    const std::uint64_t epoch = route_epoch.load();
    const Error error = fail(*device, status, "it broke");
    EXPECT_STREQ(error.what(), "mine:0: run: it broke");
    EXPECT_TRUE(device->quarantined());
    EXPECT_EQ(device->fault(), error.what());
    EXPECT_GT(route_epoch.load(), epoch) << "no cached route is to use it";
  }
}

TEST(Quarantine, EndsWhenTheDeviceRecovers) {
  const auto device = open_fake("good");
  fail(*device, SY_DEVICE_LOST, "gone");
  EXPECT_TRUE(device->quarantined());
  const std::uint64_t epoch = route_epoch.load();
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_FALSE(device->quarantined());
  EXPECT_GT(route_epoch.load(), epoch);
}

TEST(Quarantine, LastsWhileTheDeviceDoesNot) {
  const auto device = open_fake("run_lost_for_ever");
  const StorageRef storage = device->allocator().allocate(64);
  fail(*device, SY_DEVICE_LOST, "gone");
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_TRUE(device->quarantined());
  EXPECT_THROW(storage->handle(), Error) << "what it lost is given to nobody while it recovers";
}

TEST(Quarantine, FollowsALossThatShowsWhenMemoryIsGivenBack) {
  const auto device = open_fake("release_lost");
  device->allocator().allocate(64);
  device->allocator().trim();
  EXPECT_TRUE(device->quarantined());
  EXPECT_EQ(device->fault(), "mine:0: release: the fake's release fails");
}

TEST(Quarantine, FollowsAMisalignedStorage) {
  const auto device = open_fake("misaligned");
  const Error error = error_of([&] { device->allocator().allocate(64); });
  EXPECT_THAT(error.what(), HasSubstr("is not aligned to 16 bytes, as the probe said"));
  EXPECT_TRUE(device->quarantined());
}

TEST(Faults, NameTheDeviceTheCallAndWhatThePluginSaid) {
  PluginError error;
  EXPECT_STREQ(error_from(SY_TRANSIENT, error, "gpu:1", "copy").what(),
               "gpu:1: copy: failed for now; the same call may succeed later");
  EXPECT_EQ(error_from(SY_TRANSIENT, error, "gpu:1", "copy").kind(), ErrorKind::transient);
  EXPECT_EQ(error_from(SY_BUG, error, "gpu:1", "copy").kind(), ErrorKind::plugin);
  EXPECT_EQ(error_from(SY_INVALID, error, "gpu:1", "copy").kind(), ErrorKind::invalid_argument);
  const Error unknown = error_from(99, error, "gpu:1", "copy");
  EXPECT_EQ(unknown.kind(), ErrorKind::plugin);
  EXPECT_STREQ(unknown.what(), "gpu:1: copy: unknown status 99; the plugin is broken");
}

TEST(Faults, EveryReasonHasItsCode) {
  EXPECT_EQ(code_of(SY_REASON_NONE), "");
  EXPECT_EQ(code_of(SY_REASON_OP), "OP");
  EXPECT_EQ(code_of(SY_REASON_STRIDE), "STRIDE");
  EXPECT_EQ(code_of(SY_REASON_FAULTED), "FAULTED");
  EXPECT_EQ(code_of(1000), "UNKNOWN");
}

}  // namespace
}  // namespace switchyard
