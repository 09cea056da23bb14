// Args, handles, devices, and who may call when.
#include "case.hpp"

namespace layered {

std::vector<BrokenRule> cases_of_handles() {
  return {
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
         open.listener = &driver::listener();
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
           EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four),
                            driver::storage_region(storage)),
                     SY_INVALID);
         });
       }},
      {"WhileItIsUsed", "destroy", "deferred",
       [](Case& c) {
         run_deferred(c, [&](sy_kernel kernel) { EXPECT_EQ(c.destroy(kernel), SY_INVALID); });
       }},
      {"UnlistedDevice", "open", "asynchronous",
       [](Case& c) {
         auto args = make<sy_open_device_args>();
         args.host = &c.plugin.host();
         args.listener = &driver::listener();
         args.index = 5;
         EXPECT_EQ(c.api.open_device(&args, nullptr), SY_INVALID);
       }},
      {"UnknownHost", "open", "asynchronous",
       [](Case& c) {
         const driver::Host other;
         auto args = make<sy_open_device_args>();
         args.host = &other.raw();
         args.listener = &driver::listener();
         EXPECT_EQ(c.api.open_device(&args, nullptr), SY_INVALID);
       }},
      {"NoListener", "args", "asynchronous",
       [](Case& c) {
         auto args = make<sy_open_device_args>();
         args.host = &c.plugin.host();
         EXPECT_EQ(c.api.open_device(&args, nullptr), SY_INVALID);
       }},
      {"BeforeALossThatWasTold", "recovered", "tells_of_loss",
       [](Case& c) {
         const Operand x = c.tensor(), y = c.tensor();
         const sy_kernel kernel = c.kernel();
         EXPECT_EQ(c.run(kernel, {x}, y), SY_OK);
         c.wait();
         auto args = make<sy_device_args>();
         args.device = c.device.handle();
         EXPECT_EQ(c.api.recover(&args, nullptr), SY_OK);
         const sy_stream stream = c.another_stream();
         float to[4];
         EXPECT_EQ(c.copy(stream, driver::storage_region(x.storage), driver::host_region(to)),
                   SY_INVALID);
         c.destroy(stream);
         c.destroy(kernel);
       }},
      {"WithHostMemory", "close", "host_memory",
       [](Case& c) {
         auto open = make<sy_open_device_args>();
         open.host = &c.plugin.host();
         open.listener = &driver::listener();
         EXPECT_EQ(c.api.open_device(&open, nullptr), SY_OK);
         auto block = c.block(nullptr, 16);
         block.device = open.device;
         EXPECT_EQ(c.api.allocate_host(&block, nullptr), SY_OK);
         auto args = make<sy_device_args>();
         args.device = open.device;
         EXPECT_EQ(c.api.close_device(&args, nullptr), SY_INVALID);
         EXPECT_EQ(c.api.release_host(&block, nullptr), SY_OK);
         EXPECT_EQ(c.api.close_device(&args, nullptr), SY_OK);
       }},
      {"LeftWithAnOpenDevice", "close", "good",
       [](Case& c) {
         auto args = make<sy_leave_args>();
         args.host = &c.plugin.host();
         EXPECT_EQ(c.api.leave(&args, nullptr), SY_INVALID);
       }},
      {"AfterItHasLeft", "open", "good",
       [](Case& c) {
         const Plugin entered_again("good");
         auto leave = make<sy_leave_args>();
         leave.host = &entered_again.host();
         EXPECT_EQ(c.api.leave(&leave, nullptr), SY_OK);
         auto probe = make<sy_probe_args>();
         probe.host = &entered_again.host();
         EXPECT_EQ(c.api.probe(&probe, nullptr), SY_INVALID);
       }},
  };
}

}  // namespace layered
