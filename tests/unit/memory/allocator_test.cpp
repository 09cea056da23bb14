#include "memory/allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "memory/fake_memory.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr std::size_t kKibi = 1024;

// An allocator over a source, and whether it keeps its device alive.
struct Pool {
  explicit Pool(std::size_t capacity = SIZE_MAX, Allocator::Limits limits = {})
      : source(capacity), allocator(source, "dev:0", limits, [this] { return device; }) {}

  CountingSource source;
  std::shared_ptr<void> device = std::make_shared<int>(0);
  Allocator allocator;

  bool device_is_held() const { return device.use_count() > 1; }
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(AllocatorClasses, FourToEachPowerOfTwo) {
  Pool pool;
  const auto block = [&](std::size_t bytes) { return pool.allocator.allocate(bytes)->bytes(); };
  EXPECT_EQ(block(0), 64u);
  EXPECT_EQ(block(1), 64u);
  EXPECT_EQ(block(64), 64u);
  EXPECT_EQ(block(65), 80u);
  EXPECT_EQ(block(80), 80u);
  EXPECT_EQ(block(112), 112u);
  EXPECT_EQ(block(113), 128u);
  EXPECT_EQ(block(129), 160u);
  EXPECT_EQ(block(kKibi * kKibi), kKibi * kKibi);
  EXPECT_EQ(block(kKibi * kKibi + 1), kKibi * kKibi * 5 / 4);
}

TEST(AllocatorClasses, LoseAtMostAQuarter) {
  Pool pool;
  for (std::size_t bytes = 64; bytes < (std::size_t{1} << 40); bytes += bytes / 7 + 1) {
    const std::size_t got = pool.allocator.allocate(bytes)->bytes();
    ASSERT_GE(got, bytes);
    ASSERT_LE(got, bytes + bytes / 4) << bytes;
    pool.allocator.trim();
  }
}

TEST(Allocator, ReusesAFreedBlockForAnyRequestOfItsClass) {
  Pool pool;
  const std::uint64_t handle = pool.allocator.allocate(100)->handle();
  EXPECT_EQ(pool.allocator.allocate(112)->handle(), handle);
  EXPECT_NE(pool.allocator.allocate(113)->handle(), handle) << "the next class";
  EXPECT_EQ(pool.source.held_blocks(), 2u);
}

TEST(AllocatorTrim, CountsWhatASourceThatCachesGaveUp) {
  Pool pool{SIZE_MAX, {.caches = false}};
  pool.source.own_cache = 4 * kKibi;
  EXPECT_EQ(pool.allocator.trim(), 4 * kKibi);
}

TEST(Allocator, KeepsNoMoreThanItsLimitForLater) {
  Pool pool(SIZE_MAX, {.cached_bytes = 3 * kKibi});
  StorageRef large = pool.allocator.allocate(2 * kKibi), small = pool.allocator.allocate(kKibi),
             last = pool.allocator.allocate(kKibi / 2);
  large = {};
  small = {};
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, 3 * kKibi);
  last = {};
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, kKibi + kKibi / 2) << "the largest went";
  EXPECT_EQ(pool.source.held_blocks(), 2u);
  pool.allocator.allocate(8 * kKibi);
  EXPECT_EQ(pool.source.held_blocks(), 2u);
  EXPECT_FALSE(pool.device_is_held());
}

TEST(Allocator, CountsWhatIsUsedAndWhatIsKept) {
  Pool pool;
  StorageRef a = pool.allocator.allocate(64);
  StorageRef b = pool.allocator.allocate(128);
  a = StorageRef();
  MemoryStatistics statistics = pool.allocator.statistics();
  EXPECT_EQ(statistics.used_bytes, 128u);
  EXPECT_EQ(statistics.peak_bytes, 192u);
  EXPECT_EQ(statistics.cached_bytes, 64u);
  EXPECT_EQ(statistics.allocations, 2u);
  EXPECT_EQ(statistics.reuses, 0u);

  a = pool.allocator.allocate(64);
  statistics = pool.allocator.statistics();
  EXPECT_EQ(statistics.cached_bytes, 0u);
  EXPECT_EQ(statistics.peak_bytes, 192u);
  EXPECT_EQ(statistics.allocations, 3u);
  EXPECT_EQ(statistics.reuses, 1u);
}

