// Storages, memory from outside, and memory of the host.
#include "case.hpp"

namespace layered {

std::vector<BrokenRule> cases_of_memory() {
  return {
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
         auto args = c.imported(SY_EXTERNAL_HOST, nullptr);
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
      {"BytesBehindTheStorage", "canary", "good",
       [](Case& c) {
         const sy_storage storage = c.allocate(16);
         char& behind = reinterpret_cast<char*>(storage)[16];
         const char before = std::exchange(behind, '\0');
         EXPECT_EQ(c.release(storage), SY_INVALID);
         behind = before;
         EXPECT_EQ(c.release(storage), SY_OK);
       }},
      {"UnknownKind", "import", "exchange",
       [](Case& c) {
         float bytes[4];
         auto args = c.imported(9, bytes);
         EXPECT_EQ(c.api.import_memory(&args, nullptr), SY_INVALID);
       }},
      {"OfTheHostWhereNoneIsTaken", "import", "exchange",
       [](Case& c) {
         float bytes[4];
         auto args = c.imported(SY_EXTERNAL_HOST, bytes);
         EXPECT_EQ(c.api.import_memory(&args, nullptr), SY_INVALID);
       }},
      {"EventThatNoStreamWaitsFor", "import", "exchange",
       [](Case& c) {
         float bytes[4];
         auto args = c.imported(SY_EXTERNAL_DEVICE, bytes);
         args.ready_event = 1;
         EXPECT_EQ(c.api.import_memory(&args, nullptr), SY_INVALID);
       }},
      {"ImportedAndNotWaitedFor", "order", "exchange",
       [](Case& c) {
         const sy_event event = c.event();
         c.record(event);
         auto shown = c.exported(c.device.allocate(16), event);
         EXPECT_EQ(c.api.export_memory(&shown, nullptr), SY_OK);
         const sy_stream waits = c.another_stream();
         auto args = c.imported(SY_EXTERNAL_DEVICE, shown.pointer);
         args.ready_event = shown.ready_event;
         args.stream = waits;
         EXPECT_EQ(c.api.import_memory(&args, nullptr), SY_OK);
         float to[4];
         const auto from = driver::storage_region(args.storage);
         EXPECT_EQ(c.copy(c.device.stream(), from, driver::host_region(to)), SY_INVALID);
         EXPECT_EQ(c.release(args.storage), SY_OK);
         c.destroy(waits);
         EXPECT_EQ(c.destroy(event), SY_OK);
       }},
      {"ExportedWhileItIsWritten", "order", "batches",
       [](Case& c) {
         const sy_storage storage = c.device.allocate(16);
         const auto there = driver::storage_region(storage);
         EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four), there), SY_OK);
         auto args = c.exported(storage, nullptr);
         EXPECT_EQ(c.api.export_memory(&args, nullptr), SY_INVALID);
         c.wait();
       }},
      {"ExportedWithAnEventBeforeTheWrite", "order", "batches",
       [](Case& c) {
         const sy_event event = c.event();
         c.record(event);
         const sy_storage storage = c.device.allocate(16);
         const auto there = driver::storage_region(storage);
         EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four), there), SY_OK);
         auto args = c.exported(storage, event);
         EXPECT_EQ(c.api.export_memory(&args, nullptr), SY_INVALID);
         c.wait();
         EXPECT_EQ(c.destroy(event), SY_OK);
       }},
      {"ReleasedTwice", "host_memory", "host_memory",
       [](Case& c) {
         auto block = c.block(nullptr, 16);
         EXPECT_EQ(c.api.allocate_host(&block, nullptr), SY_OK);
         EXPECT_EQ(c.api.release_host(&block, nullptr), SY_OK);
         EXPECT_EQ(c.api.release_host(&block, nullptr), SY_INVALID);
       }},
      {"UnregisteredWithAnotherSize", "host_memory", "host_memory",
       [](Case& c) {
         float bytes[4];
         auto block = c.block(bytes, 16);
         EXPECT_EQ(c.api.register_host(&block, nullptr), SY_OK);
         auto half = c.block(bytes, 8);
         EXPECT_EQ(c.api.unregister_host(&half, nullptr), SY_INVALID);
         EXPECT_EQ(c.api.unregister_host(&block, nullptr), SY_OK);
       }},
      {"RegisteredTwice", "host_memory", "host_memory",
       [](Case& c) {
         float bytes[4];
         auto block = c.block(bytes, 16);
         EXPECT_EQ(c.api.register_host(&block, nullptr), SY_OK);
         EXPECT_EQ(c.api.register_host(&block, nullptr), SY_INVALID);
         EXPECT_EQ(c.api.unregister_host(&block, nullptr), SY_OK);
       }},
      {"ReleasedWhileItIsCopied", "host_memory", "batches",
       [](Case& c) {
         auto block = c.block(nullptr, 16);
         EXPECT_EQ(c.api.allocate_host(&block, nullptr), SY_OK);
         const auto there = driver::storage_region(c.device.allocate(16));
         EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(block.pointer), there), SY_OK);
         EXPECT_EQ(c.api.release_host(&block, nullptr), SY_INVALID);
         c.wait();
         EXPECT_EQ(c.api.release_host(&block, nullptr), SY_OK);
       }},
  };
}

}  // namespace layered
