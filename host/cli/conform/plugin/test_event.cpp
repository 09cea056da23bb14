#include "cli/conform/plugin/test_event.hpp"

#include "cli/conform/plugin/late_failures.hpp"

namespace switchyard::cli::conform {

TestEvent::TestEvent(TestDevice& device, std::uint32_t flags) : device_(device) {
  auto args = sized<sy_create_event_args>();
  args.flags = flags;
  args.device = device.handle();
  const Answer answer = call("create_event", device.slots().create_event, args);
  const bool may_refuse = (flags & SY_EVENT_TIMED) != 0;
  if (may_refuse && answer.status == SY_UNSUPPORTED) skip("its events measure no times");
  require_ok(answer, "create_event");
  if (args.event == nullptr) fail("create_event returned SY_OK without an event");
  handle_ = args.event;
}

TestEvent::~TestEvent() {
  note_failures_of([this] { use("destroy_event", device_.slots().destroy_event, nullptr); });
}

void TestEvent::record(const TestStream& stream) {
  use("record_event", device_.slots().record_event, stream.handle());
}

void TestEvent::make_wait(const TestStream& stream) {
  use("wait_for_event", device_.slots().wait_for_event, stream.handle());
}

void TestEvent::wait() { use("wait_event", device_.slots().wait_event, nullptr); }

std::optional<std::int64_t> TestEvent::nanoseconds_to(const TestEvent& end) const {
  auto args = sized<sy_elapsed_time_args>();
  args.start = handle_;
  args.end = end.handle_;
  const Answer answer = call("elapsed_time", device_.slots().elapsed_time, args);
  if (answer.status == SY_UNSUPPORTED) return std::nullopt;
  require_ok(answer, "elapsed_time");
  return args.nanoseconds;
}

void TestEvent::use(std::string_view slot, sy_status (*function)(sy_event_args*, sy_error*),
                    sy_stream stream) {
  auto args = sized<sy_event_args>();
  args.event = handle_;
  args.stream = stream;
  call_ok(slot, function, args);
}

void require_events(const TestDevice& device) {
  if (!device.plugin().has_events()) skip("it has no events: the host waits for streams");
}

}  // namespace switchyard::cli::conform
