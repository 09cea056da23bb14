#include <memory>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/devices/test_op.hpp"
#include "cli/conform/plugin/plugin_under_test.hpp"
#include "cli/conform/plugin/process_facts.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/plugin/text_check.hpp"

namespace switchyard::cli::conform {
namespace {

/// Memory, a stream and two copies.
void use(TestDevice& device) {
  TestStream stream(device);
  const std::vector<std::byte> bytes = test_bytes(1000, 1);
  const TestStorage storage(device, bytes.size(), &stream);
  storage.write(stream, bytes);
  require_bytes(storage.read(stream), bytes, "a round trip");
}

void recover(TestDevice& device) {
  auto args = sized<sy_device_args>();
  args.device = device.handle();
  call_ok("recover", device.slots().recover, args);
}

struct ReportText {
  std::string text;
  std::uint64_t pieces = 0;
  std::uint64_t most_pieces = UINT64_MAX;  // then it asks to stop
};

sy_status take_piece(void* context, const char* text, std::uint64_t size_bytes) {
  auto& report = *static_cast<ReportText*>(context);
  if (report.pieces++ >= report.most_pieces) return SY_OUT_OF_MEMORY;
  report.text.append(text, size_bytes);
  return SY_OK;
}

Answer report_into(const TestDevice& device, sy_device about, ReportText& text) {
  auto writer = sized<sy_writer>();
  writer.context = &text;
  writer.write = take_piece;
  auto args = sized<sy_report_args>();
  args.device = about;
  args.writer = &writer;
  return call("report", device.slots().report, args);
}

}  // namespace

void try_opening(CaseRun& run) { TestDevice device(run); }

void try_opening_again(CaseRun& run) {
  TestDevice device(run);
  use(device);
  device.reopen();  // what is opened once for all is open now
  use(device);
  device.reopen();
  const std::size_t before = open_files();
  for (int time = 0; time < 5; ++time) {
    use(device);
    device.reopen();
  }
  if (const std::size_t after = open_files(); after > before) {
    fail("5 times opened and closed, it has left {} more files open", after - before);
  }
}

void try_two_open_at_once(CaseRun& run) {
  TestDevice first(run);
  auto second = std::make_unique<TestDevice>(run);
  use(first);
  use(*second);
  second.reset();
  use(first);
}

void try_absent_device(CaseRun& run) {
  TestDevice device(run);
  auto args = sized<sy_open_device_args>();
  args.index = static_cast<std::uint32_t>(device.plugin().devices().size());
  args.host = &device.plugin().host();
  args.listener = &test_listener();
  if (call("open_device", device.slots().open_device, args).ok()) {
    fail("it opens device {}, and probe lists {}", args.index, device.plugin().devices().size());
  }
}

void try_recovery(CaseRun& run) {
  TestDevice device(run);
  use(device);
  recover(device);
  use(device);
}

void try_recovery_with_handles(CaseRun& run) {
  TestDevice device(run);
  {
    TestStream stream(device);
    const TestStorage storage(device, 1000, &stream);
    storage.write(stream, test_bytes(1000, 1));
    const auto kernel = prepared(stream, first_op(stream));
    recover(device);
  }  // all three go, and each of the calls must succeed
  use(device);
}

void try_report(CaseRun& run) {
  TestDevice device(run);
  for (const sy_device about : {static_cast<sy_device>(nullptr), device.handle()}) {
    ReportText text;
    require_ok(report_into(device, about, text), "report");
    require_plain_text(text.text.c_str(), "what report writes");
    if (text.pieces < 2) continue;
    ReportText cut;
    cut.most_pieces = 1;
    static_cast<void>(report_into(device, about, cut));
    if (cut.pieces > 2) fail("report goes on writing after `write` has returned an error");
  }
}

void try_state_of_calls(CaseRun& run) {
  const auto plugin = load(run.plugin);
  const ProcessFacts before;
  {
    TestDevice device(run);
    if (const std::string change = before.change(); !change.empty()) {
      fail("open_device: {}", change);
    }
    use(device);
    if (const std::string change = before.change(); !change.empty()) {
      fail("a stream, memory and copies: {}", change);
    }
  }
  if (const std::string change = before.change(); !change.empty()) fail("close_device: {}", change);
}

}  // namespace switchyard::cli::conform