TEST(Allocator, TrimGivesFreeBlocksBackAndKeepsUsedOnes) {
  Pool pool;
  const StorageRef used = pool.allocator.allocate(64);
  pool.allocator.allocate(128);
  pool.allocator.allocate(256);
  EXPECT_EQ(pool.allocator.trim(), 384u);
  EXPECT_EQ(pool.source.held_bytes(), 64u);
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, 0u);
  EXPECT_EQ(pool.source.trims, 1) << "what the device caches goes too";
}

TEST(Allocator, RefusesWhatNoMemoryHolds) {
  Pool pool;
  EXPECT_THAT(message_of([&] { pool.allocator.allocate(SIZE_MAX); }),
              HasSubstr("dev:0: a tensor of 18446744073709551615 bytes passes the limit of"));
  EXPECT_EQ(pool.source.attempts, 0);
}

// ---------------------------------------------------------------- work under way

TEST(AllocatorPending, ABlockIsReusedOnlyWhenItsLastUserHasCompleted) {
  ManualProgress stream;
  Pool pool;
  StorageRef storage = pool.allocator.allocate(64);
  const std::uint64_t handle = storage->handle();
  storage->record_write(stream, 5);
  storage = StorageRef();
  EXPECT_EQ(pool.allocator.statistics().used_bytes, 0u);
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, 64u);

  const StorageRef meanwhile = pool.allocator.allocate(64);
  EXPECT_NE(meanwhile->handle(), handle);
  stream.complete(5);
  EXPECT_EQ(pool.allocator.allocate(64)->handle(), handle);
  EXPECT_EQ(stream.waits, 0) << "nobody had to wait";
}

TEST(AllocatorPending, WorkThatCompletedBeforeTheReleaseHoldsNothingUp) {
  ManualProgress stream;
  Pool pool;
  StorageRef storage = pool.allocator.allocate(64);
  const std::uint64_t handle = storage->handle();
  storage->record_write(stream, 5);
  stream.complete(5);
  storage = StorageRef();
  EXPECT_EQ(pool.allocator.allocate(64)->handle(), handle);
}

TEST(AllocatorPending, TrimLeavesBlocksAloneThatWorkStillUses) {
  ManualProgress stream;
  Pool pool;
  StorageRef storage = pool.allocator.allocate(64);
  storage->record_write(stream, 1);
  storage = StorageRef();
  EXPECT_EQ(pool.allocator.trim(), 0u);
  EXPECT_EQ(pool.source.held_blocks(), 1u);
}

TEST(AllocatorPending, EndsOnlyWhenTheWorkHas) {
  ManualProgress stream;
  CountingSource source;
  {
    Allocator allocator(source, "dev:0", {}, [] { return nullptr; });
    allocator.allocate(64)->record_write(stream, 3);
  }
  EXPECT_EQ(stream.completed(), 3u);
  EXPECT_EQ(source.held_blocks(), 0u);
}

// ---------------------------------------------------------------- shortage

TEST(AllocatorShortage, FreeBlocksOfOtherClassesGoFirst) {
  Pool pool(256);
  pool.allocator.allocate(192);
  EXPECT_EQ(pool.allocator.allocate(256)->bytes(), 256u);
  EXPECT_EQ(pool.source.attempts, 3) << "one of them in vain";
}

TEST(AllocatorShortage, ThenItWaitsForWorkThatHoldsMemory) {
  ManualProgress stream;
  Pool pool(256);
  pool.allocator.allocate(192)->record_write(stream, 8);
  EXPECT_EQ(pool.allocator.allocate(256)->bytes(), 256u);
  EXPECT_EQ(stream.waits, 1);
}

TEST(AllocatorShortage, FailedWorkHoldsNoMemory) {
  ManualProgress stream;
  Pool pool(256);
  stream.fails = true;
  pool.allocator.allocate(192)->record_write(stream, 8);
  EXPECT_EQ(pool.allocator.allocate(256)->bytes(), 256u);
}

