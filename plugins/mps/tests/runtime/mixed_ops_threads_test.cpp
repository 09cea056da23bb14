// Ops of all families at once, on several streams and threads, with kernels that all share.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "node.hpp"
#include "programs/model.hpp"

namespace mps::runtime_tests {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int threads = 4;

std::vector<float> wave(const Shape& shape, float step) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < contiguous(shape).count(); ++i) {
    numbers.push_back(std::sin(step * static_cast<float>(i)));
  }
  return numbers;
}

Input waves(const Shape& shape, float step = 0.37f) {
  return input(contiguous(shape), wave(shape, step));
}

// A kernel, what it is run on, and what comes of that.
struct Work {
  std::unique_ptr<Node> node;
  std::vector<Input> inputs;
  Shape shape;
  Bytes expected;
};

// A run that nobody has waited for.
class Enqueued {
 public:
  Enqueued(const OpenStream& stream, const Work& work, size_t layout)
      : result_(stream, SY_FLOAT32, layouts(work.shape)[layout % layouts({1}).size()]) {
    std::vector<sy_tensor> tensors;
    for (const Input& given : work.inputs) {
      inputs_.emplace_back(stream, given.dtype, given.view).write(given.elements);
      tensors.push_back(inputs_.back().tensor());
      if (given.on_host) {
        tensors.back().storage = reinterpret_cast<uintptr_t>(given.elements.data());
      }
    }
    sequence_ = work.node->enqueue(stream, tensors, result_.tensor());
  }
  uint64_t sequence() const { return sequence_; }
  Bytes read() const { return result_.read(); }

 private:
  std::deque<Placed> inputs_;
  const Placed result_;
  uint64_t sequence_ = 0;
};

// The parameter: software.memory.
class MixedOps : public testing::TestWithParam<const char*> {
 protected:
  MixedOps() {
    add("Add", 14, {waves({40, 30}), waves({40, 30}, 0.11f)}, {40, 30});
    add("Relu", 14, {waves({1000})}, {1000});
    add("Erf", 13, {waves({1000})}, {1000});
    add("ReduceSum", 13, {waves({12, 300}), host_integers({1})}, {12, 1});
    add("MatMul", 13, {waves({30, 40}), waves({40, 20}, 0.11f)}, {30, 20});
    add("MatMul", 13, {waves({1, 70}), waves({70, 50}, 0.11f)}, {1, 50});
    add("Softmax", 13, {waves({9, 130})}, {9, 130}).attribute("axis", int64_t{1});
    add("Gather", 13, {waves({20, 7}), input(contiguous({3}), std::vector<int64_t>{4, 19, 0})},
        {3, 7})
        .attribute("axis", int64_t{0});
    add("Concat", 13, {waves({5, 6}), waves({5, 3}, 0.2f)}, {5, 9}).attribute("axis", int64_t{1});
    add("CumSum", 14, {waves({4, 200}), host_integers({1})}, {4, 200})
        .attribute("exclusive", int64_t{0})
        .attribute("reverse", int64_t{0});
    add("Conv", 11, {waves({1, 3, 9, 8}), waves({4, 3, 3, 3}, 0.11f)}, {1, 4, 9, 8})
        .attribute("kernel_shape", std::vector<int64_t>{3, 3})
        .attribute("pads", std::vector<int64_t>{1, 1, 1, 1})
        .attribute("strides", std::vector<int64_t>{1, 1})
        .attribute("dilations", std::vector<int64_t>{1, 1})
        .attribute("group", int64_t{1});
    const OpenStream stream(device_);
    for (Work& work : works_) {
      work.node->prepare(work.inputs, SY_FLOAT32, work.shape);
      work.expected = run(stream, work, 0);
    }
  }

  Node& add(const char* op, uint32_t version, std::vector<Input> inputs, Shape shape) {
    works_.push_back({std::make_unique<Node>(device_, op, version), std::move(inputs),
                      std::move(shape), Bytes{}});
    return *works_.back().node;
  }

  // In another layout each time.
  static Bytes run(const OpenStream& stream, const Work& work, size_t layout) {
    const std::vector<View> views = layouts(work.shape);
    return work.node->run_bytes(stream, work.inputs, views[layout % views.size()]);
  }

  void in_threads(const std::function<void(const OpenStream&, size_t)>& body) const {
    std::vector<std::thread> running;
    for (size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        const OpenStream stream(device_);
        body(stream, i);
      });
    }
    for (std::thread& thread : running) thread.join();
  }

  const OpenDevice device_{
      {{"software.memory", GetParam()}, OpenDevice::Option{"profile", nullptr, 1, true}}};
  std::deque<Work> works_;
  std::atomic<int> wrong_{0};
};

