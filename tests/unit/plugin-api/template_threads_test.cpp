// What the plugin `template` alone does: several devices, peers, an asynchronous stream. The rest
// is in templates_threads_test.cpp.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "plugin-api/template_device.hpp"

namespace {

using driver::Operand;
using template_device::entry_of;
using template_device::Floats;
using template_device::open_plugin;
using template_device::Template;

TEST(TemplateEntry, RefusesOtherVersionsAndUnknownOptions) {
  const sy_plugin* plugin = nullptr;
  auto error = driver::make<sy_error>();
  EXPECT_EQ(driver::Host().try_enter(entry_of("template"), SY_ABI_VERSION + 1, &plugin, &error),
            SY_UNSUPPORTED);
  EXPECT_NE(std::string(error.message).find("0.2"), std::string::npos) << error.message;
  EXPECT_EQ(driver::Host({{"thread", 1}})
                .try_enter(entry_of("template"), SY_ABI_VERSION, &plugin, &error),
            SY_INVALID);
  EXPECT_EQ(
      driver::Host({{"batch", 0}}).try_enter(entry_of("template"), SY_ABI_VERSION, &plugin, &error),
      SY_INVALID);
}

TEST(TemplateProbe, ListsAsManyDevicesAsAskedFor) {
  const driver::Host host({{"devices", 3}});
  const sy_plugin& plugin = open_plugin("template", host);
  auto args = driver::make<sy_probe_args>();
  args.host = &host.raw();
  ASSERT_EQ(plugin.probe(&args, nullptr), SY_OK);
  EXPECT_EQ(args.built, 1);
  EXPECT_EQ(args.available, 1);
  ASSERT_EQ(args.device_count, 3u);
  const sy_device_info& info = *SY_AT(sy_device_info, args.devices, 2);
  EXPECT_EQ(info.memory_kind, SY_MEMORY_OPAQUE);
  EXPECT_EQ(info.claim_count, 3u);
  EXPECT_EQ(plugin.map, nullptr);
  EXPECT_EQ(plugin.import_memory, nullptr);
}

TEST(TemplateKernel, RefusesStoragesThatAreNone) {
  Template t;
  const Operand a = t.upload({4}, {1, 2, 3, 4});
  Operand unknown = a;
  unknown.storage = 77;
  const driver::Prepared prepared = t.device.prepare(driver::Program("Relu", 14, {a}, a));
  uint64_t sequence = 0;
  EXPECT_EQ(t.device.try_run(prepared.kernel, {unknown}, a, sequence), SY_INVALID);
  t.device.destroy(prepared.kernel);
}

TEST(TemplateCopy, ReachesPeers) {
  Template t({{"devices", 2}});
  driver::Device other(t.host.raw(), t.plugin, 1);
  const sy_storage theirs = other.upload({5, 6}), ours = t.device.allocate(8);
  sy_region source = driver::storage_region(theirs);
  source.kind = SY_REGION_PEER;
  source.peer = other.handle();
  t.device.copy(SY_FLOAT32, {2}, source, driver::storage_region(ours));
  EXPECT_EQ(t.device.download({.shape = {2}, .storage = ours}), (Floats{5, 6}));
}

TEST(TemplateStream, CompletesInItsOwnTime) {
  Template t({{"delay_microseconds", 100000}, {"batch", 1}});
  const Operand a = t.allocate({1});
  const driver::Prepared prepared = t.device.prepare(driver::Program("Relu", 14, {a}, a));
  EXPECT_EQ(t.device.completed(), 0u);
  const uint64_t sequence = t.device.run(prepared.kernel, {a}, a);
  EXPECT_EQ(sequence, 1u);
  EXPECT_EQ(t.device.completed(), 0u);  // it sleeps
  t.device.wait(sequence);
  EXPECT_EQ(t.device.completed(), 1u);
  EXPECT_EQ(t.device.try_wait(2), SY_INVALID);
  t.device.destroy(prepared.kernel);
}

TEST(TemplateStream, StartsABatchWhenFlushed) {
  Template t({{"batch", 100}});
  const Operand a = t.allocate({1});
  const float value = 1;
  t.device.copy(SY_FLOAT32, {1}, driver::host_region(&value), driver::storage_region(a.storage));
  EXPECT_EQ(t.device.completed(), 0u);
  auto args = driver::make<sy_stream_args>();
  args.stream = t.device.stream();
  ASSERT_EQ(t.plugin.flush(&args, nullptr), SY_OK);
  while (t.device.completed() == 0) std::this_thread::yield();
  auto completed = driver::make<sy_completed_args>();
  completed.stream = t.device.stream();
  ASSERT_EQ(t.plugin.completed(&completed, nullptr), SY_OK);
  EXPECT_EQ(completed.sequence, 1u);
}

TEST(TemplateStream, WaitsForEventsOfAnother) {
  Template t({{"devices", 2}, {"batch", 100}, {"delay_microseconds", 2000}});
  driver::Device other(t.host.raw(), t.plugin, 1);
  auto create = driver::make<sy_create_event_args>();
  create.device = t.device.handle();
  ASSERT_EQ(t.plugin.create_event(&create, nullptr), SY_OK);
  auto event = driver::make<sy_event_args>();
  event.event = create.event;

  const Floats source = {7, 8};
  const sy_storage theirs = other.allocate(8), ours = t.device.allocate(8);
  other.copy(SY_FLOAT32, {2}, driver::host_region(source.data()), driver::storage_region(theirs));
  event.stream = other.stream();
  ASSERT_EQ(t.plugin.record_event(&event, nullptr), SY_OK);
  event.stream = t.device.stream();
  ASSERT_EQ(t.plugin.wait_for_event(&event, nullptr), SY_OK);
  sy_region peer = driver::storage_region(theirs);
  peer.kind = SY_REGION_PEER;
  peer.peer = other.handle();
  t.device.copy(SY_FLOAT32, {2}, peer, driver::storage_region(ours));
  EXPECT_EQ(t.device.download({.shape = {2}, .storage = ours}), source);

  event.stream = nullptr;
  EXPECT_EQ(t.plugin.wait_event(&event, nullptr), SY_OK);
  EXPECT_EQ(other.completed(), 1u);
  EXPECT_EQ(t.plugin.destroy_event(&event, nullptr), SY_OK);
}

}  // namespace
