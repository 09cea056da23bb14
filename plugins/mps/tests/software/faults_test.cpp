// What no device would forgive is found, and said with the kernel's name.
#include <gtest/gtest.h>

#include "test_device.hpp"

namespace mps::software::test {
namespace {

constexpr const char* kernels = R"(
kernel void diverging(device float* x [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  if (i < 40) threadgroup_barrier(mem_flags::mem_none);
  x[i] = 1.0f;
}
kernel void two_barriers(device float* x [[buffer(0)]],
                         uint i [[thread_position_in_threadgroup]]) {
  if (i < 40) {
    threadgroup_barrier(mem_flags::mem_none);
  } else {
    threadgroup_barrier(mem_flags::mem_none);
  }
  x[i] = 1.0f;
}
kernel void large(device float* x [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[8193];
  shared[i] = 1.0f;
  x[i] = shared[i];
}
struct Parameters { uint a, b, c; };
kernel void bound(device const float4* x [[buffer(0)]], device float* y [[buffer(3)]],
                  constant Parameters& p [[buffer(4)]], threadgroup float* t [[threadgroup(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = x[i].x + float(p.c);
}
)";

class Faults : public testing::Test {
 protected:
  seam::Dispatch dispatch(const char* function) {
    pipeline_ = pipeline_of(*device_, kernels, function);
    arguments_ = {{0, memory_}};
    return {pipeline_.get(), arguments_, {}, {64, 1, 1}, {64, 1, 1}};
  }
  // Of the kernel with all kinds of parameters, and right.
  seam::Dispatch bound() {
    seam::Dispatch result = dispatch("bound");
    arguments_ = {{0, memory_}, {3, memory_}, {4, nullptr, 0, bytes_of(parameters_)}};
    result.arguments = arguments_;
    result.group_bytes = group_bytes_;
    return result;
  }
  std::string refusal(const seam::Dispatch& dispatch) {
    const auto commands = queue_->command_buffer();
    return failure_of([&] { commands->dispatch(dispatch); });
  }

  seam::Ref<seam::Device> device_ = open();
  seam::Ref<seam::Queue> queue_ = device_->queue("faults");
  seam::Ref<seam::Buffer> memory_ = buffer_of(*device_, std::vector<float>(256));
  seam::Ref<seam::Pipeline> pipeline_;
  std::vector<seam::Argument> arguments_;
  std::array<uint32_t, 3> parameters_{};
  std::vector<uint32_t> group_bytes_{0, 16};
};

TEST_F(Faults, BarrierNotReachedByAll) {
  const Outcome outcome = run(*device_, dispatch("diverging"));
  EXPECT_EQ(outcome.state, seam::State::failed);
  EXPECT_EQ(outcome.message,
            "diverging: threadgroup_barrier at line 3 is not reached by all threads: 40 wait, 24 "
            "have returned");
}

TEST_F(Faults, ThreadsAtDifferentBarriers) {
  EXPECT_EQ(run(*device_, dispatch("two_barriers")).message,
            "two_barriers: threadgroup_barrier at line 9 is not reached by all threads: others "
            "wait at line 11");
}

TEST_F(Faults, TooMuchThreadgroupMemoryInAVariable) {
  const Outcome outcome = run(*device_, dispatch("large"));
  EXPECT_EQ(outcome.state, seam::State::failed);
  EXPECT_EQ(outcome.message, "large: 32772 bytes of threadgroup memory, the most is 32768");
}

TEST_F(Faults, TheDeviceGoesOnAfterAFault) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(*device_, dispatch("diverging")).state, seam::State::failed);
    EXPECT_EQ(run(*device_, bound()).message, "");
  }
}

TEST_F(Faults, TheRestOfAFailedBufferDoesNotRun) {
  const auto commands = queue_->command_buffer();
  commands->dispatch(dispatch("diverging"));
  commands->fill(memory_, 0, 4, 0x11);
  commands->commit();
  EXPECT_EQ(commands->wait_until_done(), seam::State::failed);
  EXPECT_NE(std::to_integer<int>(memory_->host()[0]), 0x11);
}

TEST_F(Faults, MissingBinding) {
  seam::Dispatch wrong = bound();
  wrong.arguments = wrong.arguments.first(1);
  EXPECT_EQ(refusal(wrong), "bound: [[buffer(3)]] is not bound");
}

TEST_F(Faults, BindingsThatAreWrong) {
  seam::Dispatch wrong = bound();
  arguments_[0].offset = 2;
  EXPECT_NE(refusal(wrong).find("[[buffer(0)]] is bound at offset 2"), std::string::npos);
  arguments_[0].offset = 8;
  EXPECT_EQ(refusal(wrong),
            "bound: [[buffer(0)]] is bound at offset 8; its elements lie at multiples of 16");
  arguments_[0].offset = 1024;
  EXPECT_NE(refusal(wrong).find("within the buffer's 1024 bytes"), std::string::npos);
  arguments_[0].offset = 0;
  arguments_[2].bytes = arguments_[2].bytes.first(8);
  EXPECT_EQ(refusal(wrong), "bound: [[buffer(4)]] has 8 bytes, the kernel reads 12");
  arguments_[2].index = 0;
  EXPECT_EQ(refusal(wrong), "bound: [[buffer(0)]] is bound twice");
  arguments_[2].index = 31;
  EXPECT_EQ(refusal(wrong), "bound: [[buffer(31)]] is bound, the last index is 30");
}

TEST_F(Faults, WritingToAValue) {
  seam::Dispatch wrong = bound();
  arguments_[1] = {3, nullptr, 0, bytes_of(parameters_)};
  EXPECT_EQ(refusal(wrong), "bound: [[buffer(3)]] is written, but given by value");
}

TEST_F(Faults, GroupsThatAreWrong) {
  seam::Dispatch wrong = bound();
  wrong.group = {1025, 1, 1};
  EXPECT_EQ(refusal(wrong), "bound: a threadgroup of 1025 x 1 x 1 threads, the most is 1024");
  wrong.group = {65536, 65536, 65536};
  EXPECT_NE(refusal(wrong).find("the most is 1024"), std::string::npos);
  wrong.group = {64, 0, 1};
  EXPECT_EQ(refusal(wrong), "bound: a threadgroup of no threads");
  wrong.group = {64, 1, 1};
  wrong.threads = {0, 1, 1};
  EXPECT_EQ(refusal(wrong), "bound: a dispatch of no threads");
}

TEST_F(Faults, GroupMemoryThatIsWrong) {
  seam::Dispatch wrong = bound();
  group_bytes_ = {0, 24};
  EXPECT_NE(refusal(wrong).find("not a multiple of 16"), std::string::npos);
  group_bytes_ = {16384, 32768};
  EXPECT_EQ(refusal(wrong), "bound: 49152 bytes of threadgroup memory, the most is 32768");
  wrong.group_bytes = {};
  EXPECT_EQ(refusal(wrong), "bound: [[threadgroup(1)]] is not given 4 bytes or more");
}

TEST_F(Faults, NoSuchFunction) {
  const auto message = failure_of([&] { dispatch("nothing"); });
  EXPECT_EQ(message,
            "no function 'nothing' in the library; it has diverging two_barriers large bound");
}

TEST_F(Faults, ACommittedBufferTakesNoMore) {
  const auto commands = queue_->command_buffer();
  commands->commit();
  const auto event = device_->event();
  const auto refused = [&](auto action) {
    return failure_of(action) == "the command buffer has been committed";
  };
  EXPECT_TRUE(refused([&] { commands->dispatch(bound()); }));
  EXPECT_TRUE(refused([&] { commands->fill(memory_, 0, 4, 0); }));
  EXPECT_TRUE(refused([&] { commands->copy(memory_, 0, memory_, 8, 4); }));
  EXPECT_TRUE(refused([&] { commands->wait(event, 1); }));
  EXPECT_TRUE(refused([&] { commands->signal(event, 1); }));
  EXPECT_TRUE(refused([&] { commands->begin_section(); }));
  EXPECT_TRUE(refused([&] { commands->on_complete({}); }));
  EXPECT_EQ(failure_of([&] { commands->commit(); }),
            "the command buffer has been committed before");
}

TEST_F(Faults, CopiesOutOfBounds) {
  const auto commands = queue_->command_buffer();
  EXPECT_NE(failure_of([&] { commands->copy(memory_, 1020, memory_, 0, 8); }), "nothing");
  EXPECT_NE(failure_of([&] { commands->copy(memory_, 0, memory_, 1020, 8); }), "nothing");
  EXPECT_NE(failure_of([&] { commands->copy(memory_, 2, memory_, 0, 8); }), "nothing");
  EXPECT_NE(failure_of([&] { commands->fill(memory_, 0, 6, 0); }), "nothing");
  EXPECT_EQ(failure_of([&] { commands->copy(memory_, 1016, memory_, 0, 8); }), "nothing");
}

}  // namespace
}  // namespace mps::software::test
