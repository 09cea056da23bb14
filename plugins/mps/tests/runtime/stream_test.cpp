// When a stream commits, in which order its work runs, and what a failure does to it.
#include "runtime/stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "forwarding_device.hpp"
#include "streams_under_test.hpp"

namespace mps::runtime_tests {
namespace {

using testing::HasSubstr;

TEST_F(StreamTest, CommitsOnceForManyOperations) {
  const auto stream = make_stream({10, 1 << 30});
  for (int i = 0; i < 9; ++i) write(*stream, 1);
  EXPECT_EQ(stream->committed_buffers(), 0u);
  write(*stream, 1);
  EXPECT_EQ(stream->committed_buffers(), 1u);
  for (int i = 0; i < 35; ++i) write(*stream, 1);
  EXPECT_EQ(stream->committed_buffers(), 4u);
  stream->wait(45);
  EXPECT_EQ(stream->committed_buffers(), 5u);
}

TEST_F(StreamTest, CommitsOnceItsOperationsMoveEnough) {
  const auto stream = make_stream({1000, 100});
  write(*stream, 1, 0, 60);
  EXPECT_EQ(stream->committed_buffers(), 0u);
  write(*stream, 1, 0, 60);
  EXPECT_EQ(stream->committed_buffers(), 1u);
  write(*stream, 1, 0, 60);
  EXPECT_EQ(stream->committed_buffers(), 1u);
}

TEST_F(StreamTest, AnOperationOfManyCommandsIsNotTorn) {
  const auto stream = make_stream({1, 1});
  stream->record(1000, [&] {
    for (int i = 0; i < 100; ++i) stream->commands().fill(target_, 0, 4, 3);
    EXPECT_EQ(stream->committed_buffers(), 0u);
  });
  EXPECT_EQ(stream->committed_buffers(), 1u);
}

TEST_F(StreamTest, FlushAndWaitCommitOnlyWhatIsThere) {
  const auto stream = make_stream();
  stream->flush();
  stream->wait(0);
  EXPECT_EQ(stream->committed_buffers(), 0u);
  const uint64_t number = write(*stream, 1);
  stream->flush();
  stream->flush();
  stream->wait(number);
  stream->wait(number);
  EXPECT_EQ(stream->committed_buffers(), 1u);
}

TEST_F(StreamTest, WorkRunsInOrder) {
  const auto stream = make_stream({3, 1 << 30});
  uint64_t last = 0;
  for (size_t i = 0; i + 1 < words; ++i) {
    write(*stream, static_cast<uint8_t>(i + 1), i);
    last = move(*stream, i, i + 1);
  }
  EXPECT_EQ(last, 2 * (words - 1));
  stream->wait(last);
  for (size_t i = 0; i + 1 < words; ++i) EXPECT_EQ(read(i), i + 1);
  EXPECT_EQ(read(words - 1), words - 1);
  EXPECT_EQ(stream->progress()->completed, last);
}

TEST_F(StreamTest, NumbersRiseByOneAndNoneIsWaitedForBeforeItIsGiven) {
  const auto stream = make_stream();
  for (uint64_t i = 1; i <= 5; ++i) EXPECT_EQ(write(*stream, 1), i);
  EXPECT_EQ(failure_of([&] { stream->wait(6); }), "waits for 6, but the stream's last number is 5");
}

TEST_F(StreamTest, AnOperationWithoutCommandsCompletesInItsTurn) {
  const auto stream = make_stream();
  EXPECT_EQ(stream->record(0, [] {}), 1u);
  stream->wait(1);
  Gate gate(*device_);
  gate.hold(*stream);
  const uint64_t held = write(*stream, 4);
  stream->flush();
  const uint64_t empty = stream->record(0, [] {});
  stream->flush();
  EXPECT_LT(stream->progress()->completed, held);
  gate.open();
  stream->wait(empty);
  EXPECT_EQ(read(), 4);
}

TEST_F(StreamTest, WhatAnOperationThrowsComesThroughAndTakesNoNumber) {
  const auto stream = make_stream();
  write(*stream, 1);
  EXPECT_EQ(failure_of([&] {
              stream->record(4, [&] {
                stream->temporary(1000);
                throw sy::invalid("no such thing");
              });
            }),
            "no such thing");
  EXPECT_EQ(write(*stream, 2), 2u);
  stream->wait(2);
  EXPECT_EQ(read(), 2);
  write(*stream, 3);
  stream->wait(3);
  EXPECT_EQ(memory_.statistics().used_bytes, 0u);
}

TEST_F(StreamTest, WhatAnOperationRecordedBeforeItThrewIsDoneWhenItDoes) {
  const auto stream = make_stream();
  EXPECT_EQ(failure_of([&] {
              stream->record(4, [&] {
                stream->commands().fill(target_, 0, 4, 3);
                throw sy::invalid("no such thing");
              });
            }),
            "no such thing");
  EXPECT_EQ(stream->committed_buffers(), 1u) << "nothing is left that writes later";
  EXPECT_EQ(write(*stream, 2), 1u);
}

TEST_F(StreamTest, TemporariesOfOneOperationAreApart) {
  const auto stream = make_stream();
  stream->record(4, [&] {
    std::set<Block*> blocks;
    for (int i = 0; i < 10; ++i) blocks.insert(&stream->temporary(1000));
    EXPECT_EQ(blocks.size(), 10u);
  });
}

TEST_F(StreamTest, TemporariesServeLaterWorkOfTheStreamAndOthersOnlyWhenDone) {
  const auto stream = make_stream();
  const auto other = make_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  Block* first = nullptr;
  Block* second = nullptr;
  Block* of_other = nullptr;
  Block* of_host = nullptr;
  const auto take = [](Stream& from, Block*& block) {
    return from.record(4, [&] {
      block = &from.temporary(1000);
      from.commands().fill(block->buffer, 0, 4, 9);
    });
  };
  take(*stream, first);
  take(*stream, second);
  stream->flush();
  EXPECT_EQ(second, first);
  take(*other, of_other);
  EXPECT_NE(of_other, first);
  const uint64_t last = stream->record(4, [&] { of_host = &stream->upload_buffer(1000); });
  EXPECT_NE(of_host, first);
  gate.open();
  stream->wait(last);
  other->wait(1);
  other->record(4, [&] {
    const std::set<Block*> given{&other->upload_buffer(1000), &other->upload_buffer(1000),
                                 &other->upload_buffer(1000)};
    EXPECT_EQ(given, (std::set<Block*>{first, of_other, of_host}));
  });
}

TEST_F(StreamTest, TheHostReadsADownloadWhenTheDeviceHasWrittenIt) {
  const auto stream = make_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  uint8_t seen = 0;
  std::weak_ptr<Block> held;
  const uint64_t number = stream->record(4, [&] {
    auto block = stream->download_buffer(4);
    held = block;
    stream->commands().fill(block->buffer, 0, 4, 77);
    stream->afterwards(
        [&, block = std::move(block)] { seen = std::to_integer<uint8_t>(*block->buffer->host()); });
  });
  stream->flush();
  EXPECT_FALSE(held.expired());
  EXPECT_EQ(seen, 0);
  gate.open();
  stream->wait(number);
  EXPECT_EQ(seen, 77);
  EXPECT_TRUE(held.expired());
  EXPECT_EQ(memory_.statistics().used_bytes, 0u);
}

TEST_F(StreamTest, ACommandBufferThatFailsHalfwayFailsTheStreamForGood) {
  const auto stream = make_stream();
  write(*stream, 1, 0);
  fault(*stream);
  const uint64_t last = write(*stream, 1, 1);
  bool was_called = false;
  stream->record(4, [&] { stream->afterwards([&] { was_called = true; }); });
  const std::string message = failure_of([&] { stream->wait(last); });
  EXPECT_THAT(message, HasSubstr("diverging: threadgroup_barrier"));
  EXPECT_EQ(read(0), 1);  // what came before ran
  EXPECT_NE(read(1), 1);  // what came after did not
  EXPECT_FALSE(was_called);
  EXPECT_EQ(failure_of([&] { stream->wait(1); }), message);
  const uint64_t later = write(*stream, 5, 0);
  EXPECT_EQ(later, last + 2);  // a number, though the work is dropped
  EXPECT_EQ(stream->progress()->completed, later);
  EXPECT_EQ(failure_of([&] { stream->wait(later); }), message);
  EXPECT_EQ(read(0), 1);
}

TEST_F(StreamTest, WhatWasRecordedWhenTheFailureCameIsDropped) {
  const auto stream = make_stream();
  Gate gate(*device_);
  gate.hold(*stream);
  fault(*stream);
  stream->flush();
  const auto event = device_->event();
  stream->signal(event, 1);
  const uint64_t last = stream->record(4, [&] {
    stream->commands().fill(target_, 8, 4, 6);
    gate.open();
    while (!stream->outcome()->has_failed()) std::this_thread::yield();
  });
  EXPECT_NE(failure_of([&] { stream->wait(last); }), "nothing");
  EXPECT_TRUE(event->wait(1, UINT64_MAX));
  stream->settle();
  EXPECT_NE(read(2), 6);
}

TEST_F(StreamTest, BatchesBehindAFailedOneCompleteWithoutTheirCallbacks) {
  const auto stream = make_stream({1, 1});
  Gate gate(*device_);
  gate.hold(*stream);
  fault(*stream);
  int called = 0;
  uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    last = stream->record(4, [&] {
      stream->commands().fill(target_, 0, 4, 9);
      stream->afterwards([&] { ++called; });
    });
  }
  EXPECT_EQ(stream->committed_buffers(), 6u);
  gate.open();
  EXPECT_NE(failure_of([&] { stream->wait(last); }), "nothing");
  EXPECT_EQ(called, 0);
  EXPECT_EQ(stream->progress()->completed, last);
}

TEST_F(StreamTest, AFailedStreamGivesItsMemoryBack) {
  auto stream = make_stream();
  stream->record(4, [&] {
    stream->temporary(5000);
    stream->upload_buffer(5000);
    stream->afterwards([block = stream->download_buffer(5000)] {});
  });
  fault(*stream);
  failure_of([&] { stream->wait(2); });
  stream->record(4, [] {});
  stream.reset();
  EXPECT_EQ(memory_.statistics().used_bytes, 0u);
}

TEST_F(StreamTest, ACallbackThatThrowsFailsTheStream) {
  const auto stream = make_stream();
  const uint64_t number = stream->record(
      4, [&] { stream->afterwards([] { throw sy::invalid("what came back is wrong"); }); });
  EXPECT_EQ(failure_of([&] { stream->wait(number); }), "what came back is wrong");
}

TEST_F(StreamTest, AnEventRisesOnlyWhenCallbacksHaveRun) {
  const auto stream = make_stream();
  const auto event = device_->event();
  std::atomic<bool> has_run{false};
  stream->record(4, [&] {
    stream->commands().fill(target_, 0, 4, 8);
    stream->afterwards([&] {
      EXPECT_FALSE(event->wait(1, 20'000'000));
      has_run = true;
    });
  });
  stream->signal(event, 1);
  stream->flush();
  EXPECT_TRUE(event->wait(1, UINT64_MAX));
  EXPECT_TRUE(has_run);
}

TEST_F(StreamTest, AnEventOfAnIdleStreamRises) {
  const auto stream = make_stream();
  const auto event = device_->event();
  stream->signal(event, 1);
  stream->flush();
  EXPECT_TRUE(event->wait(1, UINT64_MAX));
}

TEST_F(StreamTest, AWaiterThatComesFirstSeesWhatTheOtherWrote) {
  const auto producer = make_stream();
  const auto waiter = make_stream();
  const auto event = device_->event();
  waiter->wait_for(event, 1, producer->outcome());
  const uint64_t copied = move(*waiter, 0, 1);
  waiter->flush();
  write(*producer, 42, 0);
  producer->signal(event, 1);
  producer->flush();
  waiter->wait(copied);
  EXPECT_EQ(read(1), 42);
}

TEST_F(StreamTest, AWaiterOfAFailedProducerFailsToo) {
  const auto producer = make_stream();
  const auto waiter = make_stream();
  const auto event = device_->event();
  bool was_called = false;
  waiter->wait_for(event, 1, producer->outcome());
  const uint64_t number =
      waiter->record(4, [&] { waiter->afterwards([&] { was_called = true; }); });
  waiter->flush();
  fault(*producer);
  producer->signal(event, 1);
  producer->flush();
  EXPECT_THAT(failure_of([&] { waiter->wait(number); }), HasSubstr("diverging"));
  EXPECT_FALSE(was_called);
}

TEST_F(StreamTest, AFailedStreamStillRaisesEvents) {
  const auto stream = make_stream();
  const auto event = device_->event();
  const uint64_t failed = fault(*stream);
  failure_of([&] { stream->wait(failed); });
  stream->signal(event, 3);
  EXPECT_TRUE(event->wait(3, 0));
}

// Remembers the queue that it gave last.
class WatchedDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  seam::Ref<seam::Queue> queue(const std::string& label) override {
    seam::Ref<seam::Queue> made = ForwardingDevice::queue(label);
    queue_ = made;
    return made;
  }
  bool has_queue() const { return !queue_.expired(); }

