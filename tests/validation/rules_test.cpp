// Each rule of plugin.h, broken by a host that does so on purpose: the layer says which, and keeps
// the call from the plugin where it is asked to.
#include <switchyard/kernels.h>

#include <functional>
#include <set>

#include "layered.hpp"
#include "rules.hpp"

namespace {

using driver::make;
using driver::Numbers;
using driver::Operand;
using layered::Plugin;

// What the calls of a case have at hand.
struct Case {
  Plugin& plugin;
  const sy_plugin& api;
  driver::Device& device;

  Operand tensor(float value = 1) {
    return {.shape = {4}, .storage = device.upload({value, value, value, value})};
  }
  sy_kernel kernel(const char* op = "Relu", sy_dtype output = SY_FLOAT32) {
    const Operand x{.shape = {4}};
    const Operand y{.shape = {4}, .dtype = output};
    return device.prepare(driver::Program(op, 14, {x}, y)).kernel;
  }

  sy_stream another_stream(sy_device of = nullptr) {
    auto args = make<sy_create_stream_args>();
    args.device = of == nullptr ? device.handle() : of;
    EXPECT_EQ(api.create_stream(&args, nullptr), SY_OK);
    return args.stream;
  }
  void destroy(sy_stream stream) {
    auto args = make<sy_stream_args>();
    args.stream = stream;
    EXPECT_EQ(api.destroy_stream(&args, nullptr), SY_OK);
  }
  sy_event event() {
    auto args = make<sy_create_event_args>();
    args.device = device.handle();
    EXPECT_EQ(api.create_event(&args, nullptr), SY_OK);
    return args.event;
  }
  sy_status destroy(sy_event event, sy_stream stream = nullptr) {
    auto args = make<sy_event_args>();
    args.event = event;
    args.stream = stream;
    return api.destroy_event(&args, nullptr);
  }
  sy_status release(sy_storage storage) {
    auto args = make<sy_storage_args>();
    args.device = device.handle();
    args.storage = storage;
    return api.release(&args, nullptr);
  }
  sy_storage allocate(uint64_t size_bytes) {
    auto args = make<sy_allocate_args>();
    args.device = device.handle();
    args.size_bytes = size_bytes;
    EXPECT_EQ(api.allocate(&args, nullptr), SY_OK);
    return args.storage;
  }
  sy_status destroy(sy_kernel kernel) {
    auto args = make<sy_kernel_args>();
    args.kernel = kernel;
    return api.destroy_kernel(&args, nullptr);
  }
  sy_status copy(sy_stream stream, const sy_region& from, const sy_region& to,
                 const Numbers& shape = {4}) {
    auto args = make<sy_copy_args>();
    args.dtype = SY_FLOAT32;
    args.device = device.handle();
    args.stream = stream;
    args.source = &from;
    args.destination = &to;
    args.shape = shape.data();
    args.rank = static_cast<uint32_t>(shape.size());
    const sy_status status = api.copy(&args, nullptr);
    last = args.sequence;
    return status;
  }
  sy_status run(sy_kernel kernel, const std::vector<Operand>& inputs, const Operand& output) {
    return device.try_run(kernel, inputs, output, last);
  }
  void wait() { device.wait(last); }

