#include <array>
#include <deque>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/devices/test_op.hpp"
#include "cli/conform/kernels/tried_op.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::int64_t kCount = 5000;

/// A position far outside of any example.
constexpr double kFarAway = 123456;

/// An op that must fail for these inputs, and that the device takes; null where it claims none.
/// What fails is only found when the work is done: an index that lies outside.
std::unique_ptr<TestKernel> failing_kernel(TestStream& stream, OpCall& call) {
  for (const char* name : {"Gather", "GatherElements", "GatherND", "ScatterElements"}) {
    const Op* op = find_op("", name);
    if (op == nullptr) continue;
    const std::optional<OpCall> found = call_of(*op, example_words(*op), DType::float32);
    if (!found || found->inputs.size() < 2) continue;
    Refusal refusal;
    auto kernel = TestKernel::prepare(stream, *found, {}, refusal);
    if (!kernel) continue;
    call = *found;
    const Literal& indices = found->inputs[1];
    call.inputs[1] =
        literal_of(indices.dtype(), indices.shape(),
                   std::vector<double>(static_cast<std::size_t>(indices.size()), kFarAway));
    return kernel;
  }
  return nullptr;
}

/// What `completed` says is done must be there, though much work is before it.
void check_completed_work(TestStream& stream) {
  constexpr std::size_t size = 2 << 20;
  const std::vector<std::byte> bytes = test_bytes(size, 1);
  std::vector<std::byte> others = bytes;
  for (std::byte& byte : others) byte = ~byte;
  const TestStorage source(stream.device(), size, &stream), copied(stream.device(), size, &stream);
  source.write(stream, bytes);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::byte> found = others;
    for (int i = 0; i < 32; ++i) {
      stream.copy(DType::uint8, {size}, source.region(), copied.region());
    }
    const std::uint64_t number =
        stream.copy(DType::uint8, {size}, copied.region(), host_region(found.data()));
    const bool is_done = stream.completed() >= number;
    const bool is_there = !is_done || found.back() == bytes.back();
    stream.finish();
    if (!is_there) {
      fail("`completed` says that {} is done, but its copy's last byte was not there", number);
    }
    require_bytes(found, bytes, "a copy after many");
  }
}

/// The first number whose wait fails, checked twice: an error sticks, and only to later work.
void check_scope_of_failure(TestStream& stream, std::uint64_t failed) {
  for (int round = 1; round <= 2; ++round) {
    for (std::uint64_t number = 1; number <= stream.last(); ++number) {
      const bool fails = !stream.try_wait(number).ok();
      if (fails == (number >= failed)) continue;
      fail("work {} has failed, and wait({}) {}{}", failed, number,
           fails ? "fails too, though that work came before it" : "returns SY_OK",
           round == 2 ? ", when it is asked again" : "");
    }
  }
  if (stream.completed() < stream.last()) {
    fail("the numbers of what was enqueued after work that failed do not complete");
  }
}

}  // namespace

void try_numbers(CaseRun& run) {
  TestDevice device(run);
  if (device.synchronous()) skip("it is SYNCHRONOUS: nobody looks at the numbers");
  TestStream first(device), second(device);
  const std::vector<std::byte> bytes = test_bytes(64, 1);
  const TestStorage a(device, 64, &first), b(device, 64, &second);
  for (int i = 0; i < 50; ++i) {  // `copy` checks each
    first.copy(DType::uint8, {64}, host_region(bytes.data()), a.region());
    if (i % 3 == 0) second.copy(DType::uint8, {64}, host_region(bytes.data()), b.region());
  }
  const TestOp op = first_op(first);
  op.run(first, *prepared(first, op), 0);
  first.finish();
  second.finish();
}

void try_order_of_work(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  constexpr int steps = 200;
  std::deque<std::vector<std::byte>> sources, results;
  const TestStorage a(device, kCount, &stream), b(device, kCount, &stream);
  for (int i = 0; i < steps; ++i) {
    sources.push_back(test_bytes(kCount, static_cast<unsigned>(i)));
    results.emplace_back(kCount);
    stream.copy(DType::uint8, {kCount}, host_region(sources.back().data()), a.region());
    stream.copy(DType::uint8, {kCount}, a.region(), b.region());
    stream.copy(DType::uint8, {kCount}, b.region(), host_region(results.back().data()));
  }
  stream.finish();
  for (std::size_t i = 0; i < results.size(); ++i) {
    require_bytes(results[i], sources[i], fmt::format("round {} through two storages", i));
  }
}

void try_priorities(CaseRun& run) {
  TestDevice device(run);
  const std::vector<std::byte> bytes = test_bytes(kCount, 1);
  for (const std::int32_t priority : {INT32_MIN, -1, 1, INT32_MAX}) {
    TestStream stream(device, priority);
    const TestStorage storage(device, kCount, &stream);
    storage.write(stream, bytes);
    require_bytes(storage.read(stream), bytes, fmt::format("a stream of priority {}", priority));
  }
}

