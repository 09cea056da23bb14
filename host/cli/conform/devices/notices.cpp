#include <array>
#include <atomic>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

/// How often each of some numbers was told of.
using Notices = std::array<std::atomic<int>, 20>;

void note(void* context) { ++*static_cast<std::atomic<int>*>(context); }

void ask(const TestStream& stream, std::uint64_t number, std::atomic<int>& notice) {
  auto args = sized<sy_notify_args>();
  args.stream = stream.handle();
  args.sequence = number;
  args.function = note;
  args.context = &notice;
  const Answer answer = call("notify", stream.device().slots().notify, args);
  if (answer.status == SY_UNSUPPORTED) skip("it gives no notice: a thread of the host waits");
  require_ok(answer, "notify");
}

}  // namespace

void try_notices(CaseRun& run) {
  TestDevice device(run);
  if (device.synchronous()) skip("it is SYNCHRONOUS: the host waits for nothing");
  Notices& notices = *new Notices{};  // kept for ever: a wrong plugin may call once more
  const std::vector<std::byte> bytes = test_bytes(1 << 16, 1);
  {
    TestStream stream(device);
    const TestStorage storage(device, bytes.size(), &stream);
    const Dims shape{static_cast<std::int64_t>(bytes.size())};
    for (std::atomic<int>& notice : notices) {
      const bool is_last = &notice == &notices.back();
      const std::uint64_t number =
          stream.copy(DType::uint8, shape, host_region(bytes.data()), storage.region());
      if (is_last) stream.finish();  // before it is asked for
      ask(stream, number, notice);
    }
  }
  for (std::size_t i = 0; i < notices.size(); ++i) {
    if (notices[i] == 1) continue;
    fail("of work {} it has told {} times by the time that destroy_stream has returned", i + 1,
         notices[i].load());
  }
}

}  // namespace switchyard::cli::conform
