// Threads that allocate, write, check and release at once.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "software_device.hpp"

namespace mps::runtime_tests {
namespace {

struct Live {
  Block* block;
  size_t asked;
};

// False if a block lost what was written to it.
bool churn(Allocator& allocator, unsigned seed) {
  std::mt19937 random(seed);
  const auto progress = std::make_shared<Progress>();
  std::vector<Live> live;
  bool intact = true;
  const auto drop = [&](size_t chosen) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(live[chosen].block->buffer->host());
    for (size_t i = 0; i < live[chosen].asked; i += 97) intact = intact && bytes[i] == seed;
    allocator.release(live[chosen].block);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(chosen));
  };
  for (int step = 0; step < 400; ++step) {
    if (live.empty() || (live.size() < 12 && random() % 2 == 0)) {
      const size_t asked = 1 + random() % (random() % 4 == 0 ? 2 * mebi : 20 * kibi);
      Block* block = allocator.allocate(asked, progress);
      std::memset(block->buffer->host(), static_cast<int>(seed), asked);
      live.push_back({block, asked});
    } else {
      drop(random() % live.size());
    }
    if (step % 100 == 99) allocator.trim();
    progress->completed = progress->enqueued.fetch_add(1) + 1;
  }
  while (!live.empty()) drop(live.size() - 1);
  return intact;
}

TEST(AllocatorThreads, FourAtOnceKeepTheirBlocks) {
  const auto device = open_software(512 * mebi);
  Allocator allocator(*device, seam::StorageMode::shared, {0.05, 1.0}, [] {});
  std::atomic<int> intact{0};
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([&, seed] { intact += churn(allocator, seed) ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(intact, 4);
  EXPECT_EQ(allocator.statistics().used_bytes, 0u);
  allocator.trim();
  EXPECT_EQ(device->allocated_bytes(), 0u);
}

}  // namespace
}  // namespace mps::runtime_tests
