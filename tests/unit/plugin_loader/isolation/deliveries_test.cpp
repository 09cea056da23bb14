// What asynchronous work writes to the host's own memory: it comes before the host is told that the
// work is over, and never afterwards, whatever the server says.
#include "plugin_loader/isolation/deliveries.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "plugin_loader/isolation/isolated_plugin.hpp"

namespace switchyard::isolation {
namespace {

class Deliveries : public testing::Test {
 protected:
  /// One that sets the number.
  Delivery setting(int& number) {
    return {ArenaBlock(arena_, 1), [&number](const std::byte*) { ++number; }};
  }

  Arena arena_{std::size_t{64} << 20};
  sy_device_info info_ = {};
  // Streams know their device, and nothing here asks its plugin.
  alignas(IsolatedPlugin) std::byte no_plugin_[sizeof(IsolatedPlugin)];
  ProxyDevice device_{reinterpret_cast<IsolatedPlugin&>(no_plugin_), 0, info_, false};
  ProxyStream stream_{Remote(), device_};
  int first_ = 0, second_ = 0;
};

TEST_F(Deliveries, AreMadeOnceWhenTheirWorkIsOver) {
  note_enqueued(stream_, 1, setting(first_));
  note_enqueued(stream_, 2, setting(second_));
  EXPECT_EQ(first_, 0);
  EXPECT_FALSE(is_delivered(stream_, 1));
  note_told(stream_, 1);
  EXPECT_EQ(first_, 1);
  EXPECT_EQ(second_, 0);
  EXPECT_EQ(stream_.completed, 1u);
  EXPECT_TRUE(is_delivered(stream_, 1));
  EXPECT_FALSE(is_delivered(stream_, 2));
  note_told(stream_, 2);
  EXPECT_EQ(first_, 1);
  EXPECT_EQ(second_, 1);
}

TEST_F(Deliveries, AreMadeAtOnceWhereWorkIsOverWhenTheCallReturns) {
  info_.flags = SY_DEVICE_SYNCHRONOUS;
  note_enqueued(stream_, 0, setting(first_));
  EXPECT_EQ(first_, 1);
}

TEST_F(Deliveries, CountNoWorkThatHasNotBeenEnqueued) {
  note_enqueued(stream_, 1, {});
  note_told(stream_, 1000);
  EXPECT_EQ(stream_.completed, 1u);
}

// The host would take the second for over while the first still waits.
TEST_F(Deliveries, OfAStreamThatMiscountsAreNotMade) {
  note_enqueued(stream_, 1000, setting(first_));
  note_enqueued(stream_, 1, setting(second_));
  EXPECT_TRUE(is_abandoned(stream_));
  note_told(stream_, 1000);
  EXPECT_EQ(first_, 0);
  EXPECT_EQ(second_, 0);
  EXPECT_FALSE(is_delivered(stream_, 1));
}

TEST_F(Deliveries, OfALostStreamAreNotMade) {
  note_enqueued(stream_, 1, setting(first_));
  abandon_streams(device_);
  note_enqueued(stream_, 2, setting(second_));
  note_told(stream_, 2);
  EXPECT_EQ(first_, 0);
  EXPECT_EQ(second_, 0);
  EXPECT_EQ(stream_.completed, 0u);
}

TEST_F(Deliveries, KeepTheBlocksOfALostStreamUntilItEnds) {
  const auto is_free = [&](std::byte* block) {
    std::byte* const next = arena_.allocate(1);
    return next == block;
  };
  std::byte* block = nullptr;
  {
    ProxyStream stream(Remote(), device_);
    Delivery delivery = setting(first_);
    block = delivery.block.data();
    note_enqueued(stream, 1, std::move(delivery));
    abandon(stream);
    EXPECT_FALSE(is_free(block)) << "its process may still write there";
  }
  EXPECT_TRUE(is_free(block));
}

}  // namespace
}  // namespace switchyard::isolation
