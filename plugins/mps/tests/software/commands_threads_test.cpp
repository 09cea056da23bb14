// Queues are asynchronous, keep their order, and meet at events.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "test_device.hpp"

namespace mps::software::test {
namespace {

constexpr uint64_t short_while = 20'000'000;

class Commands : public testing::Test {
 protected:
  seam::Ref<seam::Device> device_ = open();
  seam::Ref<seam::Queue> queue_ = device_->queue("commands");
  seam::Ref<seam::Buffer> memory_ = buffer_of(*device_, std::vector<uint32_t>(64));
};

TEST_F(Commands, CommitReturnsBeforeTheWorkIsDone) {
  const auto gate = device_->event();
  const auto done = device_->event();
  const auto commands = queue_->command_buffer();
  commands->wait(gate, 1);
  commands->fill(memory_, 0, 4, 7);
  commands->signal(done, 5);
  commands->commit();
  EXPECT_FALSE(done->wait(5, short_while));
  gate->signal(1);
  EXPECT_TRUE(done->wait(5, UINT64_MAX));
  EXPECT_EQ(done->value(), 5u);
  EXPECT_EQ(commands->wait_until_done(), seam::State::completed);
  EXPECT_EQ(values_of<uint32_t>(*memory_)[0], 0x07070707u);
}

TEST_F(Commands, AQueueKeepsTheOrderOfCommits) {
  std::vector<seam::Ref<seam::CommandBuffer>> all;
  for (uint32_t i = 0; i < 50; ++i) {
    const auto commands = queue_->command_buffer();
    commands->fill(memory_, i % 50 * 4, 4, static_cast<uint8_t>(i));
    if (i > 0) commands->copy(memory_, (i - 1) * 4, memory_, 200, 4);
    all.push_back(commands);
  }
  for (const auto& commands : all) commands->commit();
  all.back()->wait_until_done();
  EXPECT_EQ(values_of<uint32_t>(*memory_)[50], 0x30303030u);
}

TEST_F(Commands, QueuesMeetAtEventsWhicheverIsCommittedFirst) {
  const auto other = device_->queue("other");
  const auto event = device_->event();
  const auto waiting = queue_->command_buffer();
  waiting->wait(event, 2);
  waiting->copy(memory_, 0, memory_, 4, 4);
  waiting->commit();
  const auto signalling = other->command_buffer();
  signalling->fill(memory_, 0, 4, 9);
  signalling->signal(event, 2);
  signalling->commit();
  EXPECT_EQ(waiting->wait_until_done(), seam::State::completed);
  EXPECT_EQ(values_of<uint32_t>(*memory_)[1], 0x09090909u);
}

TEST_F(Commands, AnEventNeverFalls) {
  const auto event = device_->event();
  event->signal(5);
  event->signal(3);
  EXPECT_EQ(event->value(), 5u);
}

TEST_F(Commands, ACommittedBufferOutlivesItsQueue) {
  const auto event = device_->event();
  auto commands = queue_->command_buffer();
  commands->signal(event, 1);
  commands->commit();
  commands.reset();
  queue_.reset();
  EXPECT_TRUE(event->wait(1, UINT64_MAX));
}

TEST_F(Commands, CallbacksRunOnceOnAnotherThread) {
  std::atomic<int> calls{0};
  std::thread::id thread;
  const auto commands = queue_->command_buffer();
  commands->on_complete([&](seam::State state, const std::string& message) {
    EXPECT_EQ(state, seam::State::completed);
    EXPECT_EQ(message, "");
    thread = std::this_thread::get_id();
    ++calls;
  });
  commands->commit();
  commands->wait_until_done();
  EXPECT_EQ(calls, 1);
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(Commands, SectionsLieWithinTheWhole) {
  const auto commands = queue_->command_buffer();
  commands->fill(memory_, 0, 256, 1);
  commands->begin_section();
  commands->fill(memory_, 0, 256, 2);
  commands->begin_section();
  commands->fill(memory_, 0, 256, 3);
  commands->commit();
  commands->wait_until_done();
  const auto sections = commands->sections();
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_LE(commands->interval().begin, sections[0].begin);
  EXPECT_LE(sections[0].begin, sections[0].end);
  EXPECT_LE(sections[0].end, sections[1].begin);
  EXPECT_LE(sections[1].end, commands->interval().end);
}

TEST_F(Commands, BuffersLiveUntilTheirCommandsAreDone) {
  const auto gate = device_->event();
  const auto commands = queue_->command_buffer();
  auto scratch = device_->buffer(256, seam::StorageMode::exclusive);
  commands->wait(gate, 1);
  commands->fill(scratch, 0, 256, 5);
  commands->copy(scratch, 0, memory_, 0, 256);
  scratch.reset();
  commands->commit();
  gate->signal(1);
  commands->wait_until_done();
  EXPECT_EQ(values_of<uint32_t>(*memory_)[63], 0x05050505u);
  EXPECT_EQ(device_->allocated_bytes(), 256u);
}

TEST(CommandsWithoutWork, CompleteAndSignal) {
  Settings idle = settings();
  idle.execute = false;
  const auto device = open(idle);
  const auto queue = device->queue("idle");
  const auto memory = buffer_of(*device, std::vector<uint32_t>(4, 1));
  const auto event = device->event();
  const auto commands = queue->command_buffer();
  commands->fill(memory, 0, 16, 9);
  commands->signal(event, 1);
  commands->commit();
  EXPECT_EQ(commands->wait_until_done(), seam::State::completed);
  EXPECT_EQ(event->value(), 1u);
  EXPECT_EQ(values_of<uint32_t>(*memory), std::vector<uint32_t>(4, 1));
}

constexpr const char* histogram = R"(
kernel void histogram(device const uint* x [[buffer(0)]], device atomic_uint* counts [[buffer(1)]],
                      device atomic_uint* largest [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&counts[x[i]], 1u, memory_order_relaxed);
  uint seen = atomic_load_explicit(largest, memory_order_relaxed);
  while (seen < i && !atomic_compare_exchange_weak_explicit(largest, &seen, i,
                                                            memory_order_relaxed,
                                                            memory_order_relaxed)) {
  }
}
)";

TEST(TwoThreads, RunGroupsAtOnceAndAtomicsHold) {
  Settings two = settings();
  two.threads = 2;
  const auto device = open(two);
  std::vector<uint32_t> x(4096);
  for (uint32_t i = 0; i < x.size(); ++i) x[i] = i * 7 % 16;
  const auto from = buffer_of(*device, x);
  const auto counts = buffer_of(*device, std::vector<uint32_t>(16, 0));
  const auto largest = buffer_of(*device, std::vector<uint32_t>(1, 0));
  const auto pipeline = pipeline_of(*device, histogram, "histogram");
  const seam::Argument arguments[] = {{0, from}, {1, counts}, {2, largest}};
  ASSERT_EQ(run(*device, {pipeline.get(), arguments, {}, {4096, 1, 1}, {64, 1, 1}}).message, "");
  EXPECT_EQ(values_of<uint32_t>(*counts), std::vector<uint32_t>(16, 256));
  EXPECT_EQ(values_of<uint32_t>(*largest)[0], 4095u);
}

constexpr const char* group_sum = R"(
kernel void group_sum(device uint* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]],
                      uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint shared[128];
  shared[i] = i;
  for (uint step = 64; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < step) shared[i] += shared[i + step];
  }
  if (i == 0) y[group] = shared[0];
}
)";

