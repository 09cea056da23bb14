#include "call.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "order.hpp"
#include "switchyard/plugin/guard.hpp"

namespace validation {
namespace {

// Numbers threads from 0 on. What is kept for each thread here has no destructor: a host may call
// while its thread ends.
uint64_t this_thread() {
  static std::atomic<uint64_t> threads{0};
  thread_local const uint64_t number = threads.fetch_add(1);
  return number;
}

// The next number of a row that the seed and the thread tell (splitmix64).
uint64_t throw_dice(uint64_t seed) {
  thread_local uint64_t thrown = 0;
  uint64_t bits = seed * 7919 + (this_thread() << 32U) + ++thrown * 0x9E3779B97F4A7C15U;
  bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBU;
  return bits ^ bits >> 31U;
}

// By which plugin this thread is being told that work is over.
const Plugin*& teller() {
  thread_local const Plugin* plugin = nullptr;
  return plugin;
}

}  // namespace

Call::Call(Plugin& called, const char* slot, uint32_t size, size_t known_size, sy_error* error,
           Handling handling)
    : plugin_(called),
      what_(slot),
      error_(error),
      handling_(handling),
      lock_(called.guard),
      slot_(slot) {
  plugin_.record.count_call();
  if (size < known_size) {
    violation(Rule::args, "its args have ", size, " bytes, not ", known_size);
    is_short_ = true;
    stop();
  }
  if (error != nullptr && error->struct_size < sizeof(sy_error)) {
    violation(Rule::args, "its sy_error has ", error->struct_size, " bytes");
    error_ = nullptr;
  }
  if (teller() == &plugin_)
    violation(Rule::notice, "called by who is being told that work is over");
}

Call::~Call() {
  for (const auto& object : used_) --object->calls;
  if (driven_) driven_->caller = nullptr;
}

void Call::check_reserved(uint64_t reserved) {
  if (reserved != 0) violation(Rule::args, "a reserved field is ", reserved);
}

void Call::add(Rule rule, const std::string& text) {
  if (is_short_) return;
  ++violations_;
  if (first_.empty()) first_ = sy::text("violation of the rule ", name_of(rule), ": ", text);
  plugin_.record.add(rule, text, *entered().host);
  if (entered().settings.on_violation == OnViolation::abort) std::abort();
}

const Entered& Call::entered() const {
  if (entered_) return *entered_;
  return device_ ? *device_->entered : *plugin_.entered_last;
}

template <typename Handle, typename Thing>
std::shared_ptr<Thing> Call::look_up(const Handles<Handle, Thing>& handles, Handle handle,
                                     const char* kind) {
  std::shared_ptr<Thing> found = handles.find(handle);
  if (!found) {
    const uint64_t number = Handles<Handle, Thing>::number_of(handle);
    if (handle == nullptr) {
      violation(Rule::handle, "the ", kind, " is null");
    } else if (plugin_.numbers.has_given(number)) {
      violation(Rule::handle, "there is no ", kind, " ", number, " any more");
    } else {
      violation(Rule::handle, "there has never been a ", kind, " ", number);
    }
    stop();
    return nullptr;
  }
  if (!device_) device_ = found->device;
  use(found, kind);
  return found;
}

void Call::use(const std::shared_ptr<Object>& object, const char* kind) {
  ++object->calls;
  used_.push_back(object);
  if (!object->device) return;  // a device itself
  std::unordered_map<uint64_t, uint64_t>& by_thread = object->device->known_generations;
  const auto known = by_thread.find(this_thread());
  const uint64_t newest = known == by_thread.end() ? 0 : known->second;
  if (object->generation < newest && handling_ == Handling::uses) {
    violation(Rule::recovered, kind, " ", object->id,
              " is from before its device was lost and recovered: it may be released alone");
  }
  if (object->generation > newest) by_thread[this_thread()] = object->generation;
}

std::shared_ptr<Device> Call::find(sy_device handle, const char* kind) {
  std::shared_ptr<Device> device = look_up(plugin_.devices, handle, kind);
  if (device && !device_) device_ = device;
  return device;
}

std::shared_ptr<Stream> Call::find(sy_stream handle) {
  return look_up(plugin_.streams, handle, "stream");
}

std::shared_ptr<Event> Call::find(sy_event handle) {
  return look_up(plugin_.events, handle, "event");
}

std::shared_ptr<Kernel> Call::find(sy_kernel handle) {
  return look_up(plugin_.kernels, handle, "kernel");
}

std::shared_ptr<Storage> Call::find(const Device& device, sy_storage handle) {
  const auto found = plugin_.storages.find({&device, handle});
  if (found != plugin_.storages.end()) {
    use(found->second, "storage");
    return found->second;
  }
  stop();
  for (const auto& [key, storage] : plugin_.storages) {
    if (key.second != handle) continue;
    violation(Rule::device, "storage ", storage->id, " is another device's");
    return nullptr;
  }
  const bool is_number = device.info.memory_kind != SY_MEMORY_ADDRESS;
  if (is_number && plugin_.numbers.has_given(handle)) {
    violation(Rule::handle, "there is no storage ", handle, " any more");
  } else {
    violation(Rule::handle, "there is no storage ", handle);
  }
  return nullptr;
}

std::shared_ptr<Entered> Call::find(const sy_host* host) {
  const auto found = plugin_.entered.find(host);
  if (found != plugin_.entered.end()) return entered_ = found->second;
  violation(Rule::open, "the host is none that the plugin was entered for");
  stop();
  return nullptr;
}

void Call::check_unused_by_calls(const Object& object, const char* kind) {
  if (object.calls <= 1) return;
  violation(Rule::destroy, kind, " ", object.id, " goes while ", object.calls - 1,
            " other calls use it");
}

void Call::check_owner(const Object& object, const Device& device, const char* kind) {
  if (object.device.get() == &device) return;
  violation(Rule::device, "the ", kind, " is of device ", object.device->id, ", not of ",
            device.id);
}

void Call::note_recovery(Device& device) {
  device.known_generations[this_thread()] = ++device.recoveries;
}

void Call::drive(const std::shared_ptr<Stream>& stream) {
  const Device& device = *stream->device;
  if (device.is(SY_DEVICE_SYNCHRONOUS) && device.is(SY_DEVICE_THREAD_SAFE_RUN)) return;
  if (stream->caller != nullptr) {
    violation(Rule::caller, "a call of ", stream->caller, " drives stream ", stream->id,
              " at the same time");
    return;
  }
  stream->caller = slot_;
  driven_ = stream;
}

sy_status Call::refuse() const { return sy::report(error_, SY_INVALID, SY_REASON_NONE, first_); }

void Call::note_status(sy_status status) {
  if (status == SY_DEVICE_LOST && device_) note_loss(plugin_, *device_);
}

// Calls of several threads come in other orders than without.
void Call::pause() const {
  const Settings& chosen = entered().settings;
  if (chosen.delay_microseconds == 0) return;
  const uint64_t die = throw_dice(chosen.seed);
  if (die % 4 == 0) return;
  if (die % 4 == 1) return std::this_thread::yield();
  const auto longest = static_cast<uint64_t>(chosen.delay_microseconds);
  std::this_thread::sleep_for(std::chrono::microseconds((die >> 8U) % longest));
}

Telling::Telling(const Plugin& plugin) : before_(std::exchange(teller(), &plugin)) {}

Telling::~Telling() { teller() = before_; }

}  // namespace validation
