#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "memory/allocator.hpp"
#include "memory/fake_memory.hpp"

namespace switchyard {
namespace {

constexpr int kThreads = 4;

void in_threads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(AllocatorThreads, BlocksNeverHaveTwoUsers) {
  CountingSource source;
  Allocator allocator(source, "dev:0", {}, [] { return nullptr; });
  std::vector<std::atomic<int>> users(4096);  // by handle
  in_threads([&](int seed) {
    std::minstd_rand random(static_cast<unsigned>(seed) + 1);
    ManualProgress stream;
    for (int round = 0; round < 500; ++round) {
      const StorageRef storage = allocator.allocate(1 + random() % 1000);
      std::atomic<int>& user = users[storage->handle()];
      ASSERT_EQ(user.fetch_add(1), 0);
      storage->record_write(stream, static_cast<std::uint64_t>(round + 1));
      stream.complete(static_cast<std::uint64_t>(round + 1));
      user.fetch_sub(1);
    }
  });
  EXPECT_EQ(allocator.statistics().used_bytes, 0u);
  EXPECT_EQ(allocator.statistics().allocations, kThreads * 500u);
  EXPECT_EQ(allocator.statistics().cached_bytes, source.held_bytes());
}

TEST(AllocatorThreads, TogetherTheyKeepToTheLimit) {
  CountingSource source;
  Allocator allocator(source, "dev:0", {.bytes = 1024}, [] { return nullptr; });
  std::atomic<int> refused{0};
  in_threads([&](int seed) {
    std::minstd_rand random(static_cast<unsigned>(seed) + 1);
    for (int round = 0; round < 300; ++round) {
      try {
        const StorageRef storage = allocator.allocate(64 << random() % 4);
        std::this_thread::yield();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
        ++refused;
      }
    }
  });
  EXPECT_LE(source.most_held_bytes(), 1024u);
  EXPECT_LT(refused, kThreads * 300);
}

TEST(AllocatorThreads, NobodyIsRefusedWhatWouldFit) {
  // Each thread holds 256 bytes at most, and the limit is what all may hold together.
  std::vector<ManualProgress> streams(kThreads);  // outlive what used them
  CountingSource source;
  Allocator allocator(source, "dev:0", {.bytes = kThreads * 256}, [] { return nullptr; });
  in_threads([&](int thread) {
    std::minstd_rand random(static_cast<unsigned>(thread) + 1);
    ManualProgress& stream = streams[static_cast<std::size_t>(thread)];
    for (std::uint64_t round = 1; round <= 2000; ++round) {
      const StorageRef storage = allocator.allocate(64u << random() % 3);
      storage->record_write(stream, round);
      if (random() % 2 == 0) stream.complete(round);
    }
  });
  EXPECT_LE(source.most_held_bytes(), kThreads * 256u);
}

TEST(AllocatorThreads, OneStorageIsReadByManyStreams) {
  CountingSource source;
  Allocator allocator(source, "dev:0", {}, [] { return nullptr; });
  const StorageRef shared = allocator.allocate(64);
  std::vector<ManualProgress> streams(kThreads);
  in_threads([&](int thread) {
    ManualProgress& stream = streams[static_cast<std::size_t>(thread)];
    for (std::uint64_t round = 1; round <= 500; ++round) {
      shared->record_write(stream, round);
      shared->order_before_write(stream);
    }
    shared->wait_until_idle();
  });
  EXPECT_TRUE(shared->idle());
}

}  // namespace
}  // namespace switchyard
