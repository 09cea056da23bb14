// The entry, the device, its memory and streams, as a host meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "abi/options.hpp"
#include "harness/harness.hpp"
#include "harness/open_plugin.hpp"
#include "machine/processors.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu::testing {
namespace {

sy_host host_with(std::vector<sy_option>& options, uint32_t threads = 8) {
  for (sy_option& option : options) option.struct_size = sizeof(option);
  sy_host host{};
  host.struct_size = sizeof(host);
  host.thread_limit = threads;
  host.library_path = "";
  host.options = options.data();
  host.option_count = options.size();
  host.log = [](void*, sy_log_level, const char*) {};
  return host;
}

sy_option integer_option(const char* key, int64_t number) {
  sy_option option{};
  option.kind = SY_OPTION_INT;
  option.key = key;
  option.integer = number;
  return option;
}

TEST(Entry, RefusesOtherVersionsAndNamesBoth) {
  std::vector<sy_option> none;
  const sy_host host = host_with(none);
  sy_entry_args args{};
  args.struct_size = sizeof(args);
  args.min_version = SY_ABI_VERSION + 1;
  args.max_version = SY_ABI_VERSION + 5;
  args.host = &host;
  sy_error error = fresh_error();
  EXPECT_EQ(switchyard_plugin_entry(&args, &error), SY_UNSUPPORTED);
  EXPECT_NE(std::string(error.message).find("0.2"), std::string::npos);
}

TEST(Options, ThreadsWithinTheHostsLimit) {
  std::vector<sy_option> options = {integer_option("threads", 3)};
  EXPECT_EQ(read_options(host_with(options)).threads, 3);
  options = {integer_option("threads", 100)};
  EXPECT_EQ(read_options(host_with(options)).threads, 8);
}

TEST(Options, WithoutANumberAsManyThreadsAsTheProcessMayUse) {
  std::vector<sy_option> options = {integer_option("threads", 0)};
  EXPECT_EQ(read_options(host_with(options)).threads, std::min(8, usable_processors()));
  options.clear();
  EXPECT_EQ(read_options(host_with(options)).threads, std::min(8, usable_processors()));
  EXPECT_EQ(read_options(host_with(options, 1)).threads, 1);
}

TEST(Options, WhatIsWrongIsSaid) {
  std::vector<sy_option> options = {integer_option("thread", 3)};
  EXPECT_THROW(read_options(host_with(options)), sy::Failure);
  options = {integer_option("threads", -1)};
  EXPECT_THROW(read_options(host_with(options)), sy::Failure);
  options = {integer_option("threads", 2)};
  options[0].kind = SY_OPTION_STRING;
  EXPECT_THROW(read_options(host_with(options)), sy::Failure);
}

TEST(Probe, TellsTheOneDevice) {
  const sy_device_info& info = device_info();
  EXPECT_TRUE(info.built && info.available);
  EXPECT_EQ(info.memory_kind, SY_MEMORY_ADDRESS);
  EXPECT_EQ(info.max_program_nodes, 1u);
  EXPECT_GT(info.claim_count, 0u);
  EXPECT_GT(std::string(info.name).size(), 0u);
  EXPECT_GT(info.memory_bytes, 0u);
  for (uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    EXPECT_LE(claim.min_rank, claim.max_rank) << claim.op;
    EXPECT_NE(claim.output_dtypes, 0u) << claim.op;
  }
}

TEST(Probe, ASecondDeviceIsInvalid) {
  sy_open_device_args args{};
  args.index = 1;
  args.host = &host();
  EXPECT_THROW(call(plugin().open_device, args), sy::Failure);
}

uint64_t used_bytes() {
  sy_memory_statistics_args args{};
  args.device = device();
  call(plugin().memory_statistics, args);
  return args.used_bytes;
}

sy_storage allocate_bytes(uint64_t size) {
  sy_allocate_args args{};
  args.device = device();
  args.size_bytes = size;
  call(plugin().allocate, args);
  return args.storage;
}

void release_storage_of(sy_storage storage) {
  sy_storage_args args{};
  args.device = device();
  args.storage = storage;
  call(plugin().release, args);
}

TEST(Memory, AlignedCountedAndReleased) {
  const uint64_t before = used_bytes();
  for (const uint64_t size : {1, 63, 1000, 10 << 20}) {
    const sy_storage storage = allocate_bytes(size);
    EXPECT_EQ(storage % 64, 0u);
    EXPECT_EQ(used_bytes(), before + size);
    std::memset(reinterpret_cast<void*>(storage), 1, size);
    release_storage_of(storage);
  }
  EXPECT_EQ(used_bytes(), before);
}

TEST(Memory, TooMuchIsOutOfMemory) {
  sy_allocate_args args{};
  args.struct_size = sizeof(args);
  args.device = device();
  args.size_bytes = UINT64_MAX - 10;
  sy_error error = fresh_error();
  EXPECT_EQ(plugin().allocate(&args, &error), SY_OUT_OF_MEMORY);
}

sy_storage import_bytes(void* pointer) {
  sy_import_args args{};
  args.kind = SY_EXTERNAL_HOST;
  args.device = device();
  args.pointer = pointer;
  args.size_bytes = 64;
  call(plugin().import_memory, args);
  return args.storage;
}

TEST(Memory, ImportsAreNotFreedAndMayRepeat) {
  alignas(64) static char memory[64];
  const sy_storage first = import_bytes(memory);
  const sy_storage second = import_bytes(memory);
  EXPECT_EQ(first, reinterpret_cast<uintptr_t>(memory));
  release_storage_of(first);
  release_storage_of(second);
  EXPECT_THROW(release_storage_of(first), sy::Failure);
  EXPECT_THROW(import_bytes(memory + 1), sy::Failure);
  const sy_storage owned = allocate_bytes(64);
  release_storage_of(import_bytes(reinterpret_cast<void*>(owned)));
  std::memset(reinterpret_cast<void*>(owned), 1, 64);  // still there
  release_storage_of(owned);
}

TEST(Stream, CountsWhatCompleted) {
  sy_create_stream_args created{};
  created.device = device();
  call(plugin().create_stream, created);
  EXPECT_EQ(*created.completed, 0u);
  float from = 3, to = 0;
  sy_region regions[2] = {};
  for (sy_region& region : regions)
    region.struct_size = sizeof(region), region.kind = SY_REGION_HOST;
  regions[0].handle = reinterpret_cast<uintptr_t>(&from);
  regions[1].handle = reinterpret_cast<uintptr_t>(&to);
  sy_copy_args copying{};
  copying.dtype = SY_FLOAT32;
  copying.device = device();
  copying.stream = created.stream;
  copying.source = &regions[0];
  copying.destination = &regions[1];
  call(plugin().copy, copying);
  EXPECT_EQ(copying.sequence, 1u);
  EXPECT_EQ(*created.completed, 1u);
  EXPECT_EQ(to, 3);
  sy_wait_args waiting{};
  waiting.stream = created.stream;
  waiting.sequence = 1;
  call(plugin().wait, waiting);
  waiting.sequence = 2;
  EXPECT_THROW(call(plugin().wait, waiting), sy::Failure);
  sy_stream_args destroyed{};
  destroyed.stream = created.stream;
  call(plugin().destroy_stream, destroyed);
}

TEST(Report, SaysSomething) {
  std::string text;
  sy_writer writer{};
  writer.struct_size = sizeof(writer);
  writer.context = &text;
  writer.write = [](void* context, const char* piece, uint64_t size) {
    static_cast<std::string*>(context)->append(piece, size);
    return sy_status{SY_OK};
  };
  sy_report_args args{};
  args.device = device();
  args.writer = &writer;
  call(plugin().report, args);
  EXPECT_NE(text.find("threads"), std::string::npos);
}

// ---- programs

TEST(Programs, UnknownOpsTypesAndRanksAreRefusedWithTheReason) {
  const auto reason = [](OneNode& node) { return node.verdict().reason; };
  OneNode unknown("Frobnicate");
  EXPECT_EQ(reason(unknown.input(value<float>({1}, {1})).output(SY_FLOAT32, {1})), SY_REASON_OP);
  OneNode foreign("Add", 14, "com.example");
  EXPECT_EQ(reason(foreign.input(value<float>({1}, {1})).output(SY_FLOAT32, {1})), SY_REASON_OP);
  OneNode text("And", 7);
  EXPECT_EQ(reason(text.input(value<float>({1}, {1})).output(SY_BOOL, {1})), SY_REASON_DTYPE);
  OneNode flat("LRN");
  flat.attribute("size", 1).input(value<float>({1}, {1})).output(SY_FLOAT32, {1});
  EXPECT_EQ(reason(flat), SY_REASON_RANK);
}

TEST(Programs, StridesThatAKernelDoesNotReadAreNeverReadWrongly) {
  const Value strided = spaced(value<float>({3}, {1, 2, 3}));
  OneNode node("DynamicQuantizeLinear");
  node.input(strided).output(SY_UINT8, {3}).output(SY_FLOAT32, {}).output(SY_UINT8, {});
  EXPECT_EQ(node.verdict().reason, SY_REASON_STRIDE);
  OneNode contiguous("DynamicQuantizeLinear");
  contiguous.input(value<float>({3}, {1, 2, 3}))
      .output(SY_UINT8, {3})
      .output(SY_FLOAT32, {})
      .output(SY_UINT8, {});
  contiguous.run();
  contiguous.replace_input(0, strided);
  EXPECT_THROW(contiguous.run(), sy::Failure);
}

TEST(Programs, MoreInputsThanFitTheStack) {
  OneNode node("Sum");
  for (int i = 0; i < 100; ++i)
    node.input(value<float>({2, 1, 1, 1, 1, 1, 1, 1, 1, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(numbers<float>(node.output(SY_FLOAT32, {2, 1, 1, 1, 1, 1, 1, 1, 1, 2}).run()),
            (std::vector<float>{100, 200, 300, 400}));
}

TEST(Programs, OneInputUsedTwiceAllowsOnlyWhatBothAllow) {
  // Sum may write over its first two inputs, but not over a third one.
  OneNode node("Sum");
  const Value x = value<float>({2}, {1, 2});
  node.input(x).input(x).input(x).output_over(2);
  EXPECT_THROW(node.run(), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
