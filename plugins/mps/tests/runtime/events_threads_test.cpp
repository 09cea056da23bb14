// Events, two streams and two threads, through the plugin's table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "failure_of.hpp"
#include "node.hpp"
#include "sizes.hpp"

namespace mps::runtime_tests {
namespace {

using Floats = std::vector<float>;

// The parameter: software.memory.
class Events : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
  const OpenStream left_{device_};
  const OpenStream right_{device_};
};

INSTANTIATE_TEST_SUITE_P(Memory, Events, testing::ValuesIn(memory_kinds()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Events, OneThatWasNotRecordedDelaysNobody) {
  const OpenEvent event(device_);
  event.wait();
  event.delay(left_);
  int32_t number = 1;
  const Storage storage(left_, 4);
  left_.wait(left_.upload(&number, 4, storage.handle()));
}

TEST_P(Events, AWaitFindsDownloadsInHostMemory) {
  constexpr size_t bytes = mebi;
  const Storage storage(left_, bytes);
  for (int round = 1; round <= 10; ++round) {
    const std::vector<std::byte> source(bytes, static_cast<std::byte>(round));
    std::vector<std::byte> seen(bytes);
    left_.upload(source.data(), bytes, storage.handle());
    const uint64_t last = left_.download(storage.handle(), seen.data(), bytes);
    const OpenEvent event(device_);
    event.record(left_);
    event.wait();
    EXPECT_TRUE(seen == source);
    left_.wait(last);
  }
}

TEST_P(Events, ADelayedStreamSeesWhatTheOtherWrote) {
  constexpr size_t count = 1000;
  const Storage from(left_, count * 4), to(right_, count * 4);
  const OpenEvent event(device_);
  for (int32_t round = 0; round < 20; ++round) {
    const std::vector<int32_t> source(count, round);
    std::vector<int32_t> seen(count);
    left_.upload(source.data(), count * 4, from.handle());
    event.record(left_);
    event.delay(right_);
    right_.copy(SY_INT32, {count}, storage_region(from.handle()), storage_region(to.handle()));
    right_.wait(right_.download(to.handle(), seen.data(), count * 4));
    EXPECT_EQ(seen, source);
  }
}

TEST_P(Events, ADestroyedEventStillHoldsWhomItDelayed) {
  const Storage storage(left_, 4);
  std::vector<int32_t> seen(1);
  const int32_t number = 9;
  {
    const OpenEvent event(device_);
    left_.upload(&number, 4, storage.handle());
    event.record(left_);
    event.delay(right_);
  }
  right_.wait(right_.download(storage.handle(), seen.data(), 4));
  EXPECT_EQ(seen[0], number);
}

// The fault is found after the device is done, which must not make the waiter miss it.
TEST_P(Events, WhoWaitsForAStreamThatFailedFailsToo) {
  const std::vector<int64_t> wrong = {12};
  const std::vector<Input> inputs = {input(contiguous({10}), Floats(10, 1.0f)),
                                     input(contiguous({1}), wrong)};
  Node gather(device_, "Gather", 13);
  gather.attribute("axis", int64_t{0}).prepare(inputs, SY_FLOAT32, {1});
  for (int round = 0; round < 40; ++round) {
    const OpenStream producer(device_), waiter(device_);
    Placed x(producer, SY_FLOAT32, contiguous({10})), at(producer, SY_INT64, contiguous({1}));
    const Placed result(producer, SY_FLOAT32, contiguous({1}));
    x.write(inputs[0].elements);
    at.write(inputs[1].elements);
    gather.enqueue(producer, {x.tensor(), at.tensor()}, result.tensor());
    const OpenEvent event(device_);
    event.record(producer);
    event.delay(waiter);
    float seen = 0;
    const uint64_t number = waiter.download(result.handle(), &seen, 4);
    EXPECT_THAT(failure_of([&] { event.wait(); }), testing::HasSubstr("an index is 12"));
    EXPECT_THAT(failure_of([&] { waiter.wait(number); }), testing::HasSubstr("an index is 12"));
  }
}

TEST_P(Events, AStreamThatIsGoneHoldsNobody) {
  const Storage storage(left_, 4);
  const int32_t number = 9;
  int32_t seen = 0;
  const OpenEvent event(device_);
  {
    const OpenStream gone(device_);
    gone.upload(&number, 4, storage.handle());
    event.record(gone);
  }
  event.wait();
  event.delay(right_);
  right_.wait(right_.download(storage.handle(), &seen, 4));
  EXPECT_EQ(seen, number);
}

TEST_P(Events, AStreamThatFailedAndIsGoneHoldsNobody) {
  const std::vector<int64_t> wrong = {12};
  const std::vector<Input> inputs = {input(contiguous({10}), Floats(10, 1.0f)),
                                     input(contiguous({1}), wrong)};
  Node gather(device_, "Gather", 13);
  gather.attribute("axis", int64_t{0}).prepare(inputs, SY_FLOAT32, {1});
  for (const bool is_recorded_late : {false, true}) {
    const OpenStream waiter(device_);
    const Storage kept(waiter, 4);
    const OpenEvent event(device_);
    {
      const OpenStream gone(device_);
      Placed x(gone, SY_FLOAT32, contiguous({10})), at(gone, SY_INT64, contiguous({1}));
      const Placed result(gone, SY_FLOAT32, contiguous({1}));
      x.write(inputs[0].elements);
      at.write(inputs[1].elements);
      const uint64_t last = gather.enqueue(gone, {x.tensor(), at.tensor()}, result.tensor());
      if (is_recorded_late) failure_of([&] { gone.wait(last); });
      event.record(gone);
    }
    event.delay(waiter);
    float seen = 0;
    const uint64_t number = waiter.download(kept.handle(), &seen, 4);
    EXPECT_THAT(failure_of([&] { event.wait(); }), testing::HasSubstr("an index is 12"));
    EXPECT_THAT(failure_of([&] { waiter.wait(number); }), testing::HasSubstr("an index is 12"));
  }
}

// Who waits for an event waits for what it stood for then.
TEST_P(Events, RecordingAnewReleasesNobodyEarly) {
  const Storage from(left_, mebi), to(left_, mebi), result(left_, 4);
  const int32_t before = 1, after = 2;
  for (int round = 0; round < 2; ++round) {
    int32_t seen = 0;
    const OpenStream idle(device_), waiter(device_);
    left_.wait(left_.upload(&before, 4, result.handle()));
    const OpenEvent event(device_);
    for (int i = 0; i < 60; ++i) {
      left_.copy(SY_UINT8, {mebi}, storage_region(from.handle()), storage_region(to.handle()));
    }
    left_.upload(&after, 4, result.handle());
    event.record(left_);
    event.delay(waiter);
    event.record(idle);  // which has nothing to do
    event.wait();
    waiter.wait(waiter.download(result.handle(), &seen, 4));
    EXPECT_EQ(seen, after);
  }
}

TEST_P(Events, TwoThreadsDriveTwoStreams) {
  const Shape shape{40, 30};
  const Floats ones(1200, 1.0f);
  const std::vector<Input> inputs = {input(contiguous(shape), ones),
                                     input(contiguous(shape), ones)};
  Node add(device_, "Add", 14), product(device_, "MatMul", 13), softmax(device_, "Softmax", 13);
  add.prepare(inputs, SY_FLOAT32, shape);
  product.prepare({inputs[0], input(contiguous({30, 40}), ones)}, SY_FLOAT32, {40, 40});
  softmax.attribute("axis", int64_t{1}).prepare({inputs[0]}, SY_FLOAT32, shape);
  std::atomic<int> wrong{0};
  const auto work = [&](const OpenStream& stream, float own) {
    const Floats x(1200, own);
    for (size_t i = 0; i < 12; ++i) {
      const View view = layouts(shape)[i % 6], other = layouts(shape)[(i + 2) % 6];
      const Input mine = input(view, x);
      if (add.run<float>(stream, {mine, input(other, x)}, other) != Floats(1200, 2 * own)) ++wrong;
      const Input turned = input(layouts({30, 40})[i % 6], ones);
      if (product.run<float>(stream, {mine, turned}, layouts({40, 40})[i % 6]) !=
          Floats(1600, 30 * own)) {
        ++wrong;
      }
      for (const float number : softmax.run<float>(stream, {mine}, other)) {
        if (std::fabs(number - 1.0f / 30) > 1e-6f) ++wrong;
      }
    }
  };
  std::thread thread([&] { work(right_, 3); });
  work(left_, 2);
  thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(Events, TwoThreadsPrepareAndTrim) {
  std::atomic<int> wrong{0};
  const auto work = [&](const OpenStream& stream) {
    for (int64_t size = 1; size <= 25; ++size) {
      const Floats x(static_cast<size_t>(size), 2.0f);
      const std::vector<Input> inputs = {input(contiguous({1, size}), x),
                                         input(contiguous({size, 1}), x)};
      Node product(device_, "MatMul", 13);
      product.prepare(inputs, SY_FLOAT32, {1, 1});
      const Floats result = product.run<float>(stream, inputs, contiguous({1, 1}));
      if (result != Floats{4.0f * static_cast<float>(size)}) ++wrong;
      if (size % 8 == 0) device_.trim();
    }
  };
  std::thread thread([&] { work(right_); });
  work(left_);
  thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(device_.statistics().used_bytes, 0u);
}

// Tensors pass from a thread's stream to the other's, and their memory back.
TEST_P(Events, AChainAcrossTwoThreads) {
  const Shape shape{300};
  const Floats ones(300, 1.0f);
  Node add(device_, "Add", 14);
  add.prepare({input(contiguous(shape), ones), input(contiguous(shape), ones)}, SY_FLOAT32, shape);
  Placed one(left_, SY_FLOAT32, contiguous(shape)), x(left_, SY_FLOAT32, contiguous(shape));
  const Placed y(left_, SY_FLOAT32, contiguous(shape));
  one.write(bytes_of(ones));
  x.write(bytes_of(Floats(300, 0.0f)));
  const OpenEvent to_right(device_), to_left(device_);
  to_right.record(left_);
  to_right.delay(right_);
  std::atomic<int> turn{0};
  constexpr int turns = 60;
  const auto play = [&](const OpenStream& own, int first, const OpenEvent& passed,
                        const OpenEvent& taken) {
    for (int at = first; at < turns; at += 2) {
      while (turn != at) std::this_thread::yield();
      taken.delay(own);
      const bool forth = at % 2 == 0;
      add.enqueue(own, {(forth ? x : y).tensor(), one.tensor()}, (forth ? y : x).tensor());
      passed.record(own);
      ++turn;
    }
  };
  std::thread thread([&] { play(right_, 1, to_left, to_right); });
  play(left_, 0, to_right, to_left);
  thread.join();
  to_left.delay(left_);
  EXPECT_TRUE(x.read() == bytes_of(Floats(300, static_cast<float>(turns))));
}

}  // namespace
}  // namespace mps::runtime_tests
