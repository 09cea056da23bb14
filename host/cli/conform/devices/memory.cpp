#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/process_facts.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::size_t kSizes[] = {1, 3, 16, 100, 4096, 4097, 100'000, 1'000'003};

std::vector<std::byte> mapped(TestDevice& device, const TestStorage& storage, std::uint64_t offset,
                              std::uint64_t size, std::span<const std::byte> written) {
  auto args = sized<sy_map_args>();
  args.access = SY_MAP_READ | (written.empty() ? 0u : static_cast<unsigned>(SY_MAP_WRITE));
  args.device = device.handle();
  args.storage = storage.handle();
  args.offset_bytes = offset;
  args.size_bytes = size;
  call_ok("map", device.slots().map, args);
  if (args.pointer == nullptr) fail("map returned SY_OK without a pointer");
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), args.pointer, size);
  if (!written.empty()) std::memcpy(args.pointer, written.data(), written.size());
  auto end = sized<sy_storage_args>();
  end.device = device.handle();
  end.storage = storage.handle();
  call_ok("unmap", device.slots().unmap, end);
  return bytes;
}

}  // namespace

void try_allocation(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  std::deque<TestStorage> storages;
  std::vector<std::vector<std::byte>> contents;
  for (const std::size_t size : kSizes) {
    for (unsigned copy = 0; copy < 4; ++copy) {
      storages.emplace_back(device, size, copy % 2 == 0 ? nullptr : &stream);
      contents.push_back(test_bytes(size, static_cast<unsigned>(contents.size())));
      storages.back().write(stream, contents.back());
    }
  }
  for (std::size_t i = 0; i < storages.size(); ++i) {
    require_bytes(storages[i].read(stream), contents[i],
                  "a storage after others were written: two may share bytes");
  }
}

void try_too_much_memory(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  auto args = sized<sy_allocate_args>();
  args.device = device.handle();
  args.stream = stream.handle();
  args.size_bytes = std::uint64_t{1} << 60;
  const Answer answer = call("allocate", device.slots().allocate, args);
  if (answer.ok()) fail("allocate of 2^60 bytes returned SY_OK");
  if (answer.status != SY_OUT_OF_MEMORY && answer.status != SY_INVALID &&
      answer.status != SY_UNSUPPORTED) {
    fail("allocate of 2^60 bytes returned {}; SY_OUT_OF_MEMORY has the host try less",
         answer.text());
  }
  const TestStorage storage(device, 100, &stream);
  const std::vector<std::byte> bytes = test_bytes(100, 1);
  storage.write(stream, bytes);
  require_bytes(storage.read(stream), bytes, "a storage after an allocation has failed");
}

void try_statistics(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::uint64_t before = device.used_bytes();
  std::uint64_t held = 0;
  {
    const TestStorage storage(device, 1'000'000, &stream);
    storage.write(stream, test_bytes(1'000'000, 1));
    held = device.used_bytes();
  }
  if (held == 0 && before == 0) skip("it does not count its memory");
  if (held < before + 1'000'000) {
    fail("used_bytes rose from {} to {} when 1000000 bytes were allocated", before, held);
  }
  stream.finish();
  if (const std::uint64_t after = device.used_bytes(); after != before) {
    fail("used_bytes was {} before a storage, and is {} after its release", before, after);
  }
}

void try_released_memory(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  constexpr std::size_t size = 4 << 20;
  constexpr int times = 160;
  const std::vector<std::byte> bytes = test_bytes(size, 1);
  const auto round = [&] {
    const TestStorage storage(device, size, &stream);
    storage.write(stream, bytes);
  };
  for (int time = 0; time < 4; ++time) round();
  const std::size_t before = peak_memory();
  for (int time = 0; time < times; ++time) round();
  const std::size_t grown = peak_memory() - before;
  // The address sanitizer keeps up to 256 MiB of what is freed.
  if (grown > times * size * 3 / 4) {
    fail(
        "{} storages of {} bytes, each released before the next, have taken {} bytes more of the "
        "process's memory",
        times, size, grown);
  }
}

void try_mapping(CaseRun& run) {
  TestDevice device(run);
  if (device.info().memory_kind != SY_MEMORY_MAPPABLE) skip("its memory is not MAPPABLE");
  TestStream stream(device);
  const TestStorage storage(device, 1000, &stream);
  std::vector<std::byte> bytes = test_bytes(1000, 1);
  storage.write(stream, bytes);
  const std::vector<std::byte> part(bytes.begin() + 100, bytes.begin() + 400);
  const std::vector<std::byte> other = test_bytes(300, 2);
  require_bytes(mapped(device, storage, 100, 300, other), part, "bytes 100 to 400, mapped");
  std::copy(other.begin(), other.end(), bytes.begin() + 100);
  require_bytes(storage.read(stream), bytes, "a storage after it was written to through `map`");
}

void try_import(CaseRun& run) {
  TestDevice device(run);
  if (!device.has(SY_DEVICE_IMPORTS_HOST_MEMORY)) skip("it does not import host memory");
  if (device.info().memory_kind == SY_MEMORY_ADDRESS) {
    skip("host memory is its storage as it stands: kernels/*/example reads it so");
  }
  TestStream stream(device);
  const std::vector<std::byte> bytes = test_bytes(64 * 1024, 1);
  constexpr std::size_t kLargestPage = 65536;
  std::vector<std::byte> memory(bytes.size() + kLargestPage);
  void* aligned = memory.data();
  std::size_t room = memory.size();
  auto* start = static_cast<std::byte*>(std::align(kLargestPage, bytes.size(), aligned, room));
  std::copy(bytes.begin(), bytes.end(), start);
  auto args = sized<sy_import_args>();
  args.device = device.handle();
  args.pointer = start;
  args.size_bytes = bytes.size();
  call_ok("import_memory", device.slots().import_memory, args);
  if (args.storage == 0) fail("import_memory returned SY_OK without a storage");
  auto source = sized<sy_region>();
  source.handle = args.storage;
  std::vector<std::byte> found(bytes.size());
  stream.copy(DType::uint8, {static_cast<std::int64_t>(bytes.size())}, source,
              host_region(found.data()));
  stream.finish();
  auto release = sized<sy_storage_args>();
  release.device = device.handle();
  release.storage = args.storage;
  call_ok("release", device.slots().release, release);
  require_bytes(found, bytes, "imported memory");
  require_bytes({start, start + bytes.size()}, bytes, "host memory that was imported");
}

void try_trim(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::vector<std::byte> bytes = test_bytes(100'000, 1);
  const TestStorage storage(device, bytes.size(), &stream);
  storage.write(stream, bytes);
  { const TestStorage gone(device, 1'000'000, &stream); }
  auto args = sized<sy_trim_args>();
  args.device = device.handle();
  call_ok("trim", device.slots().trim, args);
  require_bytes(storage.read(stream), bytes, "a storage after `trim`");
}

}  // namespace switchyard::cli::conform