INSTANTIATE_TEST_SUITE_P(Memory, MixedOps, testing::ValuesIn(memory_kinds()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(MixedOps, EveryThreadGetsWhatOneAloneGets) {
  in_threads([&](const OpenStream& stream, size_t thread) {
    for (size_t i = 0; i < 2 * works_.size(); ++i) {
      const Work& work = works_[(i + 3 * thread) % works_.size()];
      if (run(stream, work, i + thread) != work.expected) ++wrong_;
    }
  });
  EXPECT_EQ(wrong_, 0);
  EXPECT_EQ(device_.statistics().used_bytes, 0u);
}

TEST_P(MixedOps, WhileOthersPrepareTrimAndAsk) {
  in_threads([&](const OpenStream& stream, size_t thread) {
    for (size_t i = 0; i < works_.size(); ++i) {
      const Work& work = works_[(i + 3 * thread) % works_.size()];
      if (thread == 0) {
        device_.trim();
        if (device_.report().find("time: ") == std::string::npos) ++wrong_;
      } else if (thread == 1) {
        Node fresh(device_, "MatMul", 13);
        const auto size = static_cast<int64_t>(20 + i);
        fresh.prepare({waves({size, size}), waves({size, size})}, SY_FLOAT32, {size, size});
        fresh.run_bytes(stream, {waves({size, size}), waves({size, size})},
                        contiguous({size, size}));
      } else if (run(stream, work, i) != work.expected) {
        ++wrong_;
      }
    }
  });
  EXPECT_EQ(wrong_, 0);
}

// A stream is driven by one at a time; what each enqueues lies between the other's.
TEST_P(MixedOps, TwoThreadsTakeTurnsOnOneStream) {
  const OpenStream stream(device_);
  std::mutex turn;
  const auto drive = [&](size_t first) {
    for (size_t i = 0; i < 2 * works_.size(); ++i) {
      const Work& work = works_[(i + first) % works_.size()];
      std::unique_lock lock(turn);
      Enqueued enqueued(stream, work, i);
      lock.unlock();
      stream.wait(enqueued.sequence());
      lock.lock();
      if (enqueued.read() != work.expected) ++wrong_;
    }
  };
  std::thread other(drive, 5);
  drive(0);
  other.join();
  EXPECT_EQ(wrong_, 0);
}

// Each thread goes on with what the one before it made, behind an event.
TEST_P(MixedOps, ResultsPassFromStreamToStream) {
  const Shape shape{64, 9};
  const std::vector<float> ones(576, 1.0f);
  Node add(device_, "Add", 14);
  add.prepare({input(contiguous(shape), ones), input(contiguous(shape), ones)}, SY_FLOAT32, shape);
  std::deque<OpenStream> streams;
  std::deque<OpenEvent> events;
  std::deque<Placed> sums;
  for (int i = 0; i < threads; ++i) {
    streams.emplace_back(device_);
    events.emplace_back(device_);
    sums.emplace_back(streams.back(), SY_FLOAT32, contiguous(shape));
  }
  sums.back().write(bytes_of(ones));
  events.back().record(streams.back());
  std::atomic<int> turn{0};
  constexpr int turns = 10 * threads;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      const auto own = static_cast<size_t>(i), before = (own + threads - 1) % threads;
      for (int at = i; at < turns; at += threads) {
        while (turn != at) std::this_thread::yield();
        events[before].delay(streams[own]);
        add.enqueue(streams[own], {sums[before].tensor(), sums[before].tensor()},
                    sums[own].tensor());
        events[own].record(streams[own]);
        ++turn;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_TRUE(sums.back().read() == bytes_of(std::vector<float>(576, std::exp2(float{turns}))));
}

TEST_P(MixedOps, AWholeProgramRunsOnSeveralStreamsAtOnce) {
  program_tests::Model model;
  const Shape shape{6, 40};
  const auto x = model.input(contiguous(shape), wave(shape, 0.3f));
  const auto weights = model.constant(Shape{40, 24}, wave({40, 24}, 0.17f));
  auto y = model.node("MatMul", {x, weights}, {6, 24});
  y = model.node("Relu", {y}, {6, 24});
  y = model.node("Softmax", {y}, {6, 24}, {{"axis", int64_t{1}}});
  model.output(model.node("CumSum", {y, model.host({1})}, {6, 24},
                          {{"exclusive", int64_t{0}}, {"reverse", int64_t{0}}}));
  const OpenStream first(device_);
  const auto expected = model.whole(first);
  in_threads([&](const OpenStream& stream, size_t) {
    for (int i = 0; i < 10; ++i) {
      if (model.whole(stream) != expected) ++wrong_;
    }
  });
  EXPECT_EQ(wrong_, 0);
}

}  // namespace
}  // namespace mps::runtime_tests
