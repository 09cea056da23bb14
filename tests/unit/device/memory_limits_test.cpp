// What tensors may take of a device's memory by default, and when the configuration says.
#include "device/memory_limits.hpp"

#include <gtest/gtest.h>

#include "device/devices.hpp"
#include "device/registry.hpp"
#include "memory/machine_memory.hpp"

namespace switchyard {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

sy_device_info device_of(sy_memory_kind kind, std::uint64_t own_bytes) {
  sy_device_info info{};
  info.memory_kind = kind;
  info.memory_bytes = own_bytes;
  return info;
}

TEST(MemoryLimits, OfTheMachinesMemoryAreAShareOfIt) {
  for (const sy_memory_kind kind : {SY_MEMORY_ADDRESS, SY_MEMORY_MAPPABLE}) {
    const auto limits = memory_limits({}, device_of(kind, 64 * kGiB), 16 * kGiB);
    EXPECT_EQ(limits.bytes, 12 * kGiB);
    EXPECT_EQ(limits.value_bytes, 8 * kGiB);
  }
  const auto untold = memory_limits({}, device_of(SY_MEMORY_OPAQUE, 0), 16 * kGiB);
  EXPECT_EQ(untold.bytes, 12 * kGiB);
}

TEST(MemoryLimits, LeaveAPartToTheProgram) {
  EXPECT_EQ(share_of_tensors(16), 12u);
  EXPECT_EQ(share_of_one_tensor(16), 8u);
}

TEST(MemoryLimits, OfADevicesOwnMemoryAreItsOwn) {
  const auto limits = memory_limits({}, device_of(SY_MEMORY_OPAQUE, 64 * kGiB), 16 * kGiB);
  EXPECT_EQ(limits.bytes, 0u);
  EXPECT_GT(limits.value_bytes, 64 * kGiB);
}

TEST(MemoryLimits, AreWhatTheConfigurationSays) {
  Config config;
  config.host.memory_limit = 3 * kGiB;
  config.limits.value_bytes = kGiB;
  const auto limits = memory_limits(config, device_of(SY_MEMORY_ADDRESS, 0), 2 * kGiB);
  EXPECT_EQ(limits.bytes, 3 * kGiB);
  EXPECT_EQ(limits.value_bytes, kGiB);
}

TEST(MemoryLimits, AreFarBelowAnOverflowWhereTheMachineDoesNotTell) {
  const auto limits = memory_limits({}, device_of(SY_MEMORY_ADDRESS, 0), UINT64_MAX);
  EXPECT_LE(limits.bytes, Allocator::kMostBytes);
  EXPECT_LE(limits.value_bytes, Allocator::kMostBytes);
}

TEST(MemoryLimits, HoldForTheDevicesOfARuntime) {
  const Config config = parse_config(
      "[plugins.cpu]\nlibrary = \"" + plugin_library("cpu").string() + "\"\n", "t.toml", {}, {});
  DeviceRegistry registry(config, device_context());
  const auto device = registry.find({"cpu", 0}).device;
  ASSERT_TRUE(device);
  const Allocator::Limits& limits = device->allocator().limits();
  EXPECT_GT(limits.bytes, 0u);
  EXPECT_LT(limits.bytes, machine_memory());
  EXPECT_LT(limits.value_bytes, limits.bytes);
}

}  // namespace
}  // namespace switchyard
