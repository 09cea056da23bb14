#include "device/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/devices.hpp"

namespace switchyard {
namespace {

// Copies an element within the device: the simplest work that there is.
OpenDevice::Enqueued enqueue_work(OpenDevice& device, Storage& storage) {
  sy_region from{};
  from.struct_size = sizeof(from);
  from.handle = storage.handle();
  sy_region to = from;
  to.offset_bytes = 32;
  return device.copy(device.stream(), SY_UINT8, {}, from, to);
}

TEST(Stream, OfASynchronousDeviceIsAlwaysDone) {
  const auto device = open_fake("good");
  EXPECT_TRUE(device->stream().synchronous());
  EXPECT_EQ(device->stream().completed(), UINT64_MAX);
  device->stream().wait(12345);
}

TEST(Stream, HoldsWhoEnqueuesFasterThanTheDeviceWorks) {
  const auto device = open_plugin("template", "delay_microseconds = 1\n");
  const StorageRef storage = device->allocator().allocate(64);
  OpenStream& stream = device->stream();
  for (std::uint64_t i = 0; i < 3 * OpenStream::kMostInFlight; ++i) {
    const std::uint64_t sequence = enqueue_work(*device, *storage.get()).sequence;
    ASSERT_LE(sequence - stream.completed(), OpenStream::kMostInFlight);
  }
  stream.synchronize();
}

TEST(Stream, NumbersItsWorkAndKnowsWhatIsDone) {
  const auto device = open_plugin("template", "batch = 100\n");
  const StorageRef storage = device->allocator().allocate(64);
  OpenStream& stream = device->stream();
  EXPECT_EQ(enqueue_work(*device, *storage.get()).sequence, 1u);
  EXPECT_EQ(enqueue_work(*device, *storage.get()).sequence, 2u);
  EXPECT_EQ(stream.last_enqueued(), 2u);
  EXPECT_EQ(stream.completed(), 0u) << "the batch has not begun";
  stream.wait(1);
  EXPECT_GE(stream.completed(), 1u) << "waiting flushes";
  stream.synchronize();
  EXPECT_EQ(stream.completed(), 2u);
}

TEST(Stream, GivesWayToAFreshOneOnce) {
  const auto device = open_fake("asynchronous");
  const OpenStream& failed = device->stream();
  EXPECT_TRUE(device->replace_stream(failed));
  EXPECT_NE(&device->stream(), &failed);
  EXPECT_FALSE(device->replace_stream(failed)) << "somebody else has done it";
}

}  // namespace
}  // namespace switchyard
