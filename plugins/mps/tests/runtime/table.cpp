#include "table.hpp"

#include <gtest/gtest.h>

#include "runtime/device.hpp"
#include "runtime/options.hpp"

namespace mps::runtime_tests {
namespace {

#if defined(__APPLE__)
constexpr const char* device_kind = "metal";
#else
constexpr const char* device_kind = "software";
#endif

}  // namespace

Host::Host() {
  host_.struct_size = sizeof(host_);
  host_.thread_limit = 1;
  host_.library_path = "";
  host_.log = [](void*, sy_log_level, const char*) {};
}

sy_option& Host::add(const char* key, sy_option_kind kind) {
  auto option = make_args<sy_option>();
  option.kind = kind;
  option.key = key;
  options_.push_back(option);
  return options_.back();
}

Host& Host::text(const char* key, const char* value) {
  add(key, SY_OPTION_STRING).text = value;
  return *this;
}
Host& Host::integer(const char* key, int64_t value) {
  add(key, SY_OPTION_INT).integer = value;
  return *this;
}
Host& Host::real(const char* key, double value) {
  add(key, SY_OPTION_FLOAT).real = value;
  return *this;
}
Host& Host::flag(const char* key, bool value) {
  add(key, SY_OPTION_BOOL).integer = value ? 1 : 0;
  return *this;
}

const sy_host& Host::raw() {
  host_.options = options_.data();
  host_.option_count = options_.size();
  return host_;
}

const sy_plugin& enter(Host& host) {
  auto args = make_args<sy_entry_args>();
  args.min_version = args.max_version = SY_ABI_VERSION;
  args.host = &host.raw();
  call(switchyard_plugin_entry, args);
  return *args.plugin;
}

seam::Ref<seam::Device> (*OpenDevice::stand_in)() = nullptr;

OpenDevice::OpenDevice(const std::vector<Option>& options) {
  host_.text("device", device_kind);
  for (const Option& option : options) {
    if (option.text != nullptr) {
      host_.text(option.key, option.text);
    } else if (option.is_flag) {
      host_.flag(option.key, option.integer != 0);
    } else {
      host_.integer(option.key, option.integer);
    }
  }
  table_ = &enter(host_);
  if (stand_in != nullptr) {
    device_ = reinterpret_cast<sy_device>(new Device(stand_in(), read_options(host_.raw())));
    return;
  }
  auto args = make_args<sy_open_device_args>();
  args.host = &host_.raw();
  call(table_->open_device, args);
  device_ = args.device;
}

OpenDevice::~OpenDevice() {
  auto args = make_args<sy_device_args>();
  args.device = device_;
  EXPECT_EQ(table_->close_device(&args, nullptr), SY_OK);
}

sy_storage OpenDevice::allocate(size_t bytes, sy_stream stream) const {
  auto args = make_args<sy_allocate_args>();
  args.device = device_;
  args.stream = stream;
  args.size_bytes = bytes;
  call(table_->allocate, args);
  return args.storage;
}

void OpenDevice::release(sy_storage storage) const {
  auto args = make_args<sy_storage_args>();
  args.device = device_;
  args.storage = storage;
  call(table_->release, args);
}

uint64_t OpenDevice::trim() const {
  auto args = make_args<sy_trim_args>();
  args.device = device_;
  call(table_->trim, args);
  return args.freed_bytes;
}

sy_memory_statistics_args OpenDevice::statistics() const {
  auto args = make_args<sy_memory_statistics_args>();
  args.device = device_;
  call(table_->memory_statistics, args);
  return args;
}

std::string OpenDevice::report() const {
  std::string text;
  auto writer = make_args<sy_writer>();
  writer.context = &text;
  writer.write = [](void* context, const char* piece, uint64_t bytes) -> sy_status {
    static_cast<std::string*>(context)->append(piece, bytes);
    return SY_OK;
  };
  auto args = make_args<sy_report_args>();
  args.device = device_;
  args.writer = &writer;
  call(table_->report, args);
  return text;
}

OpenStream::OpenStream(const OpenDevice& device) : device_(device) {
  auto args = make_args<sy_create_stream_args>();
  args.device = device.handle();
  call(device.table().create_stream, args);
  stream_ = args.stream;
}

OpenStream::~OpenStream() {
  auto args = make_args<sy_stream_args>();
  args.stream = stream_;
  EXPECT_EQ(device_.table().destroy_stream(&args, nullptr), SY_OK);
}

void OpenStream::wait(uint64_t sequence) const {
  auto args = make_args<sy_wait_args>();
  args.stream = stream_;
  args.sequence = sequence;
  call(device_.table().wait, args);
}

void OpenStream::flush() const {
  auto args = make_args<sy_stream_args>();
  args.stream = stream_;
  call(device_.table().flush, args);
}

uint64_t OpenStream::completed() const {
  auto args = make_args<sy_completed_args>();
  args.stream = stream_;
  call(device_.table().completed, args);
  return args.sequence;
}

uint64_t OpenStream::copy(sy_dtype dtype, const std::vector<int64_t>& shape,
                          const sy_region& source, const sy_region& destination) const {
  auto args = make_args<sy_copy_args>();
  args.dtype = dtype;
  args.device = device_.handle();
  args.stream = stream_;
  args.source = &source;
  args.destination = &destination;
  args.shape = shape.data();
  args.rank = static_cast<uint32_t>(shape.size());
  call(device_.table().copy, args);
  return args.sequence;
}

uint64_t OpenStream::upload(const void* bytes, size_t count, sy_storage storage) const {
  return copy(SY_UINT8, {static_cast<int64_t>(count)}, host_region(bytes), storage_region(storage));
}

uint64_t OpenStream::download(sy_storage storage, void* bytes, size_t count) const {
  return copy(SY_UINT8, {static_cast<int64_t>(count)}, storage_region(storage), host_region(bytes));
}

OpenEvent::OpenEvent(const OpenDevice& device) : device_(device) {
  auto args = make_args<sy_create_event_args>();
  args.device = device.handle();
  call(device.table().create_event, args);
  event_ = args.event;
}

OpenEvent::~OpenEvent() { call_on(device_.table().destroy_event, nullptr); }

void OpenEvent::call_on(sy_status (*slot)(sy_event_args*, sy_error*), sy_stream stream) const {
  auto args = make_args<sy_event_args>();
  args.event = event_;
  args.stream = stream;
  call(slot, args);
}

void OpenEvent::record(const OpenStream& stream) const {
  call_on(device_.table().record_event, stream.handle());
}
void OpenEvent::delay(const OpenStream& stream) const {
  call_on(device_.table().wait_for_event, stream.handle());
}
void OpenEvent::wait() const { call_on(device_.table().wait_event, nullptr); }

sy_region host_region(const void* pointer, const int64_t* strides, uint64_t offset) {
  auto region = make_args<sy_region>();
  region.kind = SY_REGION_HOST;
  region.handle = reinterpret_cast<uintptr_t>(pointer);
  region.strides = strides;
  region.offset_bytes = offset;
  return region;
}

sy_region storage_region(sy_storage storage, const int64_t* strides, uint64_t offset) {
  auto region = make_args<sy_region>();
  region.kind = SY_REGION_STORAGE;
  region.handle = storage;
  region.strides = strides;
  region.offset_bytes = offset;
  return region;
}

}  // namespace mps::runtime_tests
