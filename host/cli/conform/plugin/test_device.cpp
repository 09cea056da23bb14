#include "cli/conform/plugin/test_device.hpp"

#include <utility>

#include "cli/conform/plugin/late_failures.hpp"
#include "cli/conform/plugin/plugin_under_test.hpp"

namespace switchyard::cli::conform {
namespace {

void note_loss(void*, const char* message) {
  note_failures_of([message] {
    add_late_failure(fmt::format("a device has told its listener that it is lost: {}",
                                 message == nullptr ? "null" : message));
  });
}

}  // namespace

const sy_device_listener& test_listener() {
  static constexpr sy_device_listener listener{sizeof(listener), 0, nullptr, note_loss};
  return listener;
}

TestDevice::TestDevice(CaseRun& run, const sy_device_listener& listener)
    : TestDevice(run, load(run.plugin), run.plugin.device, listener) {}

TestDevice::TestDevice(const TestDevice& beside, std::uint32_t index)
    : TestDevice(beside.run_, beside.plugin_, index, beside.listener_) {}

TestDevice::TestDevice(CaseRun& run, std::shared_ptr<const Plugin> plugin, std::uint32_t index,
                       const sy_device_listener& listener)
    : run_(run),
      plugin_(std::move(plugin)),
      index_(index),
      info_(device_info(*plugin_, index)),
      listener_(listener) {
  open();
}

TestDevice::~TestDevice() {
  note_failures_of([this] { close(); });
}

void TestDevice::open() {
  auto args = sized<sy_open_device_args>();
  args.index = index_;
  args.host = &plugin_->host();
  args.listener = &listener_;
  call_ok("open_device", slots().open_device, args);
  if (args.device == nullptr) fail("open_device returned SY_OK without a device");
  handle_ = args.device;
}

void TestDevice::close() {
  if (handle_ == nullptr) return;  // it did not open again
  auto args = sized<sy_device_args>();
  args.device = std::exchange(handle_, nullptr);
  call_ok("close_device", slots().close_device, args);
}

void TestDevice::reopen() {
  close();
  open();
}

std::uint64_t TestDevice::used_bytes() const {
  auto args = sized<sy_memory_statistics_args>();
  args.device = handle_;
  call_ok("memory_statistics", slots().memory_statistics, args);
  return args.used_bytes;
}

TestStream::TestStream(TestDevice& device, std::int32_t priority) : device_(device) {
  auto args = sized<sy_create_stream_args>();
  args.priority = priority;
  args.device = device.handle();
  call_ok("create_stream", device.slots().create_stream, args);
  if (args.stream == nullptr) fail("create_stream returned SY_OK without a stream");
  handle_ = args.stream;
  counter_ = args.completed;
}

TestStream::~TestStream() {
  note_failures_of([this] {
    auto args = sized<sy_stream_args>();
    args.stream = handle_;
    call_ok("destroy_stream", device_.slots().destroy_stream, args);
  });
}

std::uint64_t TestStream::enqueued(std::string_view slot, std::uint64_t number) {
  ++device_.run().device_work;
  if (!device_.synchronous() && number != last() + 1) {
    fail("{} gave {} as the number of its work; the stream's next is {}", slot, number, last() + 1);
  }
  last_ = number;
  return number;
}

std::uint64_t TestStream::completed() const {
  auto args = sized<sy_completed_args>();
  args.stream = handle_;
  call_ok("completed", device_.slots().completed, args);
  return args.sequence;
}

Answer TestStream::try_wait(std::uint64_t number) const {
  auto args = sized<sy_wait_args>();
  args.stream = handle_;
  args.sequence = number;
  return call("wait", device_.slots().wait, args);
}

void TestStream::wait(std::uint64_t number) const {
  if (device_.synchronous()) return;
  require_ok(try_wait(number), "wait");
  if (const std::uint64_t done = completed(); done < number) {
    fail("wait({}) came back, and `completed` says {}", number, done);
  }
  if (counter_ != nullptr && __atomic_load_n(counter_, __ATOMIC_ACQUIRE) < number) {
    fail("wait({}) came back, and the counter that create_stream gave shows {}", number, *counter_);
  }
}

void TestStream::flush() const {
  auto args = sized<sy_stream_args>();
  args.stream = handle_;
  call_ok("flush", device_.slots().flush, args);
}

Answer TestStream::try_copy(DType dtype, const Dims& shape, const sy_region& source,
                            const sy_region& destination) {
  auto args = sized<sy_copy_args>();
  args.dtype = static_cast<sy_dtype>(dtype);
  args.device = device_.handle();
  args.stream = handle_;
  args.source = &source;
  args.destination = &destination;
  args.shape = shape.data();
  args.rank = static_cast<std::uint32_t>(shape.size());
  Answer answer = call("copy", device_.slots().copy, args);
  if (answer.ok()) enqueued("copy", args.sequence);
  return answer;
}

std::uint64_t TestStream::copy(DType dtype, const Dims& shape, const sy_region& source,
                               const sy_region& destination) {
  require_ok(try_copy(dtype, shape, source, destination), "copy");
  return last_;
}

TestStorage::TestStorage(TestDevice& device, std::uint64_t size_bytes, const TestStream* stream)
    : device_(device), size_bytes_(size_bytes) {
  auto args = sized<sy_allocate_args>();
  args.device = device.handle();
  args.stream = stream == nullptr ? nullptr : stream->handle();
  args.size_bytes = size_bytes;
  call_ok("allocate", device.slots().allocate, args);
  if (args.storage == 0) fail("allocate returned SY_OK without a storage");
  handle_ = args.storage;
  const std::uint32_t alignment = device.info().alignment;
  if (device.info().memory_kind == SY_MEMORY_ADDRESS && handle_ % alignment != 0) {
    const sy_storage given = handle_;
    release();
    fail("allocate gave {:#x}, which is not aligned to the {} bytes that probe says", given,
         alignment);
  }
}

TestStorage::~TestStorage() {
  note_failures_of([this] { release(); });
}

void TestStorage::release() {
  if (handle_ == 0) return;
  auto args = sized<sy_storage_args>();
  args.device = device_.handle();
  args.storage = handle_;
  handle_ = 0;
  call_ok("release", device_.slots().release, args);
}

sy_region TestStorage::region(std::uint64_t offset_bytes, const std::int64_t* strides) const {
  auto region = sized<sy_region>();
  region.kind = SY_REGION_STORAGE;
  region.handle = handle_;
  region.offset_bytes = offset_bytes;
  region.strides = strides;
  return region;
}

void TestStorage::write(TestStream& stream, std::span<const std::byte> bytes) const {
  stream.copy(DType::uint8, {static_cast<std::int64_t>(bytes.size())}, host_region(bytes.data()),
              region());
  stream.finish();
}

std::vector<std::byte> TestStorage::read(TestStream& stream) const {
  std::vector<std::byte> bytes(size_bytes_);
  stream.copy(DType::uint8, {static_cast<std::int64_t>(size_bytes_)}, region(),
              host_region(bytes.data()));
  stream.finish();
  return bytes;
}

sy_region host_region(const void* pointer, const std::int64_t* strides) {
  auto region = sized<sy_region>();
  region.kind = SY_REGION_HOST;
  region.handle = reinterpret_cast<std::uint64_t>(pointer);
  region.strides = strides;
  return region;
}

}  // namespace switchyard::cli::conform
