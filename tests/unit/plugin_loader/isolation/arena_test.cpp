// Blocks of shared memory.
#include "plugin_loader/isolation/arena.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

namespace switchyard::isolation {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{256} << 20;

TEST(SharedMemory, IsTheSameAtItsAddressesElsewhere) {
  const SharedMemory memory(kArenaBytes);
  EXPECT_EQ(memory.bytes(), kArenaBytes);
  EXPECT_TRUE(memory.holds(memory.begin() + kArenaBytes - 1, 1));
  EXPECT_FALSE(memory.holds(memory.begin() + kArenaBytes - 1, 2));
  EXPECT_FALSE(memory.holds(&memory, 1));
}

TEST(SharedMemory, IsRefusedWhereSomethingElseLies) {
  const SharedMemory memory(kArenaBytes);
  const auto address = reinterpret_cast<std::uint64_t>(memory.begin());
  EXPECT_THROW(SharedMemory(::dup(memory.descriptor()), address, kArenaBytes), std::system_error);
}

// Its addresses are used again, where the range of those that other processes have free has an end.
TEST(SharedMemory, LiesWhereItsLikeCanFollowWithoutAnEnd) {
  constexpr std::size_t kLarge = std::size_t{1} << 43;
  for (int i = 0; i < 30; ++i) {
    const SharedMemory memory(kLarge);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.begin());
    EXPECT_LT(address, std::uintptr_t{1} << 47);
#ifdef __linux__
    EXPECT_GE(address, std::uintptr_t{1} << 45);
    EXPECT_EQ(memory.bytes(), kLarge);
#endif
  }
}

TEST(Arena, KeepsTheMemoryOfABlockThatAChildOfForkReleases) {
  Arena arena(kArenaBytes);
  std::byte* const block = arena.allocate(5000);
  std::memset(block, 7, 5000);
  const pid_t child = fork();
  if (child == 0) {
    arena.release(block, true);
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(block[4999], std::byte{7});
}

TEST(Arena, GivesBlocksThatDoNotOverlap) {
  Arena arena(kArenaBytes);
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(arena.allocate(5000));
    std::memset(blocks.back(), i, 5000);
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(blocks[i][4999], static_cast<std::byte>(i));
}

TEST(Arena, AlignsAsAsked) {
  Arena arena(kArenaBytes);
  arena.allocate(1);
  for (const std::size_t alignment : {64, 4096, 65536, 2097152}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.allocate(1, alignment)) % alignment, 0u);
  }
}

TEST(Arena, HasAllOfItsRoomAgainWhenAllBlocksHaveEnded) {
  Arena arena(kArenaBytes);
  std::vector<std::byte*> blocks;
  while (std::byte* const block = arena.allocate(kArenaBytes / 16)) blocks.push_back(block);
  EXPECT_EQ(blocks.size(), 16u);
  for (std::size_t i = 0; i < 16; i += 2) arena.release(blocks[i], i % 4 == 0);
  for (std::size_t i = 1; i < 16; i += 2) arena.release(blocks[i], i % 4 == 1);
  EXPECT_NE(arena.allocate(kArenaBytes), nullptr) << "what was kept is given back for it";
}

TEST(Arena, RefusesWhatItHasNoRoomFor) {
  Arena arena(kArenaBytes);
  EXPECT_EQ(arena.allocate(kArenaBytes + 1), nullptr);
  EXPECT_EQ(arena.allocate(SIZE_MAX), nullptr);
  EXPECT_THROW(ArenaBlock(arena, 2 * kArenaBytes), std::bad_alloc);
}

TEST(Arena, KeepsBlocksForTheNextOfTheirSize) {
  Arena arena(kArenaBytes);
  std::byte* const first = arena.allocate(10000);
  arena.release(first);
  EXPECT_EQ(arena.allocate(9000), first);
  arena.release(first);
  EXPECT_GE(arena.trim(), 10000u);
  EXPECT_EQ(arena.trim(), 0u);
}

}  // namespace
}  // namespace switchyard::isolation
