// What a plugin tells the host before anything runs: the entry, the table, probe, options, the log.
#include "switchyard/plugin/entry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "switchyard/plugin/deferred_output.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/log.hpp"
#include "switchyard/plugin/options.hpp"
#include "switchyard/plugin/stream_entries.hpp"

namespace {

using testing::HasSubstr;

template <typename Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const sy::Failure& failure) {
    return failure.what();
  }
  return "";
}

int tables_made = 0;

sy_plugin make_table() {
  ++tables_made;
  return sy::new_table("example", "1.2.3");
}

void check_options(const sy_host& host) { sy::Options(host).reject_unknown({}); }

sy_host host_with(const sy_option* options, uint64_t count) {
  sy_host host = {};
  host.struct_size = sizeof(host);
  host.options = options;
  host.option_count = count;
  return host;
}

sy_entry_args entry_args(const sy_host& host, uint32_t version = SY_ABI_VERSION) {
  sy_entry_args args = {};
  args.min_version = args.max_version = version;
  args.host = &host;
  return args;
}

TEST(PluginEntry, HandsOverOneTableHoweverOftenItIsEntered) {
  const sy_host host = host_with(nullptr, 0);
  sy_entry_args first = entry_args(host), second = entry_args(host);
  sy::enter<make_table, check_options>(first);
  sy::enter<make_table, check_options>(second);
  EXPECT_EQ(first.plugin, second.plugin);
  EXPECT_EQ(tables_made, 1);
  EXPECT_EQ(first.plugin->struct_size, sizeof(sy_plugin));
  EXPECT_EQ(first.plugin->abi_version, static_cast<uint32_t>(SY_ABI_VERSION));
  EXPECT_STREQ(first.plugin->name, "example");
  EXPECT_STREQ(first.plugin->version, "1.2.3");
}

TEST(PluginEntry, RefusesOtherVersionsAndWrongOptionsEachTime) {
  const sy_option option = {sizeof(sy_option), SY_OPTION_INT, "thread", 1, 0, nullptr, nullptr, 0};
  const sy_host wrong = host_with(&option, 1);
  sy_entry_args args = entry_args(wrong);
  EXPECT_EQ(message_of([&] { sy::enter<make_table, check_options>(args); }),
            "no option thread; known: none");
  EXPECT_EQ(args.plugin, nullptr);
  sy_entry_args newer = entry_args(wrong, SY_ABI_VERSION + 1);
  EXPECT_THAT(message_of([&] { sy::enter<make_table, check_options>(newer); }),
              HasSubstr("build the plugin against the host's header"));
}

TEST(PluginDevices, TheFirstSaysWhyNoneIsAvailable) {
  const sy::ClaimTable claims = {{.op = "Relu"}};
  std::array<sy_device_info, 2> devices = {
      sy::missing_device("a", claims, SY_REASON_OS, "no driver: install one"),
      sy::missing_device("b", claims, SY_REASON_LIMIT, "too old")};
  sy_probe_args args = {};
  sy::set_devices(args, devices);
  EXPECT_EQ(args.built, 1);
  EXPECT_EQ(args.available, 0);
  EXPECT_EQ(args.reason, SY_REASON_OS);
  EXPECT_STREQ(args.message, "no driver: install one");
  EXPECT_EQ(args.device_count, 2u);
  devices[1] = sy::available_device("b", claims);
  sy::set_devices(args, devices);
  EXPECT_EQ(args.available, 1);
  EXPECT_EQ(args.reason, SY_REASON_NONE);
  EXPECT_STREQ(args.message, "");
  EXPECT_EQ(args.devices[1].claims, claims.data());
}

TEST(PluginDevices, StayAsTheyWereToldWhoeverProbesNext) {
  const sy::ClaimTable claims = {{.op = "Relu"}};
  std::array<sy_device_info, 1> devices = {sy::available_device("first", claims)};
  sy_probe_args first = {}, again = {}, second = {};
  sy::set_devices(first, devices);
  sy::set_devices(again, devices);
  EXPECT_EQ(first.devices, again.devices) << "lists that are alike are kept once";
  devices[0].name = "second";
  sy::set_devices(second, devices);
  EXPECT_STREQ(first.devices->name, "first");
  EXPECT_STREQ(second.devices->name, "second");
}

