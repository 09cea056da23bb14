#include "memory/storage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/fake_memory.hpp"

namespace switchyard {
namespace {

// Takes storages back and does nothing with them.
struct Owner final : StorageOwner {
  void recycle(Storage*) noexcept override { ++recycled; }
  [[noreturn]] void report_lost() const override { throw Error(ErrorKind::device_lost, "lost"); }
  using StorageOwner::lose_storages;
  int recycled = 0;
};

struct StorageTest : testing::Test {
  Owner owner;
  Storage storage{owner, 7, 64};
  ManualProgress stream, other;
};

TEST_F(StorageTest, GoesBackToItsOwnerWithTheLastReference) {
  StorageRef first(&storage);
  {
    const StorageRef second = first;
    EXPECT_TRUE(storage.is_shared());
  }
  EXPECT_FALSE(storage.is_shared());
  StorageRef moved = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(owner.recycled, 0);
  moved = StorageRef();
  EXPECT_EQ(owner.recycled, 1);
}

TEST_F(StorageTest, IsIdleOnceAllRecordedWorkHasCompleted) {
  storage.record_write(stream, 3);
  storage.record_write(stream, 2);  // earlier than what is known already
  storage.record_write(other, 9);
  stream.complete(2);
  other.complete(9);
  EXPECT_FALSE(storage.idle());
  stream.complete(3);
  EXPECT_TRUE(storage.idle());
}

TEST_F(StorageTest, WaitsForEachStreamOnce) {
  storage.record_write(stream, 1);
  storage.record_write(stream, 5);
  storage.record_write(other, 2);
  storage.wait_until_idle();
  EXPECT_EQ(stream.completed(), 5u);
  EXPECT_EQ(other.completed(), 2u);
  storage.wait_until_idle();
  EXPECT_EQ(stream.waits, 1);
  EXPECT_EQ(other.waits, 1);
}

TEST_F(StorageTest, WaitsForOtherStreamsOnlyWhereOneStreamOrdersItself) {
  storage.record_write(stream, 4);
  storage.record_write(other, 4);
  storage.order_before_write(stream);
  EXPECT_EQ(stream.waits, 0);
  EXPECT_EQ(other.waits, 1);
}

TEST_F(StorageTest, AStreamThatFollowsAnotherWaitsInThePlaceOfTheCaller) {
  stream.can_follow = true;
  storage.record_write(other, 4);
  storage.order_before_read(stream);
  storage.order_before_write(stream);
  EXPECT_EQ(stream.followed, 4u);
  EXPECT_EQ(other.waits, 0);
  EXPECT_FALSE(storage.idle()) << "the work is under way";
  storage.wait_for_writes();
  EXPECT_EQ(other.waits, 1) << "the host waits itself";
}

TEST_F(StorageTest, WorkThatOnlyReadsIsNotFollowedByWhoWrites) {
  stream.can_follow = true;
  storage.record_read(other, 4);
  other.fails = true;
  storage.order_before_write(stream);
  EXPECT_EQ(stream.followed, 0u) << "who writes would fail with who reads";
  EXPECT_EQ(other.waits, 1);
}

TEST_F(StorageTest, TellsOfFailedWorkAtEveryWait) {
  stream.fails = true;
  storage.record_write(stream, 1);
  EXPECT_THROW(storage.wait_until_idle(), Error);
  EXPECT_THROW(storage.wait_until_idle(), Error) << "what failed work wrote stays poisoned";
  EXPECT_THROW(storage.order_before_write(other), Error);
}

TEST_F(StorageTest, WorkThatOnlyReadsLeavesNoErrorBehind) {
  storage.record_write(other, 1);
  storage.record_read(stream, 2);
  stream.fails = true;
  storage.wait_for_writes();
  EXPECT_EQ(stream.waits, 0) << "who reads waits for writes alone";
  storage.wait_until_idle();
  EXPECT_EQ(stream.waits, 1) << "who writes waits for all";
  EXPECT_TRUE(storage.idle());
}

TEST_F(StorageTest, WorkOfOneStreamThatWritesAndThenReadsIsWaitedForAsBoth) {
  storage.record_write(stream, 3);
  storage.record_read(stream, 8);
  storage.wait_for_writes();
  EXPECT_EQ(stream.completed(), 3u);
  EXPECT_FALSE(storage.idle()) << "it is read still";
  storage.wait_until_idle();
  EXPECT_EQ(stream.completed(), 8u);
}

TEST_F(StorageTest, ThatWasLostGivesNoHandle) {
  EXPECT_EQ(storage.handle(), 7u);
  owner.lose_storages();
  EXPECT_TRUE(storage.is_lost());
  EXPECT_THROW(storage.handle(), Error);
}

TEST_F(StorageTest, SettlesWhetherItsWorkFailedOrNot) {
  stream.fails = true;
  storage.record_write(stream, 1);
  storage.record_write(other, 2);
  storage.settle();
  EXPECT_EQ(other.completed(), 2u);
  EXPECT_TRUE(storage.idle()) << "the memory of failed work is free";
}

}  // namespace
}  // namespace switchyard
