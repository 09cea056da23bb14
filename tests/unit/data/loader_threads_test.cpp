// Loaders with workers: order, errors, early ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <switchyard/data.hpp>
#include <thread>

#include "data/numbered_set.hpp"

namespace switchyard {
namespace {

std::shared_ptr<const Dataset> set_of(std::int64_t size,
                                      std::function<void(std::int64_t)> on_get = {}) {
  return std::make_shared<NumberedSet>(size, std::move(on_get));
}

TEST(LoaderThreadsTest, WorkersChangeNothing) {
  DataLoader plain(set_of(103), {.batch_size = 4, .seed = 1, .shuffle = true});
  const auto first = pass_of(plain);
  const auto second = pass_of(plain);
  for (const int workers : {1, 2, 7}) {
    for (const int prefetch : {1, 3}) {
      // Examples that take unequal times, so that workers overtake each other.
      const auto dawdle = [](std::int64_t i) {
        if (i % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      };
      DataLoader loader(
          set_of(103, dawdle),
          {.batch_size = 4, .prefetch = prefetch, .seed = 1, .shuffle = true, .workers = workers});
      EXPECT_EQ(pass_of(loader), first);
      EXPECT_EQ(pass_of(loader), second);
    }
  }
}

TEST(LoaderThreadsTest, WorkersAreAheadButNotTooFar) {
  std::atomic<int> made{0};
  DataLoader loader(set_of(100, [&](std::int64_t) { ++made; }), {.prefetch = 3, .workers = 2});
  auto batches = loader.begin();
  // The first is taken, so that six more may be begun.
  for (int wait = 0; wait < 2000 && made < 7; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(made, 7);
  ++batches;
  for (int wait = 0; wait < 2000 && made < 8; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(made, 8);
}

TEST(LoaderThreadsTest, ThrowsWhatAWorkerThrewInItsPosition) {
  for (const int workers : {0, 1, 4}) {
    DataLoader loader(set_of(20,
                             [](std::int64_t i) {
                               if (i == 9) throw std::out_of_range("nine");
                             }),
                      {.batch_size = 2, .workers = workers});
    std::vector<Numbers> seen;
    try {
      for (const Batch& batch : loader) seen.push_back(batch.input().to_vector<std::int64_t>());
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      EXPECT_STREQ(error.what(), "nine");
    }
    ASSERT_EQ(seen.size(), 4u);
    EXPECT_EQ(seen.back(), (Numbers{6, 7}));
    EXPECT_EQ(loader.state().position, 4);
    EXPECT_EQ(loader.state().epoch, 0u);
  }
}

TEST(LoaderThreadsTest, LeavingEarlyEndsTheWorkers) {
  std::atomic<int> inside{0};
  for (int round = 0; round < 50; ++round) {
    DataLoader loader(set_of(1000,
                             [&](std::int64_t) {
                               ++inside;
                               std::this_thread::yield();
                               --inside;
                             }),
                      {.batch_size = 10, .prefetch = 1, .workers = 3});
    int seen = 0;
    for ([[maybe_unused]] const Batch& batch : loader) {
      if (++seen > round % 4) break;
    }
    const int after = inside;
    EXPECT_EQ(after, 0);
  }
}

TEST(LoaderThreadsTest, LeavingWaitsForAnExampleButNotForABatch) {
  constexpr std::int64_t kBatch = 20'000;
  std::atomic<int> slow{0};  // the second batch would take 20 seconds
  const auto on_get = [&](std::int64_t i) {
    if (i < kBatch) return;
    ++slow;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  DataLoader loader(set_of(2 * kBatch, on_get), {.batch_size = kBatch, .workers = 1});
  {
    const auto batches = loader.begin();
    EXPECT_FALSE(batches == loader.end());
  }
  EXPECT_LT(slow, kBatch / 2);
}

TEST(LoaderThreadsTest, AnIteratorOutlivesItsLoader) {
  auto loader = std::make_unique<DataLoader>(set_of(4), DataLoaderOptions{.workers = 2});
  auto batches = loader->begin();
  loader.reset();
  Numbers seen;
  for (; batches != std::default_sentinel; ++batches) {
    seen.push_back(batches->input().item<std::int64_t>());
  }
  EXPECT_EQ(seen, (Numbers{0, 1, 2, 3}));
}

}  // namespace
}  // namespace switchyard