TEST(AllocatorShortage, AfterOneMoreTryItIsAnErrorAndNothingIsLost) {
  Pool pool(256);
  const StorageRef used = pool.allocator.allocate(192);
  EXPECT_THAT(message_of([&] { pool.allocator.allocate(128); }), HasSubstr("the source is dry"));
  EXPECT_EQ(pool.source.attempts, 3);
  EXPECT_EQ(pool.allocator.statistics().used_bytes, 192u);
  EXPECT_EQ(pool.allocator.allocate(64)->bytes(), 64u) << "smaller requests still work";
}

TEST(AllocatorShortage, OtherErrorsAreNotTriedAgain) {
  struct LostSource final : MemorySource {
    Block allocate_block(std::size_t) override {
      ++attempts;
      throw Error(ErrorKind::device_lost, "lost");
    }
    void release_block(std::uint64_t) noexcept override {}
    std::size_t trim_blocks() noexcept override { return 0; }
    int attempts = 0;
  } source;
  Allocator allocator(source, "dev:0", {}, [] { return nullptr; });
  EXPECT_THROW(allocator.allocate(64), Error);
  EXPECT_EQ(source.attempts, 1);
}

// ---------------------------------------------------------------- the limit

TEST(AllocatorLimit, CountsUsedAndKeptBlocksTogether) {
  Pool pool(SIZE_MAX, {.bytes = 256});
  pool.allocator.allocate(192);
  EXPECT_EQ(pool.allocator.allocate(256)->bytes(), 256u) << "the kept block made room";
  EXPECT_EQ(pool.source.most_held_bytes(), 256u);
}

TEST(AllocatorShortage, GoesOnForAsLongAsSomethingComesBack) {
  // Another thread keeps a block as soon as this one has given back what there was.
  struct BusySource final : MemorySource {
    Block allocate_block(std::size_t) override {
      if (++attempts < 4) throw Error(ErrorKind::out_of_memory, "not yet");
      return {static_cast<std::uint64_t>(attempts)};
    }
    void release_block(std::uint64_t) noexcept override {}
    std::size_t trim_blocks() noexcept override {
      if (attempts < 4 && !kept.empty()) kept.pop_back();
      return 0;
    }
    int attempts = 0;
    std::vector<StorageRef> kept;
  } source;
  Allocator allocator(source, "dev:0", {}, [] { return nullptr; });
  source.attempts = 3;
  for (int i = 0; i < 3; ++i) source.kept.push_back(allocator.allocate(64));
  source.kept.pop_back();  // one is kept for later, the others come free in each trim
  source.attempts = 0;
  EXPECT_EQ(allocator.allocate(128)->handle(), 4u);
}

TEST(AllocatorLimit, TellsTheKeyToRaise) {
  Pool pool(SIZE_MAX, {.bytes = 256});
  const StorageRef used = pool.allocator.allocate(192);
  EXPECT_THAT(message_of([&] { pool.allocator.allocate(128); }),
              HasSubstr("dev:0: 128 more bytes would pass the limit of 256 bytes; raise "
                        "host.memory_limit"));
  EXPECT_EQ(pool.source.attempts, 1) << "the device is not even asked";
}

// ---------------------------------------------------------------- who caches, who lives

struct AllocatorOfASourceThatCaches : testing::Test {
  ManualProgress home, other;
  Pool pool{SIZE_MAX, {.caches = false}};

  AllocatorOfASourceThatCaches() { pool.source.home = &home; }
};

TEST_F(AllocatorOfASourceThatCaches, GetsBlocksBackWhileTheirOwnStreamUsesThem) {
  pool.allocator.allocate(64)->record_write(home, 9);
  EXPECT_EQ(pool.source.held_blocks(), 0u) << "the source orders its memory by that stream";
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, 0u);
  EXPECT_EQ(pool.allocator.statistics().peak_bytes, 64u);
}

