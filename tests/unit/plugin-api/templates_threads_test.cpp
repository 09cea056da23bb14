// What both plugins that are there to be copied do, that in C++ and that in C.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "plugin-api/template_device.hpp"

namespace {

using driver::Numbers;
using driver::Operand;
using template_device::Floats;
using template_device::Template;

class Templates : public testing::TestWithParam<const char*> {};

TEST_P(Templates, OpsComputeContiguousTensors) {
  Template t({}, GetParam());
  const Operand a = t.upload({2, 2}, {1, 2, 3, 4});
  const Operand b = t.upload({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(t.compute("Add", {a, b}, t.allocate({2, 2})), (Floats{11, 22, 33, 44}));
  EXPECT_EQ(t.compute("Mul", {a, b}, t.allocate({2, 2})), (Floats{10, 40, 90, 160}));
}

TEST_P(Templates, OpsReluKeepsNan) {
  Template t({}, GetParam());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Floats result = t.compute("Relu", {t.upload({3}, {-1.5f, 2.5f, nan})}, t.allocate({3}));
  EXPECT_EQ(result[0], 0.0f);
  EXPECT_EQ(result[1], 2.5f);
  EXPECT_TRUE(std::isnan(result[2]));
}

TEST_P(Templates, OpsBroadcastBothWays) {
  Template t({}, GetParam());
  const Operand column = t.upload({2, 1}, {1, 2});
  const Operand row = t.upload({3}, {10, 20, 30});
  EXPECT_EQ(t.compute("Add", {column, row}, t.allocate({2, 3})), (Floats{11, 21, 31, 12, 22, 32}));
}

TEST_P(Templates, OpsTakeAnyStridesAndOffsets) {
  Template t({}, GetParam());
  const sy_storage storage = t.device.upload({0, 1, 2, 3, 4, 5, 6, 7});
  const Operand transposed = {.shape = {3, 2}, .strides = {1, 3}, .storage = storage};
  const Operand backwards = {
      .shape = {3, 2}, .strides = {-2, -1}, .storage = storage, .offset_bytes = 28};
  Operand output = t.allocate({3, 2, 2});  // written with gaps
  output.shape = {3, 2};
  output.strides = {4, 2};
  // [[0,3],[1,4],[2,5]] + [[7,6],[5,4],[3,2]]
  EXPECT_EQ(t.compute("Add", {transposed, backwards}, output), (Floats{7, 9, 6, 8, 5, 7}));
}

TEST_P(Templates, OpsTakeEveryRankAndEmptyTensors) {
  Template t({}, GetParam());
  EXPECT_EQ(t.compute("Add", {t.upload({}, {2}), t.upload({}, {3})}, t.allocate({})), (Floats{5}));
  const Numbers ones(SY_MAX_RANK, 1);
  EXPECT_EQ(t.compute("Relu", {t.upload(ones, {4})}, t.allocate(ones)), (Floats{4}));
  const Operand empty = {.shape = {0, 3}};  // storage 0
  EXPECT_EQ(t.compute("Relu", {empty}, empty), Floats{});
}

TEST_P(Templates, OpsReadImmediatesFromTheArguments) {
  Template t({}, GetParam());
  const Operand a = t.upload({3}, {1, 2, 3});
  const Operand half = {.shape = {}, .flags = SY_VALUE_IMMEDIATE, .immediate = 0.5f};
  EXPECT_EQ(t.compute("Mul", {a, half}, t.allocate({3})), (Floats{0.5f, 1, 1.5f}));
  EXPECT_EQ(t.compute("Mul", {half, a}, t.allocate({3})), (Floats{0.5f, 1, 1.5f}));
}

TEST_P(Templates, OpsReadOneInputTwice) {
  Template t({}, GetParam());
  const Operand a = t.upload({2}, {3, 4}), output = t.allocate({2});
  const driver::Program program("Mul", 14, {a}, output, {0, 0});
  const driver::Prepared prepared = t.device.prepare(program);
  ASSERT_EQ(prepared.status, SY_OK) << prepared.message;
  t.device.run(prepared.kernel, {a}, output);
  EXPECT_EQ(t.device.download(output), (Floats{9, 16}));
  t.device.destroy(prepared.kernel);
}

TEST_P(Templates, OpsRefuseOthersWithASentence) {
  Template t({}, GetParam());
  const Operand floats = {.shape = {2}};
  const Operand integers = {.shape = {2}, .dtype = SY_INT64};
  const driver::Program wrong_dtype("Add", 14, {integers, integers}, integers);
  sy_verdict verdict = t.device.judge(wrong_dtype);
  EXPECT_EQ(verdict.kind, SY_REFUSED);
  EXPECT_EQ(verdict.reason, SY_REASON_DTYPE);
  EXPECT_STREQ(verdict.message, "computes Add in float32, not in int64");
  EXPECT_EQ(t.device.prepare(wrong_dtype).status, SY_UNSUPPORTED);
  verdict = t.device.judge(driver::Program("Conv", 11, {floats, floats}, floats));
  EXPECT_EQ(verdict.reason, SY_REASON_OP);
  EXPECT_EQ(t.device.judge(driver::Program("Add", 1, {floats, floats}, floats)).kind, SY_REFUSED);
  EXPECT_EQ(t.device.judge(driver::Program("Add", 14, {floats, floats}, floats)).kind,
            SY_SUPPORTED);
}

TEST_P(Templates, KernelServesEveryShape) {
  Template t({}, GetParam());
  const Operand a = t.upload({2}, {1, 2}), b = t.upload({2}, {3, 4}), output = t.allocate({2});
  const driver::Prepared prepared = t.device.prepare(driver::Program("Add", 14, {a, b}, output));
  ASSERT_EQ(prepared.status, SY_OK) << prepared.message;
  EXPECT_EQ(prepared.specialised_on, (std::vector<uint8_t>{0, 0}));
  EXPECT_EQ(prepared.workspace_bytes, 0u);
  EXPECT_EQ(prepared.plan.mode, SY_OUTPUT_EXACT);
  t.device.run(prepared.kernel, {a, b}, output);
  EXPECT_EQ(t.device.download(output), (Floats{4, 6}));
  const Operand c = t.upload({3, 1}, {1, 2, 3}), wide = t.allocate({3, 2});
  t.device.run(prepared.kernel, {c, b}, wide);
  EXPECT_EQ(t.device.download(wide), (Floats{4, 5, 5, 6, 6, 7}));
  t.device.destroy(prepared.kernel);
}

TEST_P(Templates, KernelWritesOverAnInputWhereItSaysItMay) {
  Template t({}, GetParam());
  const Operand a = t.upload({3}, {-1, 0, 1});
  const driver::Prepared prepared = t.device.prepare(driver::Program("Relu", 14, {a}, a));
  EXPECT_EQ(prepared.plan.may_alias_inputs, 1u);
  t.device.run(prepared.kernel, {a}, a);
  EXPECT_EQ(t.device.download(a), (Floats{0, 0, 1}));
  t.device.destroy(prepared.kernel);
}

TEST_P(Templates, KernelRefusesRunsThatLeaveTheirStorage) {
  Template t({}, GetParam());
  Operand a = t.upload({4}, {1, 2, 3, 4});
  const driver::Prepared prepared = t.device.prepare(driver::Program("Relu", 14, {a}, a));
  uint64_t sequence = 0;
  Operand late = a;
  late.offset_bytes = 4;
  EXPECT_EQ(t.device.try_run(prepared.kernel, {late}, a, sequence), SY_INVALID);
  Operand before = a;
  before.strides = {-1};
  EXPECT_EQ(t.device.try_run(prepared.kernel, {before}, a, sequence), SY_INVALID);
  Operand other = a;
  other.shape = {2};
  EXPECT_EQ(t.device.try_run(prepared.kernel, {other}, a, sequence), SY_INVALID);
  EXPECT_EQ(t.device.run(prepared.kernel, {a}, a),
            2u);  // after the upload: refusals take no number
  t.device.destroy(prepared.kernel);
}

TEST_P(Templates, MemoryIsCountedAndBounded) {
  Template t({{"memory_bytes", 100}}, GetParam());
  sy_storage first = 0, second = 0;
  EXPECT_EQ(t.device.try_allocate(60, first), SY_OK);
  EXPECT_EQ(t.device.try_allocate(60, second), SY_OUT_OF_MEMORY);
  EXPECT_NE(t.device.message().find("40"), std::string::npos) << t.device.message();
  auto args = driver::make<sy_memory_statistics_args>();
  args.device = t.device.handle();
  ASSERT_EQ(t.plugin.memory_statistics(&args, nullptr), SY_OK);
  EXPECT_EQ(args.used_bytes, 60u);
  EXPECT_EQ(args.free_bytes, 40u);
}

TEST_P(Templates, MemoryReportsItsUse) {
  Template t({}, GetParam());
  t.device.allocate(60);
  std::string text;
  auto writer = driver::make<sy_writer>();
  writer.context = &text;
  writer.write = [](void* context, const char* piece, uint64_t size) -> sy_status {
    static_cast<std::string*>(context)->append(piece, size);
    return SY_OK;
  };
  auto args = driver::make<sy_report_args>();
  args.device = t.device.handle();
  args.writer = &writer;
  ASSERT_EQ(t.plugin.report(&args, nullptr), SY_OK);
  EXPECT_EQ(text, "storages hold 60 bytes\n");
}

TEST_P(Templates, CopyTakesStridesOnBothSides) {
  Template t({}, GetParam());
  const std::vector<int16_t> source = {1, 2, 3, 4, 5, 6};
  const sy_storage storage = t.device.allocate(12);
  const Numbers transposed = {1, 3}, reversed = {-2, -1};
  t.device.copy(SY_INT16, {3, 2}, driver::host_region(source.data(), transposed.data()),
                driver::storage_region(storage));
  std::vector<int16_t> got(6);
  t.device.wait(t.device.copy(SY_INT16, {3, 2}, driver::storage_region(storage),
                              driver::host_region(got.data() + 5, reversed.data())));
  EXPECT_EQ(got, (std::vector<int16_t>{6, 3, 5, 2, 4, 1}));
  uint64_t sequence = 0;
  EXPECT_EQ(t.device.try_copy(SY_INT16, {7}, driver::storage_region(storage),
                              driver::host_region(got.data()), sequence),
            SY_INVALID);
}

TEST_P(Templates, ThreadsShareADeviceAndAKernel) {
  Template t({}, GetParam());
  const Operand shape_only = {.shape = {64}};
  const driver::Prepared prepared =
      t.device.prepare(driver::Program("Add", 14, {shape_only, shape_only}, shape_only));
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&, n] {
      driver::Device own(t.host.raw(), t.plugin);
      for (int round = 0; round < 20; ++round) {
        const auto value = static_cast<float>(n * 100 + round);
        const Operand a = {.shape = {64}, .storage = own.upload(Floats(64, value))};
        const Operand output = {.shape = {64}, .storage = own.allocate(256)};
        own.run(prepared.kernel, {a, a}, output);
        EXPECT_EQ(own.download(output), Floats(64, 2 * value));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  t.device.destroy(prepared.kernel);
}

TEST_P(Templates, EntryRefusesOtherVersionsAndUnknownOptions) {
  const sy_plugin_entry entry = template_device::entry_of(GetParam());
  const sy_plugin* plugin = nullptr;
  auto error = driver::make<sy_error>();
  EXPECT_EQ(driver::Host().try_enter(entry, SY_ABI_VERSION + 1, &plugin, &error), SY_UNSUPPORTED);
  EXPECT_NE(std::string(error.message).find("0.2"), std::string::npos) << error.message;
  EXPECT_EQ(driver::Host({{"thread", 1}}).try_enter(entry, SY_ABI_VERSION, &plugin, &error),
            SY_INVALID);
  EXPECT_EQ(driver::Host({{"memory_bytes", 0}}).try_enter(entry, SY_ABI_VERSION, &plugin, &error),
            SY_INVALID);
}

TEST_P(Templates, ProbeListsOpaqueDevicesThatClaimThreeOps) {
  const driver::Host host;
  const sy_plugin& plugin = template_device::open_plugin(GetParam(), host);
  auto args = driver::make<sy_probe_args>();
  args.host = &host.raw();
  ASSERT_EQ(plugin.probe(&args, nullptr), SY_OK);
  EXPECT_EQ(args.built, 1);
  EXPECT_EQ(args.available, 1);
  ASSERT_EQ(args.device_count, 1u);
  EXPECT_EQ(args.devices->memory_kind, SY_MEMORY_OPAQUE);
  EXPECT_EQ(args.devices->claim_count, 3u);
  EXPECT_EQ(args.devices->claims->op, std::string("Add"));
  EXPECT_EQ(plugin.name, std::string(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, Templates, testing::Values("template", "template_c"));

}  // namespace