 private:
  std::weak_ptr<seam::Queue> queue_;
};

// A host puts another in its place, and keeps it for those who hold its numbers.
TEST_F(StreamTest, AFailedStreamKeepsNoQueue) {
  WatchedDevice device(device_);
  Stream stream(device, memory_, memory_, {});
  stream.wait(write(stream, 1));
  EXPECT_TRUE(device.has_queue());
  const uint64_t failed = fault(stream);
  EXPECT_THAT(failure_of([&] { stream.wait(failed); }), HasSubstr("diverging"));
  while (device.has_queue()) std::this_thread::yield();  // its thread ends by itself
  const uint64_t later = write(stream, 7);
  stream.wait_for(device_->event(), 1, stream.outcome());
  EXPECT_THAT(failure_of([&] { stream.wait(later); }), HasSubstr("diverging"));
  EXPECT_EQ(failure_of([&] { stream.wait(1); }), "nothing") << "that was done before";
  EXPECT_EQ(read(), 1);
}

TEST_F(StreamTest, DestructionWaitsForWhatIsCommittedAndRecorded) {
  auto stream = make_stream();
  write(*stream, 1, 0);
  stream->flush();
  write(*stream, 2, 1);
  stream.reset();
  EXPECT_EQ(read(0), 1);
  EXPECT_EQ(read(1), 2);
}

