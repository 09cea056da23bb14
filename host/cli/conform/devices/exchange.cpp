#include <deque>
#include <memory>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/plugin/test_event.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::size_t kBytes = 100'000;

/// What others need in order to use a storage.
struct Exported {
  void* pointer = nullptr;
  std::uint64_t ready_event = 0;
};

Answer try_export(TestDevice& device, sy_storage storage, sy_event event, Exported& exported) {
  auto args = sized<sy_export_args>();
  args.device = device.handle();
  args.storage = storage;
  args.event = event;
  const Answer answer = call("export_memory", device.slots().export_memory, args);
  exported = {args.pointer, args.ready_event};
  return answer;
}

/// Throws CaseSkipped where the plugin exports nothing.
Exported exported(const TestStorage& storage, TestDevice& device,
                  const TestEvent* event = nullptr) {
  Exported result;
  const Answer answer =
      try_export(device, storage.handle(), event == nullptr ? nullptr : event->handle(), result);
  if (answer.status == SY_UNSUPPORTED) skip("it exports no memory: {}", answer.message);
  require_ok(answer, "export_memory");
  if (result.pointer == nullptr) fail("export_memory returned SY_OK without a pointer");
  if (event == nullptr && result.ready_event != 0) {
    fail("export_memory gave {:#x} as the event to wait for, and was given none",
         result.ready_event);
  }
  return result;
}

Answer try_import(TestDevice& device, sy_external_kind kind, const Exported& memory,
                  const TestStream* stream, sy_storage& storage) {
  auto args = sized<sy_import_args>();
  args.kind = kind;
  args.device = device.handle();
  args.pointer = memory.pointer;
  args.size_bytes = kBytes;
  args.ready_event = memory.ready_event;
  args.stream = memory.ready_event == 0 ? nullptr : stream->handle();
  const Answer answer = call("import_memory", device.slots().import_memory, args);
  storage = args.storage;
  return answer;
}

/// Released when it ends. Throws CaseSkipped where the plugin imports no device's memory.
std::unique_ptr<TestStorage> imported(const Exported& memory, TestStream& stream) {
  TestDevice& device = stream.device();
  sy_storage storage = 0;
  const Answer answer = try_import(device, SY_EXTERNAL_DEVICE, memory, &stream, storage);
  if (answer.status == SY_UNSUPPORTED) skip("it imports no device's memory: {}", answer.message);
  require_ok(answer, "import_memory");
  if (storage == 0) fail("import_memory returned SY_OK without a storage");
  return std::make_unique<TestStorage>(device, TestStorage::Imported{storage}, kBytes);
}

}  // namespace

void try_exchange(CaseRun& run) {
  TestDevice owner(run), taker(owner, owner.index());
  TestStream ours(owner), theirs(taker);
  const TestStorage storage(owner, kBytes, &ours);
  std::vector<std::byte> bytes = test_bytes(kBytes, 1);
  storage.write(ours, bytes);
  const Exported memory = exported(storage, owner);
  auto first = imported(memory, theirs), second = imported(memory, theirs);
  require_bytes(first->read(theirs), bytes, "exported memory, where it is imported");
  bytes = test_bytes(kBytes, 2);
  first->write(theirs, bytes);
  require_bytes(storage.read(ours), bytes, "a storage that was written through an import of it");
  require_bytes(second->read(theirs), bytes, "an import, when another of the same was written");
  bytes = test_bytes(kBytes, 3);
  storage.write(ours, bytes);
  require_bytes(first->read(theirs), bytes, "an import, when the storage was written");
  first.reset();
  require_bytes(storage.read(ours), bytes, "a storage, when an import of it is released");
  require_bytes(second->read(theirs), bytes, "an import, when another of the same is released");
  const auto third = imported(memory, theirs);
  second.reset();
  require_bytes(third->read(theirs), bytes, "an import, when an earlier one is released");
}

void try_exchange_order(CaseRun& run) {
  TestDevice owner(run), taker(owner, owner.index());
  require_events(owner);
  std::deque<std::vector<std::byte>> written_bytes;  // until the streams have ended
  TestStream ours(owner), theirs(taker);
  const TestStorage first(owner, kBytes, &ours), second(owner, kBytes, &ours);
  imported(exported(second, owner), theirs);  // or there is nothing to try
  for (unsigned round = 0; round < 10; ++round) {
    const auto& bytes = written_bytes.emplace_back(test_bytes(kBytes, round));
    TestEvent written(owner);
    ours.copy(DType::uint8, {kBytes}, host_region(bytes.data()), first.region());
    ours.copy(DType::uint8, {kBytes}, first.region(), second.region());
    written.record(ours);
    const auto taken = imported(exported(second, owner, &written), theirs);
    require_bytes(taken->read(theirs), bytes, "imported memory, read behind its event");
    ours.finish();
  }
}

void try_wrong_exchange(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const TestStorage storage(device, kBytes, &stream);
  const Exported memory = exported(storage, device);
  for (const sy_external_kind kind : {0, 77, -1}) {
    sy_storage taken = 0;
    const Answer answer = try_import(device, kind, memory, &stream, taken);
    if (answer.status == SY_UNSUPPORTED) continue;
    fail("import_memory of a kind {} returned {}; SY_UNSUPPORTED is what an unknown one gets", kind,
         answer.ok() ? "SY_OK" : answer.text());
  }
  Exported nothing;
  if (try_export(device, 0, nullptr, nothing).ok()) {
    fail("export_memory of storage 0, which is none, returned SY_OK");
  }
}

}  // namespace switchyard::cli::conform
