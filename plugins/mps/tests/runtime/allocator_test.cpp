// The allocator against a model, and what it does when memory is short.
#include "runtime/allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "software_device.hpp"

namespace mps::runtime_tests {
namespace {

using testing::HasSubstr;

class AllocatorTest : public testing::Test {
 protected:
  void use(uint64_t memory_bytes, Watermarks watermarks = {}) {
    device_ = open_software(memory_bytes);
    const auto wait = [this] {
      ++waits_;
      if (at_wait_) at_wait_();
    };
    allocator_ = std::make_unique<Allocator>(*device_, seam::StorageMode::shared, watermarks, wait);
  }
  // What an allocation says that fails with that fault, or "nothing".
  std::string failure_of(size_t bytes, seam::Fault fault) {
    try {
      allocator_->release(allocator_->allocate(bytes, nullptr));
    } catch (const seam::Failure& failure) {
      return failure.fault() == fault ? failure.what() : "another fault";
    }
    return "nothing";
  }

  seam::Ref<seam::Device> device_;
  std::unique_ptr<Allocator> allocator_;
  std::function<void()> at_wait_;
  int waits_ = 0;
};

// A live block and what was written to it.
struct Live {
  Block* block;
  size_t asked;
  unsigned char pattern;
};

void fill(const Live& live) { std::memset(live.block->buffer->host(), live.pattern, live.asked); }

bool is_intact(const Live& live) {
  // Each byte is equal to the next one; memcmp is fast in tests, which are not optimised.
  const auto* bytes = reinterpret_cast<const unsigned char*>(live.block->buffer->host());
  return bytes[0] == live.pattern && std::memcmp(bytes, bytes + 1, live.asked - 1) == 0;
}

bool overlaps(const Block& a, const Block& b) {
  return a.heap == b.heap && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

size_t random_size(std::mt19937& random) {
  static constexpr size_t largest[] = {600, 40 * kibi, 900 * kibi, 3 * mebi, 12 * mebi};
  return 1 + random() % largest[std::min<size_t>(random() % 12, 4)];
}

TEST_F(AllocatorTest, KeepsBlocksApartAndCountsThemOverRandomUse) {
  use(256 * mebi, {0.2, 1.0});  // the low watermark is passed at times
  std::mt19937 random(11);
  std::vector<Live> live;
  size_t used = 0, peak = 0;
  for (int step = 0; step < 3000; ++step) {
    const bool grows = live.empty() || (live.size() < 40 && random() % 2 == 0);
    if (grows) {
      const size_t asked = random_size(random);
      Block* block = allocator_->allocate(asked, nullptr);
      ASSERT_GE(block->bytes, asked);
      ASSERT_EQ(block->buffer->size(), block->bytes);
      for (const Live& other : live) ASSERT_FALSE(overlaps(*block, *other.block));
      live.push_back({block, asked, static_cast<unsigned char>(step)});
      fill(live.back());
      used += block->bytes;
      peak = std::max(peak, used);
    } else {
      const size_t chosen = random() % live.size();
      ASSERT_TRUE(is_intact(live[chosen])) << "step " << step;
      used -= live[chosen].block->bytes;
      allocator_->release(live[chosen].block);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    if (step % 500 == 499) allocator_->trim();
    const AllocatorStatistics statistics = allocator_->statistics();
    ASSERT_EQ(statistics.used_bytes, used);
    ASSERT_EQ(statistics.peak_used_bytes, peak);
    ASSERT_EQ(statistics.used_bytes + statistics.cached_bytes, statistics.heap_bytes);
    ASSERT_EQ(statistics.heap_bytes, device_->allocated_bytes());
  }
  for (const Live& each : live) {
    EXPECT_TRUE(is_intact(each));
    allocator_->release(each.block);
  }
  allocator_->trim();
  EXPECT_EQ(device_->allocated_bytes(), 0u);
  EXPECT_GT(allocator_->statistics().reuses, 100u);
}

TEST_F(AllocatorTest, RoundsToClassesThatLoseAnEighthAtMost) {
  use(256 * mebi);
  for (const size_t asked : {size_t{1}, size_t{256}, size_t{257}, size_t{5000}, 100 * kibi,
                             mebi - 1, mebi, mebi + 1, 9 * mebi + 5, 70 * mebi}) {
    Block* block = allocator_->allocate(asked, nullptr);
    EXPECT_GE(block->bytes, asked);
    EXPECT_LE(block->bytes, std::max<size_t>(asked + asked / 8, asked + 256)) << asked;
    EXPECT_EQ(block->bytes % 256, 0u);
    EXPECT_EQ(block->offset % device_->placement_alignment(), 0u);
    allocator_->release(block);
  }
}

TEST_F(AllocatorTest, SmallAndLargeBlocksLieOnHeapsOfTheirOwn) {
  use(512 * mebi);
  std::vector<Block*> blocks;
  for (const size_t bytes : {size_t{100}, 2 * mebi, 20 * mebi, 100 * mebi}) {
    for (int i = 0; i < 2; ++i) blocks.push_back(allocator_->allocate(bytes, nullptr));
  }
  for (size_t i = 0; i < 6; i += 2) EXPECT_EQ(blocks[i]->heap, blocks[i + 1]->heap);
  EXPECT_NE(blocks[6]->heap, blocks[7]->heap);
  std::set<AllocatorHeap*> heaps;
  for (const Block* block : blocks) heaps.insert(block->heap);
  EXPECT_EQ(heaps.size(), 5u);
  EXPECT_EQ(allocator_->statistics().heaps, 5u);
  EXPECT_EQ(allocator_->statistics().heap_bytes, (8 + 32 + 256 + 2 * 104) * mebi);
  for (Block* block : blocks) allocator_->release(block);
}

TEST_F(AllocatorTest, AStreamGetsItsOwnBlockBackBeforeItsWorkIsDone) {
  use(64 * mebi);
  const auto stream = std::make_shared<Progress>();
  Block* block = allocator_->allocate(1000, stream);
  stream->enqueued = 5;
  allocator_->release(block);
  EXPECT_EQ(allocator_->allocate(1000, stream), block);
  EXPECT_EQ(allocator_->statistics().reuses, 1u);
  allocator_->release(block);
}

TEST_F(AllocatorTest, OthersGetABlockOnceItsWorkIsDone) {
  use(64 * mebi);
  const auto stream = std::make_shared<Progress>();
  const auto other = std::make_shared<Progress>();
  Block* block = allocator_->allocate(1000, stream);
  stream->enqueued = 5;
  allocator_->release(block);
  stream->completed = 4;
  Block* fresh = allocator_->allocate(1000, other);
  EXPECT_NE(fresh, block);
  Block* of_nobody = allocator_->allocate(1000, nullptr);
  EXPECT_NE(of_nobody, block);
  stream->completed = 5;
  EXPECT_EQ(allocator_->allocate(1000, other), block);
  for (Block* each : {fresh, of_nobody, block}) allocator_->release(each);
}

TEST_F(AllocatorTest, TheHostGetsOnlyBlocksThatNothingUses) {
  use(64 * mebi);
  const auto stream = std::make_shared<Progress>();
  Block* block = allocator_->allocate(1000, stream);
  stream->enqueued = 3;
  allocator_->release(block);
  Block* fresh = allocator_->allocate(1000, stream, FirstWriter::host);
  EXPECT_NE(fresh, block);
  stream->completed = 3;
  EXPECT_EQ(allocator_->allocate(1000, stream, FirstWriter::host), block);
  allocator_->release(fresh);
  allocator_->release(block);
}

// Work that ran before the block changed hands says nothing of those who have it now.
TEST_F(AllocatorTest, ABlockInUseIsIdleForTheHostOnceItsEarlierWorkIsDone) {
  use(64 * mebi);
  const auto first = std::make_shared<Progress>();
  const auto second = std::make_shared<Progress>();
  Block* block = allocator_->allocate(1000, first);
  first->enqueued = 7;
  allocator_->release(block);
  ASSERT_EQ(allocator_->allocate(1000, first), block);
  EXPECT_FALSE(block->is_idle());
  first->completed = 7;
  EXPECT_TRUE(block->is_idle());
  allocator_->release(block);
  ASSERT_EQ(allocator_->allocate(1000, second), block);
  EXPECT_TRUE(block->is_idle());
  allocator_->release(block);
}

TEST_F(AllocatorTest, AboveTheLowWatermarkOldFreeMemoryGoesBack) {
  use(256 * mebi, {0.5, 1.0});
  std::vector<Block*> blocks;
  for (int i = 0; i < 2; ++i) blocks.push_back(allocator_->allocate((64 + i) * mebi, nullptr));
  for (Block* block : blocks) allocator_->release(block);
  EXPECT_GT(device_->allocated_bytes(), 128 * mebi);  // nothing went back before it was needed
  Block* block = allocator_->allocate(80 * mebi, nullptr);
  EXPECT_LT(device_->allocated_bytes(), 160 * mebi);  // the older of the two went
  EXPECT_EQ(allocator_->statistics().used_bytes, 80 * mebi);
  EXPECT_EQ(waits_, 0);
  allocator_->release(block);
}

TEST_F(AllocatorTest, CollectedMemoryIsUsedBeforeTheDeviceIsAskedForMore) {
  use(64 * mebi, {0.1, 1.0});
  std::vector<Block*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(allocator_->allocate(mebi, nullptr));
  const size_t before = device_->allocated_bytes();  // two blocks a heap
  for (size_t i = 1; i < blocks.size(); ++i) allocator_->release(blocks[i]);
  Block* block = allocator_->allocate(900 * kibi, nullptr);  // of another class
  EXPECT_EQ(block->heap, blocks[0]->heap);
  EXPECT_EQ(device_->allocated_bytes(), before - 2 * mebi);
  allocator_->release(blocks[0]);
  allocator_->release(block);
}

TEST_F(AllocatorTest, WhatIsInUseStaysAboveTheLowWatermark) {
  use(256 * mebi, {0.1, 1.0});
  const auto stream = std::make_shared<Progress>();
  Block* busy = allocator_->allocate(64 * mebi, stream);
  stream->enqueued = 1;
  allocator_->release(busy);
  Block* block = allocator_->allocate(80 * mebi, nullptr);
  EXPECT_GE(device_->allocated_bytes(), 144 * mebi);
  EXPECT_EQ(allocator_->allocate(64 * mebi, stream), busy);
  allocator_->release(busy);
  allocator_->release(block);
}

TEST_F(AllocatorTest, ReturnsFreeBlocksBeforeItFails) {
  use(64 * mebi, {10, 1.0});
  allocator_->release(allocator_->allocate(40 * mebi, nullptr));
  Block* block = allocator_->allocate(50 * mebi, nullptr);
  EXPECT_EQ(waits_, 0);
  allocator_->release(block);
}

TEST_F(AllocatorTest, WaitsForWorkBeforeItFails) {
  use(64 * mebi, {10, 1.0});
  const auto stream = std::make_shared<Progress>();
  Block* busy = allocator_->allocate(40 * mebi, stream);
  stream->enqueued = 1;
  allocator_->release(busy);
  at_wait_ = [&] { stream->completed = 1; };
  Block* block = allocator_->allocate(50 * mebi, nullptr);
  EXPECT_EQ(waits_, 1);
  allocator_->release(block);
}

TEST_F(AllocatorTest, ThenItFailsAndNamesTheLargestFreeRun) {
  use(64 * mebi, {10, 1.0});
  Block* large = allocator_->allocate(40 * mebi, nullptr);
  Block* small = allocator_->allocate(mebi, nullptr);
  const std::string message = failure_of(50 * mebi, seam::Fault::out_of_memory);
  EXPECT_EQ(waits_, 1);
  EXPECT_THAT(message, HasSubstr("52428800 bytes"));
  EXPECT_THAT(message, HasSubstr(std::to_string(41 * mebi) + " are in use"));
  EXPECT_THAT(message, HasSubstr("largest free run is " + std::to_string(7 * mebi)));
  EXPECT_THAT(message, HasSubstr("high_watermark"));
  allocator_->release(large);
  allocator_->release(small);
  EXPECT_EQ(failure_of(50 * mebi, seam::Fault::out_of_memory), "nothing");
}

TEST_F(AllocatorTest, UsesTheLastBytesThatTheDeviceGives) {
  use(64 * mebi, {10, 0});
  std::vector<Block*> blocks{allocator_->allocate(60 * mebi, nullptr)};
  for (int i = 0; i < 4; ++i) blocks.push_back(allocator_->allocate(mebi, nullptr));
  EXPECT_EQ(device_->allocated_bytes(), 64 * mebi);
  const std::string message = failure_of(1, seam::Fault::out_of_memory);
  EXPECT_THAT(message, HasSubstr("largest free run is 0"));
  EXPECT_THAT(message, testing::Not(HasSubstr("limit is 0")));  // 0 stands for none
  for (Block* block : blocks) allocator_->release(block);
}

TEST_F(AllocatorTest, TheHighWatermarkLimitsAllHeapsTogether) {
  use(256 * mebi, {0.25, 0.5});
  std::vector<Block*> blocks;
  try {
    for (;;) blocks.push_back(allocator_->allocate(10 * mebi, nullptr));
  } catch (const seam::Failure& failure) {
    EXPECT_EQ(failure.fault(), seam::Fault::out_of_memory);
  }
  EXPECT_EQ(blocks.size(), 12u);
  EXPECT_LE(device_->allocated_bytes(), 128 * mebi);
  for (Block* block : blocks) allocator_->release(block);
}

TEST_F(AllocatorTest, TakesTheLargestBufferAndNoLarger) {
  use(63 * mebi, {10, 0});  // no class ends there
  const size_t most = device_->info().max_buffer_bytes;
  EXPECT_THAT(failure_of(most + 1, seam::Fault::unsupported),
              HasSubstr(std::to_string(most) + " at most"));
  Block* block = allocator_->allocate(most, nullptr);
  EXPECT_EQ(block->bytes, most);
  allocator_->release(block);
  block = allocator_->allocate(most - 1000, nullptr);  // whose class would be above the most
  EXPECT_LE(block->bytes, most);
  allocator_->release(block);
}

TEST_F(AllocatorTest, TrimReturnsHeapsThatAreWhollyFree) {
  use(256 * mebi);
  Block* small = allocator_->allocate(1000, nullptr);
  Block* medium = allocator_->allocate(4 * mebi, nullptr);
  Block* neighbour = allocator_->allocate(2000, nullptr);
  allocator_->release(medium);
  allocator_->release(neighbour);
  EXPECT_EQ(allocator_->trim(), 32 * mebi);
  EXPECT_EQ(device_->allocated_bytes(), 8 * mebi);
  EXPECT_EQ(allocator_->statistics().cached_bytes, 8 * mebi - small->bytes);
  allocator_->release(small);
  EXPECT_EQ(allocator_->trim(), 8 * mebi);
  EXPECT_EQ(allocator_->trim(), 0u);
  EXPECT_EQ(device_->allocated_bytes(), 0u);
}

TEST_F(AllocatorTest, TrimLeavesBlocksThatWorkStillUses) {
  use(64 * mebi);
  const auto stream = std::make_shared<Progress>();
  Block* block = allocator_->allocate(1000, stream);
  stream->enqueued = 1;
  allocator_->release(block);
  EXPECT_EQ(allocator_->trim(), 0u);
  stream->completed = 1;
  EXPECT_EQ(allocator_->trim(), 8 * mebi);
}

}  // namespace
}  // namespace mps::runtime_tests
