// Devices whose calls do not come back within the deadline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "device/devices.hpp"
#include "plugin_loader/watch/told_lines.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kDeadline = "deadline_seconds = 0.05\n";

std::shared_ptr<OpenDevice> open(std::shared_ptr<const Plugin> plugin) {
  return std::make_shared<OpenDevice>(std::move(plugin), 0, 0, Allocator::Limits());
}

std::shared_ptr<const Plugin> load_blocking(const std::string& entry, const std::string& more) {
  return loaded(load_for_device(fake_library("blocks_" + entry), more));
}

TEST(DeviceDeadline, IsThatOfAnOpeningToo) {
  const std::shared_ptr<const Plugin> plugin = load_blocking("open_device", kDeadline);
  ToldLines told;
  const FakesBlock blocks;
  std::shared_ptr<OpenDevice> device;
  std::thread thread([&] { device = open(plugin); });
  EXPECT_THAT(told.wait_for("has not come back"), HasSubstr("warn: mine:0: open_device: has not"));
  blocks.end();
  thread.join();
  told.wait_for("mine:0: open_device: has come back after ");
  EXPECT_EQ(device->name(), "mine:0");
}

OpenDevice::Enqueued copy_element(OpenDevice& device, Storage& storage) {
  sy_region from{};
  from.struct_size = sizeof(from);
  from.handle = storage.handle();
  sy_region to = from;
  to.offset_bytes = 32;
  return device.copy(device.stream(), SY_UINT8, {}, from, to);
}

TEST(DeviceDeadline, IsThatOfACopy) {
  const auto device = open(load_blocking("copy", kDeadline));
  const StorageRef storage = device->allocator().allocate(64);
  ToldLines told;
  const FakesBlock blocks;
  std::thread thread([&] { copy_element(*device, *storage.get()); });
  told.wait_for("mine:0: copy: has not come back");
  EXPECT_THAT(device->calls().calls_under_way(), ElementsAre(HasSubstr("copy, on thread ")));
  blocks.end();
  thread.join();
  told.wait_for("mine:0: copy: has come back after ");
}

TEST(DeviceDeadline, OfNoneIsNone) {
  const auto device = open(load_blocking("copy", "deadline_seconds = 0\n"));
  const std::shared_ptr<const Plugin> other = load_blocking("open_device", kDeadline);
  const StorageRef storage = device->allocator().allocate(64);
  ToldLines told;
  const FakesBlock blocks;
  std::thread thread([&] { copy_element(*device, *storage.get()); });
  std::thread another([&] { open(other); });
  told.wait_for_many("open_device", 3);
  blocks.end();
  thread.join();
  another.join();
  EXPECT_THAT(told.all_of("copy"), ElementsAre());
}

}  // namespace
}  // namespace switchyard