TEST_F(StreamTest, MemoryThatRunsOutInsideAnOperationIsFoundByWaiting) {
  const auto device = open_software(64 * mebi);
  Stream* running = nullptr;
  Allocator memory(*device, seam::StorageMode::shared, {10, 1.0}, [&] { running->settle(); });
  Stream stream(*device, memory, memory, {});
  running = &stream;
  uint64_t last = 0;
  for (int i = 0; i < 8; ++i) {
    last = stream.record(4, [&] {
      // Of a class of its own each, so that none serves the next.
      const size_t bytes = (40 + static_cast<size_t>(i % 2) * 8) * mebi;
      Block& block = stream.temporary(bytes);
      stream.commands().fill(block.buffer, 0, bytes, 1);
    });
  }
  stream.wait(last);
}

// Who never waits for results is held back, so that work does not pile up.
TEST_F(StreamTest, CommandBuffersInFlightAreBounded) {
  const auto stream = make_stream({.operations = 1, .in_flight = 3});
  Gate gate(*device_);
  gate.hold(*stream);
  std::atomic<uint64_t> recorded{0};
  std::thread host([&] {
    for (int i = 0; i < 50; ++i) recorded = write(*stream, static_cast<uint8_t>(i));
  });
  while (recorded < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(recorded, 3u) << "the fourth waits for the first";
  gate.open();
  host.join();
  stream->wait(50);
  EXPECT_EQ(read(), 49);
}

TEST_F(StreamTest, EventsCountAmongWhatIsInFlight) {
  const auto stream = make_stream({.in_flight = 2});
  const auto event = device_->event();
  for (uint64_t value = 1; value <= 500; ++value) {
    stream->signal(event, value);
    stream->flush();
  }
  EXPECT_TRUE(event->wait(500, UINT64_MAX));
}

// What a kernel finds wrong with its input fails its own batch, even if that runs at the same time
// as one before it.
TEST_F(StreamTest, AFaultOfTheInputFailsNoBatchBefore) {
  const auto stream = make_stream({1, 1 << 30});
  const auto event = device_->event();
  seam::Ref<seam::Buffer> reports[2];
  for (auto& report : reports) {
    stream->record(4, [&] {
      stream->commands().wait(event, 1);
      report = stream->faults();
    });
  }
  const uint32_t kind_of_an_index = 1;
  std::memcpy(reports[1]->host(), &kind_of_an_index, sizeof(kind_of_an_index));
  event->signal(1);
  stream->wait(1);
  EXPECT_THAT(failure_of([&] { stream->wait(2); }), HasSubstr("an index is 0"));
}

}  // namespace
}  // namespace mps::runtime_tests
