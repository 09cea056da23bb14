// What stands in the slots that a plugin leaves out.
#include "plugin_loader/plugin_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/fakes.hpp"
#include "plugin_loader/load.hpp"
#include "plugin_loader/probe_result.hpp"

namespace switchyard {
namespace {

sy_error fresh_error() {
  sy_error error = {};
  error.struct_size = sizeof(error);
  return error;
}

template <typename Args>
sy_status answer(sy_status (*slot)(Args*, sy_error*), Args args = {}) {
  sy_error error = fresh_error();
  const sy_status status = slot(&args, &error);
  if (status != SY_OK) {
    EXPECT_EQ(error.status, status);
    EXPECT_STRNE(error.message, "");
  }
  return status;
}

class DefaultSlots : public ::testing::Test {
 protected:
  // Keeps what must be there, and nothing else.
  static sy_plugin bare_table(const sy_plugin& full) {
    sy_plugin bare = full;
    bare.recover = nullptr;
    bare.report = nullptr;
    bare.import_memory = nullptr;
    bare.map = nullptr;
    bare.unmap = nullptr;
    bare.trim = nullptr;
    bare.memory_statistics = nullptr;
    bare.flush = nullptr;
    bare.create_event = nullptr;
    bare.destroy_event = nullptr;
    bare.record_event = nullptr;
    bare.wait_for_event = nullptr;
    bare.wait_event = nullptr;
    bare.supports = nullptr;
    bare.release_constant = nullptr;
    return bare;
  }

  const LoadResult good = load_fake("good");
  const PluginTable table = copy_table(bare_table(good.plugin->table()));
  const sy_plugin& slots = table.slots;
};

TEST_F(DefaultSlots, DoWhatTheHeaderSays) {
  EXPECT_FALSE(table.has_events || table.has_map || table.has_release_constant);
  EXPECT_EQ(answer(slots.recover), SY_OK);
  EXPECT_EQ(answer(slots.report), SY_OK);
  EXPECT_EQ(answer(slots.flush), SY_OK);
  EXPECT_EQ(answer(slots.import_memory), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.map), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.unmap), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.create_event), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.destroy_event), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.record_event), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.wait_for_event), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.wait_event), SY_UNSUPPORTED);
  EXPECT_EQ(answer(slots.release_constant), SY_BUG);
}

TEST_F(DefaultSlots, CountZeros) {
  sy_trim_args trim = {};
  trim.freed_bytes = 5;
  EXPECT_EQ(slots.trim(&trim, nullptr), SY_OK);
  EXPECT_EQ(trim.freed_bytes, 0u);
  sy_memory_statistics_args statistics = {};
  statistics.used_bytes = statistics.cached_bytes = statistics.free_bytes = 5;
  EXPECT_EQ(slots.memory_statistics(&statistics, nullptr), SY_OK);
  EXPECT_EQ(statistics.used_bytes + statistics.cached_bytes + statistics.free_bytes, 0u);
}

TEST_F(DefaultSlots, SupportWhatTheClaimsCover) {
  sy_program program = {};
  program.node_count = 2;
  std::array<sy_verdict, 2> verdicts = {};
  for (sy_verdict& verdict : verdicts) {
    verdict.struct_size = sizeof(verdict);
    verdict.kind = SY_REFUSED;
  }
  sy_supports_args args = {};
  args.program = &program;
  args.verdicts = verdicts.data();
  EXPECT_EQ(slots.supports(&args, nullptr), SY_OK);
  EXPECT_EQ(verdicts[0].kind, SY_SUPPORTED);
  EXPECT_EQ(verdicts[1].kind, SY_SUPPORTED);
}

TEST_F(DefaultSlots, StayTheirsWhereThePluginHasThem) {
  EXPECT_NE(good.plugin->table().supports, slots.supports);
  EXPECT_EQ(good.plugin->table().run, slots.run);
}

TEST(PluginTable, TakesALargerStructOfANewerPlugin) {
  struct {
    sy_plugin known;
    void* unknown_slot;
  } larger = {load_fake("good").plugin->table(), nullptr};
  larger.known.struct_size = sizeof(larger);
  EXPECT_EQ(copy_table(larger.known).slots.struct_size, sizeof(sy_plugin));
}

// What is left of a pointer that the end of the struct cuts in two would be called.
TEST(PluginTable, RefusesASizeThatCutsASlotInTwo) {
  sy_plugin given = load_fake("good").plugin->table();
  for (const std::size_t size : {offsetof(sy_plugin, probe) - 8, offsetof(sy_plugin, probe) + 5,
                                 offsetof(sy_plugin, run) + 1}) {
    given.struct_size = static_cast<std::uint32_t>(size);
    EXPECT_THROW(copy_table(given), LoadError) << size;
  }
}

// The second element of such an array would begin within a field of the first.
TEST(Probe, RefusesArraysWhoseElementsAreCutInTwo) {
  static sy_claim claim;
  static sy_device_info device;
  claim = {.struct_size = sizeof(claim), .domain = "", .op = "Add"};
  device = {.struct_size = sizeof(device),
            .name = "",
            .memory_kind = SY_MEMORY_ADDRESS,
            .message = "",
            .alignment = 64,
            .claims = &claim,
            .claim_count = 1};
  PluginTable table;
  table.slots.probe = [](sy_probe_args* args, sy_error*) -> sy_status {
    args->devices = &device;
    args->device_count = 1;
    return SY_OK;
  };
  EXPECT_NO_THROW(probe_plugin(table));
  device.struct_size = sizeof(device) - 4;
  EXPECT_THROW(probe_plugin(table), LoadError);
  device.struct_size = sizeof(device);
  claim.struct_size = sizeof(claim) - 3;
  EXPECT_THROW(probe_plugin(table), LoadError);
}

}  // namespace
}  // namespace switchyard
