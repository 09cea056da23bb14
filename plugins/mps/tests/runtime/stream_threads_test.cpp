// Streams with several threads about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "streams_under_test.hpp"

namespace mps::runtime_tests {
namespace {

using StreamThreads = StreamTest;

TEST_F(StreamThreads, ManyWaitWhileOneRecords) {
  const auto stream = make_stream({5, 1 << 30});
  std::atomic<uint64_t> recorded{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 3; ++i) {
    waiters.emplace_back([&] {
      while (!done) {
        const uint64_t number = recorded;
        stream->wait(number);
        EXPECT_GE(stream->progress()->completed, number);
      }
    });
  }
  for (int i = 0; i < 500; ++i) recorded = write(*stream, static_cast<uint8_t>(i));
  stream->wait(500);
  done = true;
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(read(), 499 % 256);
}

TEST_F(StreamThreads, EachWaitsForAnothersNumber) {
  const auto stream = make_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  for (int i = 0; i < 4; ++i) write(*stream, 1);
  stream->flush();
  std::atomic<int> woken{0};
  std::vector<std::thread> waiters;
  for (uint64_t number = 1; number <= 4; ++number) {
    waiters.emplace_back([&, number] {
      stream->wait(number);
      ++woken;
    });
  }
  EXPECT_EQ(woken, 0);
  gate.open();
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(woken, 4);
}

TEST_F(StreamThreads, AFailureReachesAllWhoWait) {
  const auto stream = make_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  const uint64_t number = fault(*stream);
  stream->flush();
  std::atomic<int> failed{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 4; ++i) {
    waiters.emplace_back([&] {
      if (failure_of([&] { stream->wait(number); }) != "nothing") ++failed;
    });
  }
  gate.open();
  for (int i = 0; i < 50; ++i) write(*stream, 9, 5);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(failed, 4);
  EXPECT_NE(failure_of([&] { stream->wait(number + 50); }), "nothing");
}

// A failure may come between any two operations: no number is lost, none completes too early.
TEST_F(StreamThreads, AFailureMayComeAtAnyTime) {
  for (int round = 0; round < 30; ++round) {
    const auto stream = make_stream({2, 1 << 30});
    uint64_t last = fault(*stream);
    stream->flush();
    for (int i = 0; i < round; ++i) last = write(*stream, 1);
    EXPECT_NE(failure_of([&] { stream->wait(1); }), "nothing");
    EXPECT_NE(failure_of([&] { stream->wait(last); }), "nothing");
    EXPECT_GE(stream->progress()->completed, last);
  }
}

TEST_F(StreamThreads, TwoStreamsPassWorkToAndFro) {
  const auto left = make_stream({3, 1 << 30});
  const auto right = make_stream({4, 1 << 30});
  const auto event = device_->event();
  constexpr uint64_t rounds = 60;
  const auto play = [&](Stream& own, Stream& other, uint64_t first) {
    for (uint64_t turn = first; turn < rounds; turn += 2) {
      if (turn > 0) own.wait_for(event, turn, other.outcome());
      move(own, turn % words, (turn + 1) % words);
      own.signal(event, turn + 1);
      own.flush();
    }
    own.wait(rounds / 2);
  };
  write(*left, 33);
  left->wait(1);
  std::thread thread([&] { play(*right, *left, 1); });
  play(*left, *right, 0);
  thread.join();
  left->wait(rounds / 2 + 1);
  EXPECT_EQ(read(rounds % words), 33);
}

TEST_F(StreamThreads, StreamsShareAnAllocatorAndKeepTheirTemporaries) {
  std::atomic<int> wrong{0};
  const auto work = [&](uint8_t value) {
    const auto stream = make_stream({7, 1 << 30});
    const auto sink = device_->buffer(4096, seam::StorageMode::shared);
    for (int i = 0; i < 120; ++i) {
      const uint64_t number = stream->record(2048, [&] {
        Block& first = stream->temporary(1024);
        stream->commands().fill(first.buffer, 0, 1024, value);
        Block& second = stream->temporary(1024);
        stream->commands().copy(first.buffer, 0, second.buffer, 0, 1024);
        stream->commands().copy(second.buffer, 0, sink, 0, 1024);
        auto seen = stream->download_buffer(1024);
        stream->commands().copy(sink, 0, seen->buffer, 0, 1024);
        stream->afterwards([&, seen = std::move(seen)] {
          for (size_t at = 0; at < 1024; ++at) {
            if (std::to_integer<uint8_t>(seen->buffer->host()[at]) != value) ++wrong;
          }
        });
      });
      if (i % 17 == 0) stream->wait(number);
    }
    stream->wait(120);
  };
  std::thread thread([&] { work(1); });
  work(2);
  thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(memory_.statistics().used_bytes, 0u);
}

}  // namespace
}  // namespace mps::runtime_tests
