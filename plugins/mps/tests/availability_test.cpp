// What the plugin says of itself before a device is open.
#include <gtest/gtest.h>
#include <switchyard/plugin.h>

#include <set>
#include <string>

#include "runtime/table.hpp"

namespace mps::runtime_tests {
namespace {

sy_probe_args probe(Host& host) {
  auto args = make_args<sy_probe_args>();
  args.host = &host.raw();
  call(enter(host).probe, args);
  return args;
}

std::set<std::string> claimed_ops(const sy_device_info& info) {
  std::set<std::string> ops;
  for (uint32_t i = 0; i < info.claim_count; ++i) ops.insert(SY_AT(sy_claim, info.claims, i)->op);
  return ops;
}

#if !defined(__APPLE__)

TEST(MpsProbe, WithoutMetalItIsBuiltButNotAvailable) {
  Host host;
  const sy_probe_args args = probe(host);
  EXPECT_EQ(args.built, 1);
  EXPECT_EQ(args.available, 0);
  EXPECT_EQ(args.reason, SY_REASON_OS);
  ASSERT_EQ(args.device_count, 1u);
  EXPECT_EQ(args.devices->built, 1);
  EXPECT_EQ(args.devices->available, 0);
  EXPECT_EQ(args.devices->reason, SY_REASON_OS);
  EXPECT_STREQ(args.devices->message, args.message);
#if defined(__linux__)
  EXPECT_EQ(std::string(args.message).rfind("no Metal device: this is Linux; ", 0), 0u);
#endif
}

TEST(MpsOpen, WithoutMetalItRefusesWithTheSameSentence) {
  Host host;
  const sy_probe_args listed = probe(host);
  auto args = make_args<sy_open_device_args>();
  args.host = &host.raw();
  auto error = make_args<sy_error>();
  EXPECT_EQ(enter(host).open_device(&args, &error), SY_UNSUPPORTED);
  EXPECT_EQ(error.reason, SY_REASON_OS);
  EXPECT_STREQ(error.message, listed.message);
  EXPECT_EQ(args.device, nullptr);
}

// So that a user sees what a Mac would take.
TEST(MpsProbe, ClaimsAreTheSameWithAndWithoutADevice) {
  Host metal, software;
  software.text("device", "software");
  const std::set<std::string> ops = claimed_ops(*probe(metal).devices);
  EXPECT_EQ(ops, claimed_ops(*probe(software).devices));
  for (const char* op : {"Relu", "Add", "ReduceSum", "Softmax", "MatMul", "Gather", "Conv"}) {
    EXPECT_EQ(ops.count(op), 1u) << op;
  }
}

TEST(MpsReport, TellsWhatAMetalDeviceLacks) {
  Host host;
  std::string text;
  auto writer = make_args<sy_writer>();
  writer.context = &text;
  writer.write = [](void* context, const char* piece, uint64_t bytes) -> sy_status {
    static_cast<std::string*>(context)->append(piece, bytes);
    return SY_OK;
  };
  auto args = make_args<sy_report_args>();
  args.writer = &writer;
  call(enter(host).report, args);
  EXPECT_NE(text.find("operating system: not met: "), std::string::npos) << text;
  EXPECT_NE(text.find(probe(host).message), std::string::npos) << text;
}

TEST(MpsProbe, TheSoftwareDeviceIsAvailableIfAskedFor) {
  for (const bool unified : {true, false}) {
    Host host;
    host.text("device", "software").text("software.memory", unified ? "unified" : "discrete");
    const sy_probe_args args = probe(host);
    EXPECT_EQ(args.available, 1);
    EXPECT_EQ(args.reason, SY_REASON_NONE);
    EXPECT_STREQ(args.message, "");
    ASSERT_EQ(args.device_count, 1u);
    EXPECT_EQ(args.devices->available, 1);
    EXPECT_STREQ(args.devices->message, "");
    EXPECT_EQ(args.devices->memory_kind, unified ? SY_MEMORY_MAPPABLE : SY_MEMORY_OPAQUE);
    EXPECT_GT(args.devices->memory_bytes, 0u);
    EXPECT_GT(args.devices->max_storage_bytes, 0u);
    EXPECT_NE(args.devices->flags & SY_DEVICE_CACHES_MEMORY, 0u);
  }
}

TEST(MpsOpen, TheSoftwareDeviceOpensAndReports) {
  const OpenDevice device;
  EXPECT_NE(device.handle(), nullptr);
  EXPECT_NE(device.report().find("memory: 0 bytes in use"), std::string::npos) << device.report();
}

TEST(MpsProbe, HostsWithOtherOptionsAreListedApart) {
  Host metal, software;
  software.text("device", "software");
  EXPECT_EQ(probe(software).available, 1);
  EXPECT_EQ(probe(metal).available, 0);
  EXPECT_EQ(probe(software).available, 1);
}

#endif

TEST(MpsOpen, ADeviceBeyondTheListIsInvalid) {
  Host host;
  const sy_probe_args listed = probe(host);
  auto args = make_args<sy_open_device_args>();
  args.host = &host.raw();
  args.index = listed.device_count;
  auto error = make_args<sy_error>();
  EXPECT_EQ(enter(host).open_device(&args, &error), SY_INVALID);
  EXPECT_NE(std::string(error.message).find("mps:" + std::to_string(args.index)),
            std::string::npos);
}

TEST(MpsEntry, SpeaksOneVersion) {
  Host host;
  auto args = make_args<sy_entry_args>();
  args.host = &host.raw();
  args.min_version = args.max_version = SY_ABI_VERSION + 1;
  auto error = make_args<sy_error>();
  EXPECT_EQ(switchyard_plugin_entry(&args, &error), SY_UNSUPPORTED);
  EXPECT_EQ(args.plugin, nullptr);
}

TEST(MpsTable, HasEverySlotThatItNeeds) {
  Host host;
  const sy_plugin& table = enter(host);
  EXPECT_STREQ(table.name, "mps");
  EXPECT_TRUE(table.probe && table.open_device && table.close_device && table.report);
  EXPECT_TRUE(table.allocate && table.release && table.map && table.unmap && table.trim &&
              table.memory_statistics && table.copy);
  EXPECT_TRUE(table.create_stream && table.destroy_stream && table.flush && table.completed &&
              table.wait);
  EXPECT_TRUE(table.create_event && table.destroy_event && table.record_event &&
              table.wait_for_event && table.wait_event);
  EXPECT_TRUE(table.supports && table.prepare && table.destroy_kernel && table.run);
  EXPECT_FALSE(table.import_memory);
}

}  // namespace
}  // namespace mps::runtime_tests