TEST(TwoThreads, EachHasThreadgroupMemoryOfItsOwn) {
  Settings two = settings();
  two.threads = 2;
  const auto device = open(two);
  const auto sums = buffer_of(*device, std::vector<uint32_t>(40));
  const auto pipeline = pipeline_of(*device, group_sum, "group_sum");
  const seam::Argument arguments[] = {{0, sums}};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(run(*device, {pipeline.get(), arguments, {}, {40 * 128, 1, 1}, {128, 1, 1}}).message,
              "");
    EXPECT_EQ(values_of<uint32_t>(*sums), std::vector<uint32_t>(40, 127 * 64));
  }
}

TEST(Backend, IsThereWithoutConditions) {
  const Settings usual = settings();
  const seam::Backend& here = backend(usual);
  ASSERT_EQ(here.devices().size(), 1u);
  for (const seam::Check& check : here.checks()) EXPECT_TRUE(check.passed) << check.name;
  EXPECT_EQ(&here, &backend(settings()));
  Settings discrete = settings();
  discrete.unified = false;
  EXPECT_FALSE(backend(discrete).devices()[0].unified_memory);
  EXPECT_NE(failure_of([&] { here.open(1); }), "nothing");
  Settings wrong = settings();
  wrong.threads = 3;
  EXPECT_NE(failure_of([&] { backend(wrong); }), "nothing");
}

}  // namespace
}  // namespace mps::software::test
