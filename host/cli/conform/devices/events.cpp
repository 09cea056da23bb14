#include <chrono>
#include <optional>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/plugin/test_event.hpp"

namespace switchyard::cli::conform {
void try_events(CaseRun& run) {
  TestDevice device(run);
  require_events(device);
  TestStream writer(device), reader(device);
  constexpr std::size_t size = 1 << 20;
  const TestStorage a(device, size, &writer), b(device, size, &writer);
  for (unsigned round = 0; round < 20; ++round) {
    const std::vector<std::byte> bytes = test_bytes(size, round);
    std::vector<std::byte> found(size);
    TestEvent read(device);
    writer.copy(DType::uint8, {size}, host_region(bytes.data()), a.region());
    for (int i = 0; i < 3; ++i) {
      writer.copy(DType::uint8, {size}, a.region(), b.region());
    }
    {
      TestEvent written(device);
      written.record(writer);
      written.make_wait(reader);
    }  // an event may be destroyed while a stream waits for it
    reader.copy(DType::uint8, {size}, b.region(), host_region(found.data()));
    read.record(reader);
    read.wait();
    require_bytes(found, bytes, "what a stream reads that has waited for the event of another");
    writer.finish();
    reader.finish();
  }
}

void try_fresh_event(CaseRun& run) {
  TestDevice device(run);
  require_events(device);
  TestStream stream(device);
  TestEvent event(device);
  event.wait();
  event.make_wait(stream);
  const TestStorage storage(device, 64, &stream);
  storage.write(stream, test_bytes(64, 1));
  event.record(stream);
  event.record(stream);  // again: the later work counts
  event.wait();
}

void try_event_times(CaseRun& run) {
  TestDevice device(run);
  require_events(device);
  TestStream stream(device);
  constexpr std::size_t size = 4 << 20;
  const std::vector<std::byte> bytes = test_bytes(size, 1);
  const TestStorage storage(device, size, &stream);
  TestEvent start(device, SY_EVENT_TIMED), end(device, SY_EVENT_TIMED);
  const auto before = std::chrono::steady_clock::now();
  start.record(stream);
  stream.copy(DType::uint8, {size}, host_region(bytes.data()), storage.region());
  end.record(stream);
  start.wait();
  end.wait();
  const std::chrono::nanoseconds passed = std::chrono::steady_clock::now() - before;
  stream.finish();
  const std::optional<std::int64_t> forth = start.nanoseconds_to(end);
  if (!forth) skip("its events measure no times");
  const std::optional<std::int64_t> back = end.nanoseconds_to(start);
  if (*forth < 0 || !back || *back > 0) {
    fail("from one event to a later one it measures {} ns, and back {} ns", *forth,
         back.value_or(0));
  }
  const std::int64_t most = passed.count() + passed.count() / 10 + 1'000'000;  // two clocks
  if (*forth > most) {
    fail("between two events it measures {} ns, when {} ns have passed", *forth, passed.count());
  }
}

}  // namespace switchyard::cli::conform
