#include "device/open_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <span>

#include "device/status.hpp"
#include "trace/log.hpp"

namespace switchyard {

std::atomic<std::uint64_t> route_epoch{1};

OpenDevice::OpenDevice(std::shared_ptr<const Plugin> plugin, std::uint32_t index,
                       std::uint32_t ordinal, Allocator::Limits limits,
                       std::shared_ptr<trace::Timeline> timeline)
    : plugin_(std::move(plugin)),
      ordinal_(ordinal),
      name_(fmt::format("{}:{}", plugin_->name(), index)),
      calls_(name_, plugin_->name(), plugin_->calls().deadline()),
      api_(plugin_->table(), &calls_),
      info_(plugin_->devices()[index].info),
      index_(index),
      timeline_(std::move(timeline)),
      listener_{sizeof(listener_), 0, this, hear_of_loss} {
  sy_open_device_args args{};
  args.struct_size = sizeof(args);
  args.index = index;
  args.host = &plugin_->host();
  args.listener = &listener_;
  PluginError error;
  {
    const LoadMark mark = plugin_->mark_opening();
    check(switchyard::try_call(api_.open_device, args, error, [] {}), error, name_, "open_device");
  }
  handle_ = args.device;
  limits.caches = !has(SY_DEVICE_CACHES_MEMORY);
  try {
    streams_.push_back(std::make_unique<OpenStream>(*this));
    stream_.store(streams_.back().get());
    allocator_ =
        std::make_unique<Allocator>(*this, name_, limits, [this] { return with_engine(); });
  } catch (...) {
    streams_.clear();
    sy_device_args closing{sizeof(closing), 0, nullptr, handle_};
    api_.close_device(&closing, &error);
    throw;
  }
}

OpenDevice::~OpenDevice() {
  allocator_.reset();
  streams_.clear();
  sy_device_args args{sizeof(args), 0, nullptr, handle_};
  PluginError error;
  if (api_.close_device(&args, &error) != SY_OK) {
    trace::warn("{}: close_device: {}", name_, error.message);
  }
}

bool OpenDevice::reaches(const OpenDevice& other) const {
  if (plugin_ != other.plugin_ || !has(SY_DEVICE_PEER_COPY)) return false;
  if (info_.peers == nullptr) return true;
  return std::count(info_.peers, info_.peers + info_.peer_count, other.index_) != 0;
}

bool OpenDevice::is_same_processor(const OpenDevice& other) const {
  constexpr std::uint8_t unknown[sizeof(info_.uuid)] = {};
  return std::memcmp(info_.uuid, unknown, sizeof(unknown)) != 0 &&
         std::memcmp(info_.uuid, other.info_.uuid, sizeof(unknown)) == 0;
}

void OpenDevice::set_engine(const std::shared_ptr<Engine>& engine) {
  if (engine) kept_engine_ = engine;
  engine_.store(engine.get(), std::memory_order_release);
}

std::shared_ptr<OpenDevice> OpenDevice::with_engine() {
  std::shared_ptr<Engine> engine = kept_engine_.lock();
  return engine ? std::shared_ptr<OpenDevice>(std::move(engine), this) : shared_from_this();
}

// A device that fails again and again "for now" is as good as lost for a while. One that returns
// what the ABI does not know has a bug.
bool OpenDevice::quarantines(sy_status status) {
  if (status == SY_DEVICE_LOST) return lost_ = true;
  if (status == SY_BUG || !is_known(status)) return true;
  if (status != SY_TRANSIENT) return false;
  const auto now = std::chrono::steady_clock::now();
  const auto quiet = std::max<std::chrono::milliseconds>(kTransientFailuresCount, 2 * retry_after_);
  if (now > last_transient_failure_ + quiet) transient_failures_ = 0;
  last_transient_failure_ = now;
  return ++transient_failures_ >= kMostTransientFailures;
}

void OpenDevice::fail_call(sy_status status, const sy_error& error, std::string_view call) {
  Error failure = error_from(status, error, name_, call);
  quarantine_if_due(status, failure.what());
  throw failure;
}

void OpenDevice::note_failure(sy_status status, const sy_error& error,
                              std::string_view call) noexcept {
  const Error failure = error_from(status, error, name_, call);
  // What recover() gives back was lost with the device that is coming back.
  const bool is_recovering = recovering_.load() == std::this_thread::get_id();
  if (is_recovering || !quarantine_if_due(status, failure.what())) {
    trace::error("{}", failure.what());
  }
}

bool OpenDevice::quarantine_if_due(sy_status status, const char* failure) {
  std::scoped_lock guard(fault_guard_);
  if (!quarantines(status)) return false;
  if (faulted_.load()) return false;  // others felt the same fault
  quarantine(failure);
  return true;
}

void OpenDevice::quarantine(std::string failure) {
  fault_ = std::move(failure);
  const auto now = std::chrono::steady_clock::now();
  if (now > retry_at_ + 10 * retry_after_) retry_after_ = kFirstRetry;  // it has been well since
  retry_at_ = now + retry_after_;
  faulted_.store(true, std::memory_order_release);
  route_epoch.fetch_add(1);
  trace::warn("{}; the device is quarantined and tried again in {} ms", fault_,
              retry_after_.count());
  retry_after_ = std::min(retry_after_ * 2, kLastRetry);
}

// The plugin may be in the middle of a call, so this only says that there is news: who asks for the
// device next takes it.
void OpenDevice::hear_of_loss(void* context, const char* message) noexcept {
  auto& device = *static_cast<OpenDevice*>(context);
  {
    std::scoped_lock guard(device.told_guard_);
    if (!device.told_loss_.empty()) return;
    device.told_loss_ = message != nullptr && *message != '\0' ? message : "it gives no reason";
  }
  device.faulted_.store(true, std::memory_order_release);
  route_epoch.fetch_add(1);
}

void OpenDevice::take_told_loss() {
  std::string told;
  {
    std::scoped_lock guard(told_guard_);
    told.swap(told_loss_);
  }
  if (told.empty()) return;
  lost_ = true;
  quarantine(fmt::format("{}: says that it is lost: {}", name_, told));
}

bool OpenDevice::recovers_in_time() {
  std::scoped_lock guard(fault_guard_);
  take_told_loss();
  if (!faulted_.load() || std::chrono::steady_clock::now() < retry_at_) return !faulted_.load();
  if (recover()) {
    generation_.fetch_add(1);
    faulted_.store(false, std::memory_order_release);
    route_epoch.fetch_add(1);
    trace::info("{}: recovered", name_);
    return true;
  }
  retry_at_ = std::chrono::steady_clock::now() + retry_after_;
  retry_after_ = std::min(retry_after_ * 2, kLastRetry);
  return false;
}

bool OpenDevice::recover() {
  if (lost_) {  // before: what it recovers to has no place for them
    for (const auto& stream : streams_) stream->lose();
    allocator_->lose_all();
  }
  sy_device_args args{sizeof(args), 0, nullptr, handle_};
  PluginError error;
  const sy_status status = api_.recover(&args, &error);
  if (lost_) {  // not before: work that is under way uses memory, that of callers included
    for (const auto& stream : streams_) stream->end_lost_work();
    allocator_->end_lost_work();
  }
  if (status != SY_OK || !use_fresh_stream()) return false;
  if (!lost_) return true;
  recovering_.store(std::this_thread::get_id());
  allocator_->give_back_lost();
  recovering_.store({});
  lost_ = false;
  return true;
}

bool OpenDevice::use_fresh_stream() {
  try {
    streams_.push_back(std::make_unique<OpenStream>(*this));
  } catch (const Error& error) {
    trace::warn("{}", error.what());
    return false;
  }
  stream_.store(streams_.back().get(), std::memory_order_release);
  return true;
}

std::string OpenDevice::fault() const {
  std::scoped_lock guard(fault_guard_);
  return fault_;
}

OpenStream& OpenDevice::add_stream(std::int32_t priority) {
  quarantined();
  auto made = std::make_unique<OpenStream>(*this, priority);
  std::scoped_lock guard(fault_guard_);
  added_.push_back(made.get());
  streams_.push_back(std::move(made));
  return *streams_.back();
}

void OpenDevice::synchronize() {
  std::vector<OpenStream*> streams;
  {
    std::scoped_lock guard(fault_guard_);
    for (const auto& stream : streams_) streams.push_back(stream.get());
  }
  std::exception_ptr failure;
  for (OpenStream* stream : streams) {
    try {
      stream->wait_for_unanswered();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

bool OpenDevice::replace_stream(const OpenStream& failed) {
  std::scoped_lock guard(fault_guard_);
  // Who added a stream holds it; it stays failed.
  if (std::find(added_.begin(), added_.end(), &failed) != added_.end()) return true;
  if (stream_.load() != &failed) return false;
  use_fresh_stream();
  return true;
}

OpenDevice::Enqueued OpenDevice::copy(OpenStream& on, sy_dtype dtype,
                                      std::span<const std::int64_t> shape, const sy_region& source,
                                      const sy_region& destination) {
  sy_copy_args args{};
  args.struct_size = sizeof(args);
  args.dtype = dtype;
  args.device = handle_;
  args.stream = on.handle();
  args.source = &source;
  args.destination = &destination;
  args.shape = shape.data();
  args.rank = static_cast<std::uint32_t>(shape.size());
  const std::uint64_t sequence = on.enqueue("copy", [&] {
    call(api_.copy, args, "copy");
    return args.sequence;
  });
  return {&on, sequence};
}

Block OpenDevice::allocate_block(std::size_t bytes) {
  if (info_.max_storage_bytes != 0 && bytes > info_.max_storage_bytes) {
    throw Error(ErrorKind::out_of_memory,
                fmt::format("{}: {} bytes are more than its largest storage, {} bytes", name_,
                            bytes, info_.max_storage_bytes));
  }
  sy_allocate_args args{};
  args.struct_size = sizeof(args);
  args.device = handle_;
  OpenStream& home = stream();
  args.stream = home.handle();
  args.size_bytes = bytes;
  PluginError error;
  sy_status status = api_.allocate(&args, &error);
  if (status == SY_TRANSIENT) status = api_.allocate(&args, &error);
  check_call(status, error, "allocate");
  if (addressable() && args.storage % info_.alignment != 0) refuse_misaligned(args.storage);
  if (!has(SY_DEVICE_CACHES_MEMORY) || home.synchronous()) return {args.storage};
  return {args.storage, &home};
}

void OpenDevice::refuse_misaligned(std::uint64_t handle) {
  release_block(handle);
  PluginError error;
  const auto end = fmt::format_to_n(error.message, sizeof(error.message) - 1,
                                    "the storage at {:#x} is not aligned to {} bytes, as the probe "
                                    "said that storages are; tell the plugin's author",
                                    handle, info_.alignment);
  *end.out = '\0';
  fail_call(SY_BUG, error, "allocate");
}

void OpenDevice::release_block(std::uint64_t handle) noexcept {
  sy_storage_args args{sizeof(args), 0, nullptr, handle_, handle};
  PluginError error;
  note_call(api_.release(&args, &error), error, "release");
}

std::size_t OpenDevice::trim_blocks() noexcept {
  sy_trim_args args{};
  args.struct_size = sizeof(args);
  args.device = handle_;
  PluginError error;
  return api_.trim(&args, &error) == SY_OK ? static_cast<std::size_t>(args.freed_bytes) : 0;
}

}  // namespace switchyard
