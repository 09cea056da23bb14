// The order of work, copies, events and notices.
#include <future>

#include "case.hpp"

namespace layered {

std::vector<BrokenRule> cases_of_work() {
  return {
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
      {"WhileItRuns", "kernel", "immediates",
       [](Case& c) {
         const Operand x = c.tensor(), y = c.tensor();
         const sy_kernel kernel = c.kernel();
         EXPECT_EQ(c.run(kernel, {x}, y), SY_OK);
         EXPECT_EQ(c.destroy(kernel), SY_INVALID);
         c.wait();
         EXPECT_EQ(c.destroy(kernel), SY_OK);
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
      {"DestroyedWithAStream", "event", "asynchronous",
       [](Case& c) {
         const sy_event event = c.event();
         EXPECT_EQ(c.destroy(event, c.device.stream()), SY_INVALID);
         EXPECT_EQ(c.destroy(event), SY_OK);
       }},
      {"NoticeOfNoWork", "sequence", "asynchronous",
       [](Case& c) {
         auto args = c.notice(99);
         EXPECT_EQ(c.api.notify(&args, nullptr), SY_INVALID);
       }},
      {"NoticeToNobody", "args", "asynchronous",
       [](Case& c) {
         auto args = c.notice(0);
         args.function = nullptr;
         EXPECT_EQ(c.api.notify(&args, nullptr), SY_INVALID);
       }},
      {"CallWhileToldOfCompletion", "notice", "asynchronous",
       [](Case& c) {
         struct Told {
           Case& c;
           std::promise<sy_status> answer;
         } told{c, {}};
         c.tensor();
         auto args = c.notice(1);
         args.context = &told;
         args.function = [](void* context) {
           auto& self = *static_cast<Told*>(context);
           auto completed = make<sy_completed_args>();
           completed.stream = self.c.device.stream();
           self.answer.set_value(self.c.api.completed(&completed, nullptr));
         };
         EXPECT_EQ(c.api.notify(&args, nullptr), SY_OK);
         EXPECT_EQ(told.answer.get_future().get(), SY_INVALID);
       }},
      {"TimeOfAnEventWithoutOne", "event", "asynchronous",
       [](Case& c) {
         const sy_event start = c.event(SY_EVENT_TIMED), end = c.event();
         c.record(start);
         c.record(end);
         auto args = c.times(start, end);
         EXPECT_EQ(c.api.elapsed_time(&args, nullptr), SY_INVALID);
         EXPECT_EQ(c.destroy(start), SY_OK);
         EXPECT_EQ(c.destroy(end), SY_OK);
       }},
      {"TimeOfWorkUnderWay", "event", "batches",
       [](Case& c) {
         const sy_event start = c.event(SY_EVENT_TIMED), end = c.event(SY_EVENT_TIMED);
         c.record(start);
         const auto there = driver::storage_region(c.device.allocate(16));
         EXPECT_EQ(c.copy(c.device.stream(), driver::host_region(four), there), SY_OK);
         c.record(end);
         auto args = c.times(start, end);
         EXPECT_EQ(c.api.elapsed_time(&args, nullptr), SY_INVALID);
         c.wait();
         EXPECT_EQ(c.destroy(start), SY_OK);
         EXPECT_EQ(c.destroy(end), SY_OK);
       }},
      {"ExportedWithAnEventOfNoWork", "event", "exchange",
       [](Case& c) {
         const sy_event event = c.event();
         auto args = c.exported(c.device.allocate(16), event);
         EXPECT_EQ(c.api.export_memory(&args, nullptr), SY_INVALID);
         EXPECT_EQ(c.destroy(event), SY_OK);
       }},
  };
}

}  // namespace layered
