#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/on_threads.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/devices/test_op.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr unsigned kThreads = 4;

std::int64_t larger(std::int64_t extent) { return extent == 1 ? 1 : extent * 16 + 5; }

}  // namespace

void try_streams_of_threads(CaseRun& run) {
  TestDevice device(run);
  TestStream own(device);
  const TestOp op = first_op(own, larger);
  on_threads(kThreads, [&](unsigned k) {
    for (unsigned round = 0; round < 10; ++round) {
      TestStream stream(device);
      const std::vector<std::byte> bytes = test_bytes(10'000 + k, k * 100 + round);
      const TestStorage storage(device, bytes.size(), &stream);
      storage.write(stream, bytes);
      const auto kernel = prepared(stream, op);
      op.run(stream, *kernel, k % op.calls.size());
      require_bytes(storage.read(stream), bytes, "a storage of one thread, beside others");
    }
  });
}

void try_stream_of_many_threads(CaseRun& run) {
  TestDevice device(run);
  if (!device.has(SY_DEVICE_THREAD_SAFE_RUN)) skip("it does not say THREAD_SAFE_RUN");
  TestStream stream(device);
  const TestOp op = first_op(stream, larger);
  const auto kernel = prepared(stream, op);
  on_threads(kThreads, [&](unsigned k) {
    for (unsigned round = 0; round < 200; ++round) op.run(stream, *kernel, k % op.calls.size());
  });
}

void try_kernel_of_many_threads(CaseRun& run) {
  TestDevice device(run);
  TestStream own(device);
  const TestOp op = first_op(own, larger);
  const auto kernel = prepared(own, op);
  on_threads(kThreads, [&](unsigned k) {
    TestStream stream(device);
    for (unsigned round = 0; round < 50; ++round) op.run(stream, *kernel, k % op.calls.size());
  });
}

}  // namespace switchyard::cli::conform
