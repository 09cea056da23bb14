#include <cstring>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

using Slot = sy_status (*)(sy_host_memory_args*, sy_error*);

sy_host_memory_args args_for(TestDevice& device, void* pointer, std::size_t size) {
  auto args = sized<sy_host_memory_args>();
  args.device = device.handle();
  args.pointer = pointer;
  args.size_bytes = size;
  return args;
}

/// The pointer, which allocate_host gives and register_host takes.
void* begin(std::string_view slot, Slot function, TestDevice& device, void* pointer,
            std::size_t size) {
  sy_host_memory_args args = args_for(device, pointer, size);
  const Answer answer = call(slot, function, args);
  if (answer.status == SY_UNSUPPORTED) skip("it has no {}: copies take any memory", slot);
  require_ok(answer, slot);
  return args.pointer;
}

void end(std::string_view slot, Slot function, TestDevice& device, void* pointer,
         std::size_t size) {
  sy_host_memory_args args = args_for(device, pointer, size);
  call_ok(slot, function, args);
}

/// To the device and back, between two halves of the memory.
void copy_through(TestDevice& device, std::byte* memory, std::size_t size) {
  TestStream stream(device);
  const std::size_t half = size / 2;
  const std::vector<std::byte> bytes = test_bytes(half, 1);
  std::memcpy(memory, bytes.data(), half);
  const TestStorage storage(device, half, &stream);
  const Dims shape{static_cast<std::int64_t>(half)};
  stream.copy(DType::uint8, shape, host_region(memory), storage.region());
  stream.copy(DType::uint8, shape, storage.region(), host_region(memory + half));
  stream.finish();
  require_bytes({memory + half, memory + size}, bytes, "a round trip from and to such memory");
}

constexpr std::size_t kSize = 1 << 18;

}  // namespace

void try_host_memory(CaseRun& run) {
  TestDevice device(run);
  void* const memory = begin("allocate_host", device.slots().allocate_host, device, nullptr, kSize);
  if (memory == nullptr) fail("allocate_host returned SY_OK without a pointer");
  const std::uint32_t alignment = device.info().alignment;
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0) {
    fail("allocate_host gave {}, which is not aligned to the {} bytes that probe says", memory,
         alignment);
  }
  copy_through(device, static_cast<std::byte*>(memory), kSize);
  end("release_host", device.slots().release_host, device, memory, kSize);
}

void try_registered_memory(CaseRun& run) {
  TestDevice device(run);
  std::vector<std::byte> memory(kSize);
  begin("register_host", device.slots().register_host, device, memory.data(), kSize);
  copy_through(device, memory.data(), kSize);
  end("unregister_host", device.slots().unregister_host, device, memory.data(), kSize);
  copy_through(device, memory.data(), kSize);
}

}  // namespace switchyard::cli::conform