  uint64_t last = 0;
};

struct BrokenRule {
  const char* name;
  const char* rule;
  const char* plugin;  // behind the layer
  std::function<void(Case&)> calls;
};

const float four[4] = {1, 2, 3, 4};

// A run of one input and one output, with whatever `change` changes.
sy_status run_changed(Case& c, const std::function<void(sy_run_args&)>& change) {
  const sy_kernel kernel = c.kernel();
  const Operand x = c.tensor(), y = c.tensor();
  const sy_tensor input = x.tensor(), output = y.tensor();
  auto args = make<sy_run_args>();
  args.stream = c.device.stream();
  args.kernel = kernel;
  args.inputs = &input;
  args.input_count = 1;
  args.outputs = &output;
  args.output_count = 1;
  change(args);
  const sy_status status = c.api.run(&args, nullptr);
  EXPECT_EQ(c.destroy(kernel), SY_OK);
  return status;
}

// A run whose output is deferred; `meanwhile` is called while the plugin asks for storage.
void run_deferred(Case& c, const std::function<void(sy_kernel)>& meanwhile,
                  bool has_allocator = true) {
  const Operand x = c.tensor();
  const Operand y{.shape = {1, SY_UNKNOWN_DIMENSION}, .dtype = SY_INT64};
  const sy_kernel kernel = c.device.prepare(driver::Program("NonZero", 13, {x}, y)).kernel;
  struct Context {
    Case& c;
    const sy_kernel kernel;
    const std::function<void(sy_kernel)>& meanwhile;
  } context{c, kernel, meanwhile};
  auto allocator = make<sy_output_allocator>();
  allocator.context = &context;
  allocator.allocate = [](void* with, uint32_t, uint32_t, const int64_t*, sy_storage* storage,
                          uint64_t* offset_bytes) -> sy_status {
    auto& self = *static_cast<Context*>(with);
    self.meanwhile(self.kernel);
    *storage = self.c.device.allocate(256);
    *offset_bytes = 0;
    return SY_OK;
  };
  const sy_tensor input = x.tensor();
  auto output = make<sy_tensor>();
  output.dtype = SY_INT64;
  auto args = make<sy_run_args>();
  args.stream = c.device.stream();
  args.kernel = kernel;
  args.inputs = &input;
  args.input_count = 1;
  args.outputs = &output;
  args.output_count = 1;
  args.allocator = has_allocator ? &allocator : nullptr;
  EXPECT_EQ(c.api.run(&args, nullptr), has_allocator ? SY_OK : SY_INVALID);
  c.destroy(kernel);
}

const BrokenRule broken_rules[] = {
    {"ReservedField", "args", "asynchronous",
     [](Case& c) {
       auto args = make<sy_completed_args>();
       args.stream = c.device.stream();
       args.reserved = 7;
       EXPECT_EQ(c.api.completed(&args, nullptr), SY_INVALID);
     }},
    {"ShortArgs", "args", "asynchronous",
     [](Case& c) {
       auto args = make<sy_wait_args>();
       args.struct_size = offsetof(sy_wait_args, sequence);
       EXPECT_EQ(c.api.wait(&args, nullptr), SY_INVALID);
     }},
    {"UnknownType", "args", "asynchronous",
     [](Case& c) {
       const auto host = driver::host_region(four);
       const auto there = driver::storage_region(c.device.allocate(16));
       auto args = make<sy_copy_args>();
       args.device = c.device.handle();
       args.stream = c.device.stream();
       args.source = &host;
       args.destination = &there;
       EXPECT_EQ(c.api.copy(&args, nullptr), SY_INVALID);
     }},
    {"NoSuchKernel", "handle", "asynchronous",
     [](Case& c) { c.destroy(reinterpret_cast<sy_kernel>(&c)); }},
    {"NullEvent", "handle", "asynchronous", [](Case& c) { c.destroy(sy_event{}); }},
    {"EventTwice", "handle", "asynchronous",
     [](Case& c) {
       const sy_event event = c.event();
       EXPECT_EQ(c.destroy(event), SY_OK);
       EXPECT_EQ(c.destroy(event), SY_INVALID);
     }},
    {"StreamAsEvent", "handle", "asynchronous",
     [](Case& c) { c.destroy(reinterpret_cast<sy_event>(c.device.stream())); }},
    {"ReleasedStorage", "handle", "opaque",
     [](Case& c) {
       const sy_storage storage = c.allocate(16);
       EXPECT_EQ(c.release(storage), SY_OK);
       EXPECT_EQ(
           c.copy(c.device.stream(), driver::host_region(four), driver::storage_region(storage)),
           SY_INVALID);
     }},
    {"AnotherDevicesStorage", "device", "two_devices",
     [](Case& c) {
       driver::Device other(c.plugin.host(), c.api, 1);
       EXPECT_EQ(c.release(other.allocate(16)), SY_INVALID);
     }},
    {"AnotherDevicesStream", "device", "two_devices",
     [](Case& c) {
       driver::Device other(c.plugin.host(), c.api, 1);
       EXPECT_EQ(c.copy(other.stream(), driver::host_region(four),
                        driver::storage_region(c.device.allocate(16))),
                 SY_INVALID);
     }},
    {"BeforeTheRecovery", "recovered", "run_lost",
     [](Case& c) {
       const Operand x = c.tensor(), y = c.tensor();
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {x}, y), SY_DEVICE_LOST);
       auto args = make<sy_device_args>();
       args.device = c.device.handle();
       EXPECT_EQ(c.api.recover(&args, nullptr), SY_OK);
       const sy_stream stream = c.another_stream();
       EXPECT_EQ(c.copy(stream, driver::storage_region(x.storage), driver::host_region(&c)),
                 SY_INVALID);
       c.destroy(stream);
       c.destroy(kernel);
     }},
    {"WithAStream", "close", "asynchronous",
     [](Case& c) {
       auto open = make<sy_open_device_args>();
       open.host = &c.plugin.host();
       EXPECT_EQ(c.api.open_device(&open, nullptr), SY_OK);
       const sy_stream stream = c.another_stream(open.device);
       auto args = make<sy_device_args>();
       args.device = open.device;
       EXPECT_EQ(c.api.close_device(&args, nullptr), SY_INVALID);
       c.destroy(stream);
       EXPECT_EQ(c.api.close_device(&args, nullptr), SY_OK);
     }},
    {"TwoCallers", "caller", "deferred",
     [](Case& c) {
       const sy_storage storage = c.device.allocate(16);
       run_deferred(c, [&](sy_kernel) {
         EXPECT_EQ(
             c.copy(c.device.stream(), driver::host_region(four), driver::storage_region(storage)),
             SY_INVALID);
       });
     }},
    {"WhileItIsUsed", "destroy", "deferred",
     [](Case& c) {
       run_deferred(c, [&](sy_kernel kernel) { EXPECT_EQ(c.destroy(kernel), SY_INVALID); });
     }},
    {"NumberOfNoWork", "sequence", "asynchronous",
     [](Case& c) { EXPECT_EQ(c.device.try_wait(99), SY_INVALID); }},
    {"UnorderedStreams", "order", "immediates",  // work begins on a flush or a wait alone
     [](Case& c) {
       const Operand x = c.tensor();
       const sy_kernel kernel = c.kernel();
       const Operand y = c.tensor();
       const sy_stream other = c.another_stream();
       EXPECT_EQ(c.copy(other, driver::host_region(four), driver::storage_region(x.storage)),
                 SY_OK);
       EXPECT_EQ(c.run(kernel, {x}, y), SY_INVALID);
       EXPECT_EQ(c.destroy(kernel), SY_OK);
       c.destroy(other);
     }},
    {"WhileItIsRead", "release", "immediates",
     [](Case& c) {
       const sy_storage storage = c.allocate(16);
       EXPECT_EQ(
           c.copy(c.device.stream(), driver::host_region(four), driver::storage_region(storage)),
           SY_OK);
       EXPECT_EQ(c.release(storage), SY_INVALID);
       c.wait();
       EXPECT_EQ(c.release(storage), SY_OK);
     }},
    {"WhileItRuns", "kernel", "immediates",
     [](Case& c) {
       const Operand x = c.tensor(), y = c.tensor();
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {x}, y), SY_OK);
       EXPECT_EQ(c.destroy(kernel), SY_INVALID);
       c.wait();
       EXPECT_EQ(c.destroy(kernel), SY_OK);
     }},
    {"WhileItIsMapped", "map", "mappable",
     [](Case& c) {
       const sy_storage storage = c.device.allocate(16);
       auto args = make<sy_map_args>();
       args.device = c.device.handle();
       args.storage = storage;
       args.access = SY_MAP_READ;
       args.size_bytes = 16;
       EXPECT_EQ(c.api.map(&args, nullptr), SY_OK);
       EXPECT_EQ(
           c.copy(c.device.stream(), driver::host_region(four), driver::storage_region(storage)),
           SY_INVALID);
       auto unmap = make<sy_storage_args>();
       unmap.device = c.device.handle();
       unmap.storage = storage;
       EXPECT_EQ(c.api.unmap(&unmap, nullptr), SY_OK);
     }},
    {"UnmappedTwice", "map", "mappable",
     [](Case& c) {
       auto args = make<sy_storage_args>();
       args.device = c.device.handle();
       args.storage = c.device.allocate(16);
       EXPECT_EQ(c.api.unmap(&args, nullptr), SY_INVALID);
     }},
    {"NoBytes", "allocate", "asynchronous",
     [](Case& c) {
       sy_storage storage = 0;
       EXPECT_EQ(c.device.try_allocate(0, storage), SY_INVALID);
     }},
    {"NullPointer", "import", "cpu",
     [](Case& c) {
       auto args = make<sy_import_args>();
       args.device = c.device.handle();
       args.size_bytes = 16;
       EXPECT_EQ(c.api.import_memory(&args, nullptr), SY_INVALID);
     }},
    {"BeyondTheStorage", "bounds", "asynchronous",
     [](Case& c) {
       EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four),
                        driver::storage_region(c.device.allocate(16), 4)),
                 SY_INVALID);
     }},
    {"BeforeTheStorage", "bounds", "asynchronous",
     [](Case& c) {
       const Numbers backwards = {-1};
       EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four),
                        driver::storage_region(c.device.allocate(16), 0, backwards.data())),
                 SY_INVALID);
     }},
    {"OddOffset", "offset", "offsets_of_64",
     [](Case& c) {
       Operand x{.shape = {4}, .storage = c.device.allocate(64)};
       x.offset_bytes = 16;
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {x}, c.tensor()), SY_INVALID);
       c.destroy(kernel);
     }},
    {"SidesOfACopy", "overlap", "asynchronous",
     [](Case& c) {
       const sy_storage storage = c.device.allocate(32);
       EXPECT_EQ(c.copy(c.device.stream(), driver::storage_region(storage),
                        driver::storage_region(storage, 8)),
                 SY_INVALID);
     }},
    {"OutputOnInput", "overlap", "asynchronous",
     [](Case& c) {
       const Operand x = c.tensor();
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {x}, x), SY_INVALID);
       c.destroy(kernel);
     }},
    {"FromHostToHost", "copy", "asynchronous",
     [](Case& c) {
       float to[4];
       EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four), driver::host_region(to)),
                 SY_INVALID);
     }},
    {"SeveralToOnePlace", "copy", "asynchronous",
     [](Case& c) {
       const Numbers one_place = {0};
       EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four),
                        driver::storage_region(c.device.allocate(16), 0, one_place.data())),
                 SY_INVALID);
     }},
    {"PeerOfNone", "copy", "good",
     [](Case& c) {
       auto peer = driver::storage_region(c.device.allocate(16));
       peer.kind = SY_REGION_PEER;
       peer.peer = c.device.handle();
       EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four), peer), SY_INVALID);
     }},
    {"ValueOfNoIndex", "program", "asynchronous",
     [](Case& c) {
       const Operand x{.shape = {4}};
       const driver::Program program("Relu", 14, {x}, x, {7});
       EXPECT_EQ(c.device.prepare(program).status, SY_INVALID);
     }},
    {"UnclaimedOp", "claim", "asynchronous",
     [](Case& c) {
       const Operand x{.shape = {4}};
       EXPECT_EQ(c.device.prepare(driver::Program("Sin", 7, {x}, x)).status, SY_INVALID);
     }},
    {"UnclaimedType", "claim", "asynchronous",
     [](Case& c) {
       const Operand x{.shape = {4}, .dtype = SY_INT8};
       EXPECT_EQ(c.device.prepare(driver::Program("Relu", 14, {x}, x)).status, SY_INVALID);
     }},
    {"OfAnotherRank", "prepared", "asynchronous",
     [](Case& c) {
       Operand x = c.tensor();
       x.shape = {2, 2};
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {x}, c.tensor()), SY_INVALID);
       c.destroy(kernel);
     }},
    {"OneInputMore", "prepared", "asynchronous",
     [](Case& c) {
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {c.tensor(), c.tensor()}, c.tensor()), SY_INVALID);
       c.destroy(kernel);
     }},
    {"WithoutStorage", "prepared", "asynchronous",
     [](Case& c) {
       const sy_kernel kernel = c.kernel();
       EXPECT_EQ(c.run(kernel, {{.shape = {4}}}, c.tensor()), SY_INVALID);
       c.destroy(kernel);
     }},
    {"UnclaimedImmediate", "immediate", "asynchronous",
     [](Case& c) {
       const Operand x{.shape = {}, .flags = SY_VALUE_IMMEDIATE};
       EXPECT_EQ(c.device.prepare(driver::Program("Relu", 14, {x}, {.shape = {}})).status,
                 SY_INVALID);
     }},
    {"TooSmall", "workspace", "workspace",
     [](Case& c) {
       const sy_storage small = c.device.allocate(999);
       EXPECT_EQ(run_changed(c, [&](sy_run_args& args) { args.workspace = small; }), SY_INVALID);
     }},
    {"NoAllocator", "outputs", "deferred",
     [](Case& c) {
       run_deferred(
           c, [](sy_kernel) {}, false);
     }},
    {"ReleasedTwice", "constant", "packed_constants",
     [](Case& c) {
       auto args = make<sy_constant_args>();
       args.device = c.device.handle();
       args.constant = reinterpret_cast<sy_constant>(&c);
       EXPECT_EQ(c.api.release_constant(&args, nullptr), SY_INVALID);
     }},
    {"DestroyedWithAStream", "event", "asynchronous",
     [](Case& c) {
       const sy_event event = c.event();
       EXPECT_EQ(c.destroy(event, c.device.stream()), SY_INVALID);
       EXPECT_EQ(c.destroy(event), SY_OK);
     }},
    {"ForAKernelOfOps", "launch", "asynchronous",
     [](Case& c) {
       sy_launch launch = {};
       launch.link = {sizeof(launch), SY_EXTENSION_LAUNCH, nullptr};
       EXPECT_EQ(run_changed(c, [&](sy_run_args& args) { args.extensions = &launch.link; }),
                 SY_INVALID);
     }},
    {"UnlistedDevice", "open", "asynchronous",
     [](Case& c) {
       auto args = make<sy_open_device_args>();
       args.host = &c.plugin.host();
       args.index = 5;
       EXPECT_EQ(c.api.open_device(&args, nullptr), SY_INVALID);
     }},
    {"UnknownHost", "open", "asynchronous",
     [](Case& c) {
       const driver::Host other;
       auto args = make<sy_open_device_args>();
       args.host = &other.raw();
       EXPECT_EQ(c.api.open_device(&args, nullptr), SY_INVALID);
     }},
    {"BytesBehindTheStorage", "canary", "good",
     [](Case& c) {
       const sy_storage storage = c.allocate(16);
       char& behind = reinterpret_cast<char*>(storage)[16];
       const char before = std::exchange(behind, '\0');
       EXPECT_EQ(c.release(storage), SY_INVALID);
       behind = before;
       EXPECT_EQ(c.release(storage), SY_OK);
     }},
};

class Rules : public testing::TestWithParam<BrokenRule> {};

TEST_P(Rules, IsReportedForItsOwnReason) {
  Plugin plugin(GetParam().plugin);
  {
    driver::Device device(plugin.host(), plugin.table());
    Case c{plugin, plugin.table(), device};
    GetParam().calls(c);
  }
  const std::vector<std::string> broken = plugin.broken_rules();
  EXPECT_EQ(broken, std::vector<std::string>{GetParam().rule})
      << layered::report_of(plugin.table());
}

INSTANTIATE_TEST_SUITE_P(Validation, Rules, testing::ValuesIn(broken_rules),
                         [](const testing::TestParamInfo<BrokenRule>& info) {
                           return std::string(info.param.rule) + "_" + info.param.name;
                         });

TEST(Validation, BreaksEachRuleOnce) {
  std::set<std::string_view> broken;
  for (const BrokenRule& row : broken_rules) broken.insert(row.rule);
  EXPECT_EQ(broken, std::set<std::string_view>(validation::rule_names.begin(),
                                               validation::rule_names.end()));
}

}  // namespace