TEST_F(AllocatorOfASourceThatCaches, GetsThemBackOnlyOnceOtherStreamsAreDone) {
  StorageRef storage = pool.allocator.allocate(64);
  storage->record_write(home, 9);
  storage->record_write(other, 4);
  storage = StorageRef();
  EXPECT_EQ(pool.source.held_blocks(), 1u);
  EXPECT_EQ(pool.allocator.statistics().cached_bytes, 64u);
  pool.allocator.allocate(128);
  EXPECT_EQ(pool.source.held_blocks(), 1u) << "the other stream still reads it";
  other.complete(4);
  pool.allocator.allocate(128);
  EXPECT_EQ(pool.source.held_blocks(), 0u);
  EXPECT_EQ(other.waits, 0) << "nobody had to wait";
}

TEST_F(AllocatorOfASourceThatCaches, WaitsForOtherStreamsInAShortage) {
  Pool small(256, {.caches = false});
  small.source.home = &home;
  small.allocator.allocate(192)->record_write(other, 8);
  EXPECT_EQ(small.allocator.allocate(256)->bytes(), 256u);
  EXPECT_EQ(other.waits, 1);
}

TEST_F(AllocatorOfASourceThatCaches, GivesMemoryThatEarlierWorkOfItsStreamMayStillUse) {
  home.given = 7;
  const StorageRef storage = pool.allocator.allocate(64);
  storage->order_before_write(home);
  EXPECT_EQ(home.waits, 0) << "that stream orders itself";
  storage->order_before_write(other);
  EXPECT_EQ(home.completed(), 7u) << "others, and the host, come after it";
}

TEST(AllocatorThatLostAll, GivesEverythingBackAndReusesNothing) {
  Pool pool;
  ManualProgress stream;
  StorageRef held = pool.allocator.allocate(64);
  pool.allocator.allocate(128);
  pool.allocator.allocate(192)->record_write(stream, 5);
  EXPECT_EQ(pool.source.held_blocks(), 3u);
  pool.allocator.lose_all();
  pool.allocator.end_lost_work();
  pool.allocator.give_back_lost();
  EXPECT_EQ(pool.source.held_blocks(), 1u) << "nobody waits for work that is gone";
  EXPECT_THROW(held->handle(), Error);
  held = StorageRef();
  EXPECT_EQ(pool.source.held_blocks(), 0u);
  EXPECT_NO_THROW(pool.allocator.allocate(64)->handle());
}

TEST(AllocatorThatLostAll, KeepsWhatWorkMayStillUse) {
  Pool pool;
  ManualProgress stream;
  StorageRef used = pool.allocator.allocate(64);
  used->record_write(stream, 1);
  pool.allocator.allocate(128)->record_write(stream, 2);
  pool.allocator.lose_all();
  used = StorageRef();
  pool.allocator.trim();
  EXPECT_EQ(pool.source.held_blocks(), 2u);
  pool.allocator.end_lost_work();
  pool.allocator.give_back_lost();
  EXPECT_EQ(pool.source.held_blocks(), 0u);
}

TEST(AllocatorLifeline, StoragesInUseKeepTheDeviceAlive) {
  Pool pool;
  EXPECT_FALSE(pool.device_is_held());
  StorageRef a = pool.allocator.allocate(64);
  StorageRef b = pool.allocator.allocate(64);
  a = StorageRef();
  EXPECT_TRUE(pool.device_is_held());
  b = StorageRef();
  EXPECT_FALSE(pool.device_is_held()) << "kept blocks hold nothing";
}

TEST(AllocatorLifeline, TheLastStorageMayTakeItsAllocatorAlong) {
  // As a tensor does that outlives its runtime: the allocator is part of the device it keeps.
  struct Device : std::enable_shared_from_this<Device> {
    explicit Device(CountingSource& source)
        : allocator(source, "dev:0", {}, [this] { return shared_from_this(); }) {}
    Allocator allocator;
  };
  CountingSource source;
  auto device = std::make_shared<Device>(source);
  StorageRef storage = device->allocator.allocate(64);
  const std::weak_ptr<Device> watched = device;
  device.reset();
  EXPECT_FALSE(watched.expired());
  storage = StorageRef();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(source.held_blocks(), 0u);
}

}  // namespace
}  // namespace switchyard
