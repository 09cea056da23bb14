#include "device/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

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

// ---------------------------------------------------------------- `wait` fails

sy_region host_region(const void* pointer) {
  sy_region region{};
  region.struct_size = sizeof(region);
  region.kind = SY_REGION_HOST;
  region.handle = reinterpret_cast<std::uint64_t>(pointer);
  return region;
}

sy_region region_of(const Storage& storage) {
  sy_region region{};
  region.struct_size = sizeof(region);
  region.handle = storage.handle();
  return region;
}

class WaitFails : public testing::TestWithParam<const char*> {};

// The device writes to memory of the user's: coming back before it has done so is not safe.
TEST_P(WaitFails, AndTheWorkIsWaitedForAllTheSame) {
  const auto device = open_fake(GetParam());
  const StorageRef storage = device->allocator().allocate(64);
  const std::uint8_t given = 7;
  std::uint8_t got = 0;
  OpenStream& stream = device->stream();
  device->copy(stream, SY_UINT8, {}, host_region(&given), region_of(*storage.get()));
  device->copy(stream, SY_UINT8, {}, region_of(*storage.get()), host_region(&got));
  EXPECT_EQ(stream.completed(), 0u) << "the batch has not begun";
  stream.synchronize();
  EXPECT_EQ(got, 7);
  EXPECT_FALSE(device->quarantined());
}

INSTANTIATE_TEST_SUITE_P(Once, WaitFails,
                         testing::Values("wait_transient", "wait_out_of_memory", "wait_invalid",
                                         "wait_bug"));

TEST(WaitFailsLong, AndTheLogSaysSoOnce) {
  const auto device = open_fake("wait_fails_long");
  const StorageRef storage = device->allocator().allocate(64);
  testing::internal::CaptureStderr();
  enqueue_work(*device, *storage.get()).wait();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, testing::HasSubstr("mine:0: wait: the fake's wait fails"));
  EXPECT_EQ(log.find("wait:"), log.rfind("wait:")) << log;
}

// ---------------------------------------------------------------- wrong numbers

// Memory is reused by numbers, so that a wrong one means reading what is still being written.
TEST(NumberOfWork, ThatIsNotTheNextIsABugOfThePlugin) {
  for (const auto& [fake, number] :
       {std::pair("numbers_forgotten", "0"), std::pair("numbers_jumping", "1001")}) {
    const auto device = open_fake(fake);
    const StorageRef storage = device->allocator().allocate(64);
    try {
      enqueue_work(*device, *storage.get());
      ADD_FAILURE() << fake;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::plugin);
      EXPECT_THAT(error.what(), testing::HasSubstr(std::string("mine:0: copy: gives its work the "
                                                               "number ") +
                                                   number));
    }
    EXPECT_EQ(device->stream().completed(), 1u) << "the work is over";
    EXPECT_TRUE(device->quarantined());
  }
}

struct StreamOfALostDevice : testing::Test {
  const std::shared_ptr<OpenDevice> device = open_fake("asynchronous");
  const StorageRef storage = device->allocator().allocate(64);
  const OpenDevice::Enqueued work = enqueue_work(*device, *storage.get());

  StreamOfALostDevice() {
    device->stream().synchronize();  // a device that is lost works no more
    device->stream().lose();
  }
};

TEST_F(StreamOfALostDevice, IsWaitedForNoMoreOnceItsWorkIsOver) {
  device->stream().end_lost_work();
  EXPECT_THROW(work.wait(), Error);
  EXPECT_EQ(device->stream().completed(), UINT64_MAX);
  EXPECT_FALSE(device->quarantined()) << "it has recovered";
}

TEST_F(StreamOfALostDevice, IsWaitedForWhileItsWorkMayRun) {
  EXPECT_LT(device->stream().completed(), work.sequence);
  std::atomic<bool> is_over{false};
  std::thread waiter([&] {
    EXPECT_THROW(work.wait(), Error);
    EXPECT_TRUE(is_over);
  });
  is_over = true;
  device->stream().end_lost_work();
  waiter.join();
}

}  // namespace
}  // namespace switchyard