TEST(PluginOptions, SayWhatTheyMayBe) {
  const sy_option given[] = {
      {sizeof(sy_option), SY_OPTION_INT, "threads", -1, 0, nullptr, nullptr, 0},
      {sizeof(sy_option), SY_OPTION_FLOAT, "share", 0, 1.5, nullptr, nullptr, 0},
      {sizeof(sy_option), SY_OPTION_STRING, "mode", 0, 0, "fast", nullptr, 0},
  };
  const sy_host host = host_with(given, 3);
  const sy::Options options(host);
  EXPECT_EQ(message_of([&] { options.integer("threads", 0, 0, INT64_MAX, "0: all"); }),
            "option threads is -1; it must be at least 0 (0: all)");
  EXPECT_EQ(message_of([&] { options.integer("threads", 0, 0, 8); }),
            "option threads is -1; it must be from 0 to 8");
  EXPECT_EQ(message_of([&] { options.real("share", 0, 0, 1, "of all memory"); }),
            "option share is 1.5; it must be from 0 to 1 (of all memory)");
  EXPECT_EQ(message_of([&] {
              options.choice("mode", {"a", "b", "c"});
            }),
            "option mode is \"fast\"; it must be \"a\", \"b\" or \"c\"");
  EXPECT_EQ(options.choice("mode", {"exact", "fast"}), "fast");
  EXPECT_EQ(options.choice("missing", {"exact", "fast"}), "exact");
  EXPECT_TRUE(options.has("mode"));
  EXPECT_FALSE(options.has("missing"));
}

TEST(PluginLog, IsSilentUntilAHostIsKept) {
  std::vector<std::string> messages;
  sy_host host = host_with(nullptr, 0);
  host.context = &messages;
  host.log = [](void* context, sy_log_level, const char* message) {
    static_cast<std::vector<std::string>*>(context)->push_back(message);
  };
  sy::KeptLog log;
  log.get().warn("lost");
  log.keep(host);
  log.get().warn("found ", 2);
  EXPECT_EQ(messages, std::vector<std::string>{"found 2"});
}

struct Device {
  int number = 7;
};

struct Stream : sy::SynchronousStream {
  explicit Stream(Device& owner) : device(owner) {}
  Device& device;
};

TEST(PluginStreams, AreMadeOfTheirDevice) {
  sy_plugin table = {};
  sy::use_streams<Stream, Device>(table);
  Device device;
  sy_create_stream_args made = {};
  made.device = reinterpret_cast<sy_device>(&device);
  ASSERT_EQ(table.create_stream(&made, nullptr), SY_OK);
  auto& stream = *reinterpret_cast<Stream*>(made.stream);
  EXPECT_EQ(stream.device.number, 7);
  stream.complete_next();
  EXPECT_EQ(*made.completed, 1u);
  sy_stream_args args = {};
  args.stream = made.stream;
  EXPECT_EQ(table.destroy_stream(&args, nullptr), SY_OK);
}

TEST(PluginStreams, CreatingThemStaysThePluginsWithoutADevice) {
  sy_plugin table = {};
  sy::use_streams<sy::SynchronousStream>(table);
  EXPECT_EQ(table.create_stream, nullptr);
  EXPECT_NE(table.destroy_stream, nullptr);
}

TEST(PluginOutputs, AreAllocatedByTheHost) {
  sy_output_allocator allocator = {};
  allocator.allocate = [](void*, uint32_t output, uint32_t rank, const int64_t*,
                          sy_storage* storage, uint64_t* offset_bytes) -> sy_status {
    *storage = 100 + output;
    *offset_bytes = rank;
    return output == 9 ? SY_OUT_OF_MEMORY : SY_OK;
  };
  sy_run_args args = {};
  const int64_t shape[] = {2, 3};
  EXPECT_THAT(message_of([&] { sy::allocate_output(args, 1, shape); }), HasSubstr("no allocator"));
  args.allocator = &allocator;
  const sy::OutputStorage given = sy::allocate_output(args, 1, shape);
  EXPECT_EQ(given.storage, 101u);
  EXPECT_EQ(given.offset_bytes, 2u);
  EXPECT_EQ(message_of([&] { sy::allocate_output(args, 9, shape); }),
            "the host gave no storage for output 9 of shape [2, 3]");
}

}  // namespace