void try_handed_over_memory(CaseRun& run) {
  TestDevice device(run);
  TestStream first(device), second(device);
  constexpr std::size_t size = 1 << 16;
  for (unsigned round = 0; round < 10; ++round) {
    const std::vector<std::byte> bytes = test_bytes(size, round);
    const std::vector<std::byte> others = test_bytes(size, round + 1000);
    const TestStorage storage(device, size, &first);
    storage.write(first, bytes);
    require_bytes(storage.read(second), bytes, "a storage that another stream has written");
    storage.write(second, others);
    require_bytes(storage.read(first), others, "a storage that was handed over and came back");
  }
}

void try_completion(CaseRun& run) {
  TestDevice device(run);
  if (device.synchronous()) skip("it is SYNCHRONOUS: the host waits for nothing");
  TestStream stream(device);
  if (const std::uint64_t done = stream.completed(); done != 0) {
    fail("`completed` of a new stream says {}", done);
  }
  if (stream.counter() != nullptr && *stream.counter() != 0) {
    fail("the counter of a new stream shows {}", *stream.counter());
  }
  const std::vector<std::byte> bytes = test_bytes(kCount, 1);
  const TestStorage storage(device, kCount, &stream);
  std::uint64_t seen = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t number =
        stream.copy(DType::uint8, {kCount}, host_region(bytes.data()), storage.region());
    const std::uint64_t done = stream.completed();
    if (done < seen || done > number) {
      fail("`completed` says {} after it said {}, with {} enqueued", done, seen, number);
    }
    seen = done;
    if (i % 7 == 0) stream.wait(number);
  }
  stream.flush();
  stream.finish();
  check_completed_work(stream);
  if (const std::uint64_t done = stream.completed(); done != stream.last()) {
    fail("`completed` says {} when all of {} is done", done, stream.last());
  }
}

void try_absent_work(CaseRun& run) {
  TestDevice device(run);
  if (device.synchronous()) skip("it is SYNCHRONOUS: the host waits for nothing");
  TestStream stream(device);
  const TestStorage storage(device, 64, &stream);
  storage.write(stream, test_bytes(64, 1));
  const Answer answer = stream.try_wait(stream.last() + 1000);
  if (answer.status != SY_INVALID) {
    fail("wait for a number that no work has returned {}", answer.ok() ? "SY_OK" : answer.text());
  }
  stream.finish();
}

void try_late_failure(CaseRun& run) {
  TestDevice device(run);
  if (device.synchronous()) skip("it is SYNCHRONOUS: an error is that of its own call");
  TestStream stream(device);
  const TestStorage storage(device, kCount, &stream);
  const std::vector<std::byte> bytes = test_bytes(kCount, 1);
  storage.write(stream, bytes);
  OpCall call;
  const auto kernel = failing_kernel(stream, call);
  if (!kernel) skip("it claims no op whose inputs can be wrong in a way that only the run shows");
  const RunForm form;
  KernelCall work(stream, call, form, kernel->prepared());
  const Answer enqueued = work.enqueue();
  if (!enqueued.ok()) skip("what is wrong with the inputs shows before the enqueue");
  const std::uint64_t failed = work.number();
  stream.try_copy(DType::uint8, {kCount}, host_region(bytes.data()), storage.region());
  if (stream.try_wait(failed).ok()) {
    fail("{} of an index outside of its data: neither run nor wait says so", call.name());
  }
  check_scope_of_failure(stream, failed);
  // Another stream is none of it, and reads what was complete before.
  TestStream other(device);
  require_bytes(storage.read(other), bytes, "a storage that was written before work failed");
}

void try_cached_memory(CaseRun& run) {
  TestDevice device(run);
  if (!device.has(SY_DEVICE_CACHES_MEMORY)) skip("the host caches its memory");
  TestStream first(device), second(device);
  constexpr std::size_t size = 1 << 20;
  for (unsigned round = 0; round < 20; ++round) {
    const std::vector<std::byte> bytes = test_bytes(size, round);
    const std::vector<std::byte> others = test_bytes(size, round + 1000);
    std::vector<std::byte> found(size);
    TestStorage used(device, size, &first);
    used.write(first, bytes);
    first.copy(DType::uint8, {size}, used.region(), host_region(found.data()));
    used.release();  // while work of the stream that allocated it may not have begun
    const TestStorage mine(device, size, &first), theirs(device, size, &second);
    second.copy(DType::uint8, {size}, host_region(others.data()), theirs.region());
    first.copy(DType::uint8, {size}, host_region(others.data()), mine.region());
    second.finish();
    first.finish();
    require_bytes(found, bytes, "a storage that was released behind the work that reads it");
    require_bytes(theirs.read(second), others, "a storage of the other stream");
  }
}

}  // namespace switchyard::cli::conform
