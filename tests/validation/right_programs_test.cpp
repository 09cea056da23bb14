// A host that keeps to plugin.h breaks no rule, whatever plugin is behind the layer, and what it
// reads is what the plugin computes.
#include <filesystem>
#include <thread>

#include "case.hpp"

namespace {

using driver::make;
using driver::Numbers;
using driver::Operand;
using Floats = std::vector<float>;

class RightPrograms : public testing::TestWithParam<const char*> {};

TEST_P(RightPrograms, BreakNoRule) {
  if (!std::filesystem::exists(layered::library_of(GetParam()))) GTEST_SKIP();
  layered::Plugin plugin(GetParam());
  {
    driver::Device device(plugin.host(), plugin.table());
    const Operand x{.shape = {2, 3}, .storage = device.upload({1, -2, 3, -4, 5, -6})};
    const Operand y{.shape = {2, 3}, .storage = device.upload({1, 1, 1, 1, 1, 1})};
    const Operand z{.shape = {2, 3}, .storage = device.upload({0, 0, 0, 0, 0, 0})};
    const driver::Prepared add = device.prepare(driver::Program("Add", 14, {x, y}, z));
    ASSERT_EQ(add.status, SY_OK) << add.message;
    const driver::Prepared relu = device.prepare(driver::Program("Relu", 14, {z}, x));
    ASSERT_EQ(relu.status, SY_OK) << relu.message;
    device.run(add.kernel, {x, y}, z);
    device.wait(device.run(relu.kernel, {z}, x));
    EXPECT_EQ(device.download(x), (Floats{2, 0, 4, 0, 6, 0}));
    device.destroy(add.kernel);
    device.destroy(relu.kernel);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
  EXPECT_EQ(plugin.log(), "");
  EXPECT_NE(layered::report_of(plugin.table()).find("validation: "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Behind, RightPrograms,
                         testing::Values("good", "asynchronous", "no_events", "immediates",
                                         "mappable", "opaque", "two_devices",
                                         "programs_asynchronous", "packed_constants",
                                         "offsets_of_64", "caching", "bindings", "host_memory",
                                         "exchange", "template", "cpu", "mps"),
                         [](const auto& info) { return std::string(info.param); });

// One stream waits for another by an event: what comes after is ordered without the host's waiting.
TEST(RightPrograms, MayOrderStreamsByEvents) {
  layered::Plugin plugin("asynchronous");
  {
    driver::Device device(plugin.host(), plugin.table());
    auto create = make<sy_create_stream_args>();
    create.device = device.handle();
    ASSERT_EQ(plugin.table().create_stream(&create, nullptr), SY_OK);
    auto event = make<sy_create_event_args>();
    event.device = device.handle();
    ASSERT_EQ(plugin.table().create_event(&event, nullptr), SY_OK);

    const Floats values = {1, -2, 3};
    const sy_storage storage = device.allocate(12);
    device.copy(SY_FLOAT32, {3}, driver::host_region(values.data()),
                driver::storage_region(storage));
    auto record = make<sy_event_args>();
    record.event = event.event;
    record.stream = device.stream();
    EXPECT_EQ(plugin.table().record_event(&record, nullptr), SY_OK);
    auto wait = record;
    wait.stream = create.stream;
    EXPECT_EQ(plugin.table().wait_for_event(&wait, nullptr), SY_OK);

    const Numbers shape = {3};
    Floats read(3);
    const auto from = driver::storage_region(storage);
    const auto to = driver::host_region(read.data());
    auto copy = make<sy_copy_args>();
    copy.dtype = SY_FLOAT32;
    copy.device = device.handle();
    copy.stream = create.stream;
    copy.source = &from;
    copy.destination = &to;
    copy.shape = shape.data();
    copy.rank = 1;
    EXPECT_EQ(plugin.table().copy(&copy, nullptr), SY_OK);
    // To wait for the later work is to wait for the earlier: the storage may go at once.
    auto last = make<sy_wait_args>();
    last.stream = create.stream;
    last.sequence = copy.sequence;
    EXPECT_EQ(plugin.table().wait(&last, nullptr), SY_OK);
    EXPECT_EQ(read, values);

    auto stream = make<sy_stream_args>();
    stream.stream = create.stream;
    EXPECT_EQ(plugin.table().destroy_stream(&stream, nullptr), SY_OK);
    auto gone = make<sy_event_args>();
    gone.event = event.event;
    EXPECT_EQ(plugin.table().destroy_event(&gone, nullptr), SY_OK);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// Workspace is asked for anew before each run, and a run that is made again needs no other answer.
TEST(RightPrograms, MayAskForWorkspaceBeforeEachRun) {
  layered::Plugin plugin("workspace_per_run");
  {
    driver::Device device(plugin.host(), plugin.table());
    layered::Case c{plugin, plugin.table(), device};
    const sy_kernel kernel = c.kernel();
    const Operand x = c.tensor(-1), y = c.tensor();
    for (int i = 0; i < 2; ++i) {
      layered::OneRun run(c, kernel, x, y);
      uint64_t bytes = 0;
      EXPECT_EQ(layered::ask_workspace(c, run.args, bytes), SY_OK);
      run.args.workspace = device.allocate(bytes);
      EXPECT_EQ(plugin.table().run(&run.args, nullptr), SY_OK);
    }
    EXPECT_EQ(device.download(y), (Floats{0, 0, 0, 0}));
    device.destroy(kernel);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// One address may stand for several imports, each of which is released.
TEST(RightPrograms, MayImportMemorySeveralTimes) {
  layered::Plugin plugin("cpu");
  {
    driver::Device device(plugin.host(), plugin.table());
    layered::Case c{plugin, plugin.table(), device};
    const sy_storage storage = device.upload({1, 2, 3, 4});
    for (int i = 0; i < 2; ++i) {
      auto args = c.imported(SY_EXTERNAL_HOST, reinterpret_cast<void*>(storage));
      EXPECT_EQ(plugin.table().import_memory(&args, nullptr), SY_OK);
    }
    EXPECT_EQ(c.release(storage), SY_OK);
    EXPECT_EQ(c.release(storage), SY_OK);
    EXPECT_EQ(device.download({.shape = {4}, .storage = storage}), (Floats{1, 2, 3, 4}));
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// Memory that is cached for a stream outlives it.
TEST(RightPrograms, MayReleaseAStorageAfterItsStream) {
  layered::Plugin plugin("caching");
  {
    driver::Device device(plugin.host(), plugin.table());
    layered::Case c{plugin, plugin.table(), device};
    auto args = make<sy_allocate_args>();
    args.device = device.handle();
    args.stream = c.another_stream();
    args.size_bytes = 16;
    ASSERT_EQ(plugin.table().allocate(&args, nullptr), SY_OK);
    EXPECT_EQ(c.copy(args.stream, driver::host_region(layered::four),
                     driver::storage_region(args.storage)),
              SY_OK);
    c.destroy(args.stream);
    EXPECT_EQ(c.release(args.storage), SY_OK);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// What a host keeps for a thread may be released when the thread ends, after all that plugins keep.
TEST(RightPrograms, MayCallWhileTheirThreadEnds) {
  layered::Plugin plugin("asynchronous", "error", 1);
  {
    driver::Device device(plugin.host(), plugin.table());
    struct Last {
      driver::Device* device = nullptr;
      ~Last() {
        if (device != nullptr) device->wait(0);
      }
    };
    std::thread([&] {
      thread_local Last last;
      last.device = &device;
      device.upload({1, 2, 3});
    }).join();
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// Pauses before calls change when they come, and nothing of what they do.
TEST(RightPrograms, MayBeDelayed) {
  layered::Plugin plugin("asynchronous", "error", 300);
  {
    driver::Device device(plugin.host(), plugin.table());
    const Operand x{.shape = {3}, .storage = device.upload({1, -2, 3})};
    const Operand y{.shape = {3}, .storage = device.upload({0, 0, 0})};
    const driver::Prepared relu = device.prepare(driver::Program("Relu", 14, {x}, y));
    for (int i = 0; i < 20; ++i) device.wait(device.run(relu.kernel, {x}, y));
    EXPECT_EQ(device.download(y), (Floats{1, 0, 3}));
    device.destroy(relu.kernel);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{}) << plugin.log();
}

// A violation is told, and the call is passed on all the same, where it is only to be logged.
TEST(Violations, ArePassedOnWhereTheyAreLogged) {
  layered::Plugin plugin("no_events", "log");
  {
    driver::Device device(plugin.host(), plugin.table());
    auto args = make<sy_completed_args>();
    args.stream = device.stream();
    args.reserved = 7;
    EXPECT_EQ(plugin.table().completed(&args, nullptr), SY_OK);
  }
  EXPECT_EQ(plugin.broken_rules(), std::vector<std::string>{"args"});
  EXPECT_EQ(plugin.log(), "violation of the rule args: completed: a reserved field is 7\n");
}

// But a call whose handles do not live has nothing to be passed on with.
TEST(Violations, OfHandlesFailInAnyCase) {
  layered::Plugin plugin("no_events", "log");
  auto args = make<sy_completed_args>();
  auto error = make<sy_error>();
  EXPECT_EQ(plugin.table().completed(&args, &error), SY_INVALID);
  EXPECT_STREQ(error.message, "violation of the rule handle: completed: the stream is null");
}

TEST(ViolationsDeathTest, EndTheProcessWhereTheyAreToAbort) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  layered::Plugin plugin("no_events", "abort");
  auto args = make<sy_completed_args>();
  EXPECT_DEATH(plugin.table().completed(&args, nullptr), "");
}

TEST(Layer, IsNoPluginByItself) {
  const driver::Host host;
  const sy_plugin* plugin = nullptr;
  auto error = make<sy_error>();
  EXPECT_EQ(host.try_enter(layered::layer_entry(), SY_ABI_VERSION, &plugin, &error), SY_INVALID);
  EXPECT_NE(std::string(error.message).find("plugins.NAME.validate = true"), std::string::npos);
}

}  // namespace
