#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/plugin/asynchronous_stream.hpp"
#include "switchyard/plugin/synchronous_stream.hpp"

namespace {

// Holds work back until the test opens it.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

TEST(PluginSynchronousStream, CountsCallersOfManyThreads) {
  sy::SynchronousStream stream;
  std::vector<std::thread> threads;
  std::atomic<uint64_t> sum{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) sum += stream.complete_next();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stream.completed(), 4000u);
  EXPECT_EQ(sum, 4000u * 4001u / 2);
  EXPECT_EQ(__atomic_load_n(stream.counter(), __ATOMIC_ACQUIRE), 4000u);
  EXPECT_NO_THROW(stream.wait(4000));
  EXPECT_THROW(stream.wait(4001), sy::Failure);
}

TEST(PluginAsynchronousStream, RunsInOrderAndNumbersFromOne) {
  sy::AsynchronousStream stream;
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(stream.enqueue([&order, i] { order.push_back(i); }), static_cast<uint64_t>(i) + 1);
  }
  stream.wait(100);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  EXPECT_EQ(stream.completed(), 100u);
  EXPECT_THROW(stream.wait(101), sy::Failure);
}

TEST(PluginAsynchronousStream, ReturnsBeforeTheWorkIsDone) {
  Gate gate;
  sy::AsynchronousStream stream;
  const uint64_t sequence = stream.enqueue([&] { gate.pass(); });
  EXPECT_EQ(stream.completed(), 0u);
  gate.open();
  stream.wait(sequence);
  EXPECT_EQ(stream.completed(), 1u);
}

TEST(PluginAsynchronousStream, HoldsABatchBackUntilFlushed) {
  std::atomic<int> done{0};
  sy::AsynchronousStream stream(3);
  const auto work = [&] { ++done; };
  stream.enqueue(work);
  stream.enqueue(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(done, 0);
  stream.enqueue(work);  // fills the batch
  while (stream.completed() < 3) std::this_thread::yield();
  stream.enqueue(work);
  stream.flush();
  while (stream.completed() < 4) std::this_thread::yield();
  stream.enqueue(work);
  stream.wait(5);  // flushes
  EXPECT_EQ(done, 5);
}

TEST(PluginAsynchronousStream, FinishesItsWorkWhenDestroyed) {
  std::atomic<int> done{0};
  {
    sy::AsynchronousStream stream(100);
    for (int i = 0; i < 10; ++i) stream.enqueue([&] { ++done; });
  }
  EXPECT_EQ(done, 10);
}

TEST(PluginAsynchronousStream, KeepsItsFirstErrorAndDropsLaterWork) {
  std::atomic<int> done{0};
  sy::AsynchronousStream stream;
  stream.enqueue([&] { ++done; });
  stream.enqueue([] { throw sy::Failure(SY_DEVICE_LOST, SY_REASON_NONE, "gone"); });
  stream.enqueue([&] { ++done; });
  for (const uint64_t sequence : {3, 2}) {
    try {
      stream.wait(sequence);
      FAIL() << "the error did not stick";
    } catch (const sy::Failure& failure) {
      EXPECT_EQ(failure.status(), SY_DEVICE_LOST);
      EXPECT_STREQ(failure.what(), "gone");
    }
  }
  EXPECT_NO_THROW(stream.wait(1)) << "that work had completed";
  EXPECT_EQ(done, 1);
  EXPECT_EQ(stream.completed(), 3u);
}

TEST(PluginAsynchronousStream, FreesWhatWorkHeldBeforeItCompletes) {
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = held;
  sy::AsynchronousStream stream;
  stream.wait(stream.enqueue([held = std::move(held)] {}));
  EXPECT_TRUE(watched.expired());
}

TEST(PluginAsynchronousStream, MayBeWaitedForByManyThreads) {
  sy::AsynchronousStream stream(7);
  std::atomic<int> done{0};
  uint64_t last = 0;
  for (int i = 0; i < 50; ++i) last = stream.enqueue([&] { ++done; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      stream.wait(last);
      EXPECT_EQ(done, 50);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PluginEvent, ReturnsAtOnceIfNothingWasRecorded) {
  sy::Event event;
  event.wait();
  sy::AsynchronousStream stream;
  stream.wait_for(event);
  stream.wait(stream.enqueue([] {}));
}

TEST(PluginEvent, OrdersWorkOfTwoStreams) {
  Gate gate;
  int value = 0;  // the event alone keeps its two users apart
  sy::AsynchronousStream producer(8), consumer;
  sy::Event event;
  producer.enqueue([&] {
    gate.pass();
    value = 42;
  });
  producer.record(event);
  consumer.wait_for(event);  // flushes the producer's batch
  int seen = 0;
  const uint64_t sequence = consumer.enqueue([&] { seen = value; });
  EXPECT_EQ(sequence, 1u);  // waiting takes no number
  EXPECT_EQ(consumer.completed(), 0u);
  gate.open();
  consumer.wait(sequence);
  EXPECT_EQ(seen, 42);
}

TEST(PluginEvent, OutlivesTheStreamThatRecordedIt) {
  sy::Event event;
  {
    sy::AsynchronousStream stream(5);
    stream.enqueue([] {});
    stream.record(event);
  }
  event.wait();
}

TEST(PluginEvent, CarriesFailuresToWhoDependsOnThem) {
  sy::AsynchronousStream producer, consumer;
  sy::Event before, after;
  producer.enqueue([] {});
  producer.record(before);
  producer.enqueue([] { throw sy::bug("broken"); });
  producer.record(after);
  EXPECT_NO_THROW(before.wait());
  EXPECT_THROW(after.wait(), sy::Failure);
  bool ran = false;
  consumer.wait_for(before);
  consumer.wait(consumer.enqueue([] {}));
  consumer.wait_for(after);
  const uint64_t sequence = consumer.enqueue([&] { ran = true; });
  EXPECT_THROW(consumer.wait(sequence), sy::Failure);
  EXPECT_FALSE(ran);
}

TEST(PluginEvent, IsRecordedAndWaitedForByManyThreads) {
  sy::Event event;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      sy::AsynchronousStream stream(2);
      for (int i = 0; i < 50; ++i) {
        stream.enqueue([] {});
        stream.record(event);
        stream.wait_for(event);
        event.wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
