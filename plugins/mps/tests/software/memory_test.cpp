#include <gtest/gtest.h>

#include <algorithm>

#include "test_device.hpp"

namespace mps::software::test {
namespace {

bool is_fresh(const seam::Buffer& buffer) {
  return std::all_of(buffer.host(), buffer.host() + buffer.size(),
                     [](std::byte byte) { return byte == std::byte{0xff}; });
}

TEST(Memory, AnExclusiveBufferHasNoHostPointer) {
  const auto device = open();
  EXPECT_EQ(device->buffer(64, seam::StorageMode::exclusive)->host(), nullptr);
  const auto heap = device->heap(4096, seam::StorageMode::exclusive);
  EXPECT_EQ(heap->place(64, 256)->host(), nullptr);
}

TEST(Memory, FreshBuffersAreNotZero) {
  const auto device = open();
  EXPECT_TRUE(is_fresh(*device->buffer(100, seam::StorageMode::shared)));
}

TEST(Memory, PlacingForgetsWhatWasThere) {
  const auto device = open();
  const auto heap = device->heap(4096, seam::StorageMode::shared);
  auto first = heap->place(100, 256);
  std::fill_n(first->host(), 100, std::byte{1});
  first.reset();
  EXPECT_TRUE(is_fresh(*heap->place(100, 256)));
}

TEST(Memory, APlacedBufferOutlivesTheOneThatLayThere) {
  const auto device = open();
  const auto heap = device->heap(4096, seam::StorageMode::shared);
  auto first = heap->place(1000, 0);
  const auto second = heap->place(600, 512);
  first.reset();
  std::fill_n(second->host(), 600, std::byte{1});
  EXPECT_EQ(second->host()[599], std::byte{1});
}

TEST(Memory, PositionsOutsideTheHeapAreRefused) {
  const auto device = open();
  const auto heap = device->heap(4096, seam::StorageMode::shared);
  EXPECT_EQ(failure_of([&] { heap->place(4096, 256); }),
            "cannot place 4096 bytes at 256 of a heap of 4096");
  EXPECT_NE(failure_of([&] { heap->place(16, 100); }), "nothing");
  EXPECT_NE(failure_of([&] { heap->place(0, 0); }), "nothing");
  EXPECT_NE(failure_of([&] { heap->place(16, 1 << 20); }), "nothing");
}

TEST(Memory, AllIsCountedAndLimited) {
  Settings small = settings();
  small.memory_bytes = 1 << 20;
  const auto device = open(small);
  EXPECT_EQ(device->info().max_buffer_bytes, 1u << 20);
  auto buffer = device->buffer(1 << 19, seam::StorageMode::shared);
  const auto heap = device->heap(1 << 18, seam::StorageMode::exclusive);
  EXPECT_EQ(device->allocated_bytes(), (1u << 19) + (1u << 18));
  const auto too_much = [&] { device->buffer(1 << 19, seam::StorageMode::shared); };
  EXPECT_EQ(failure_of(too_much, seam::Fault::out_of_memory),
            "no 524288 bytes: 786432 of the device's 1048576 are in use");
  buffer.reset();
  EXPECT_EQ(failure_of(too_much), "nothing");
  EXPECT_EQ(device->allocated_bytes(), 1u << 18);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr const char* reads_beyond = R"(
kernel void reads_beyond(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
)";

void read_beyond(seam::Device& device, const seam::Ref<seam::Buffer>& x) {
  const auto pipeline = pipeline_of(device, reads_beyond, "reads_beyond");
  const auto y = device.buffer(4096, seam::StorageMode::shared);
  const seam::Argument arguments[] = {{0, x}, {1, y}};
  run(device, {pipeline.get(), arguments, {}, {17, 1, 1}, {17, 1, 1}});
}

TEST(MemoryDeathTest, ReadingBeyondABufferIsFound) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto device = open();
  EXPECT_DEATH(read_beyond(*device, device->buffer(64, seam::StorageMode::shared)),
               "heap-buffer-overflow");
  const auto heap = device->heap(4096, seam::StorageMode::shared);
  EXPECT_DEATH(read_beyond(*device, heap->place(64, 256)), "use-after-poison");
}
#endif

}  // namespace
}  // namespace mps::software::test
