#include "device.hpp"

#include <algorithm>
#include <thread>

#include "behaviour.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/copy_check.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/text.hpp"

namespace fake {
namespace {

char* locate(Device& device, const sy_copy_args& args, const sy_region& region) {
  if (region.kind == SY_REGION_HOST) {
    device.host_memory.note_copy(region.handle);
    return reinterpret_cast<char*>(region.handle) + region.offset_bytes;
  }
  if (region.kind > SY_REGION_PEER || region.kind < SY_REGION_STORAGE) {
    return reinterpret_cast<char*>(region.handle);
  }
  const bool is_peers = region.kind == SY_REGION_PEER && !lies(Lie::reads_own_for_peers);
  Device& owner = is_peers ? *reinterpret_cast<Device*>(region.peer) : device;
  return owner.memory.at(region.handle, region.offset_bytes, args.dtype, {args.shape, args.rank},
                         region.strides);
}

void require_aligned(const sy_copy_args& args) {
  const auto size = std::max<uint64_t>(sy::dtype_bits(args.dtype) / 8, 1);
  for (const sy_region* region : {args.source, args.destination}) {
    if (region->kind == SY_REGION_HOST && region->handle % size != 0) {
      throw sy::invalid("the fake copies aligned elements alone");
    }
  }
}

// By way of memory that all copies share, one beside the other.
void copy_through_scratch(sy_dtype dtype, sy::Extents shape, const char* source,
                          const int64_t* from, char* destination, const int64_t* to) {
  static std::vector<char> scratch(1 << 24);
  const sy::Dimensions between = sy::contiguous_strides(shape);
  sy::copy_elements(dtype, shape, source, from, scratch.data(), between.data.data());
  std::this_thread::yield();
  sy::copy_elements(dtype, shape, scratch.data(), between.data.data(), destination, to);
}

bool is_bound_elsewhere(const sy_copy_args& args, const Stream& stream) {
  if (!lies(Lie::binds_storages)) return false;
  for (const sy_region* region : {args.source, args.destination}) {
    if (region->kind != SY_REGION_STORAGE) continue;
    const Stream* home = stream.device.memory.home_of(region->handle);
    if (home != nullptr && home != &stream) return true;
  }
  return false;
}

}  // namespace

void Device::start_run() {
  if (++runs_ == 1 && behaviour.tells_of_loss) {
    const char* const reason = lies(Lie::tells_no_reason) ? nullptr : "the fake was unplugged";
    listener->lost(listener->context, reason);
  }
  if (recovered_ || faults_ >= behaviour.faulty_runs) return;
  if (behaviour.faulty_runs != UINT32_MAX) ++faults_;
  throw sy::Failure(behaviour.run_fault, SY_REASON_NONE,
                    sy::text("the fake's run ", runs(), " fails"));
}

void Device::add(Stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.insert(&stream);
}

void Device::remove(Stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.erase(&stream);
  memory.forget_home(stream);
}

// The lock keeps the stream from ending meanwhile.
void Device::finish_home_of(sy_storage storage) const {
  const std::lock_guard lock(streams_mutex_);
  if (const Stream* home = memory.home_of(storage)) home->settle();
}

void Device::recover() {
  {
    const std::lock_guard lock(streams_mutex_);
    for (const Stream* stream : streams_) stream->settle();
  }
  if (!behaviour.recovers) throw sy::Failure(SY_DEVICE_LOST, SY_REASON_NONE, "the fake stays lost");
  if (behaviour.recovers_empty || lies(Lie::forgets_storages)) memory.forget();
  recovered_ = true;
}

PackedConstant& Device::acquire(uint64_t constant_id,
                                const std::function<std::vector<float>()>& pack) {
  const std::lock_guard lock(constants_mutex_);
  std::unique_ptr<PackedConstant>& position = constants_[constant_id];
  if (!position)
    position = std::make_unique<PackedConstant>(PackedConstant{pack(), constant_id, 0});
  ++position->references;
  return *position;
}

void Device::release(PackedConstant& constant) {
  const std::lock_guard lock(constants_mutex_);
  if (--constant.references == 0) constants_.erase(constant.constant_id);
}

size_t Device::packed_constants() const {
  const std::lock_guard lock(constants_mutex_);
  return constants_.size();
}

std::string Device::report() const {
  std::string told = sy::text(runs(), " runs, ", packed_constants(), " packed constants\n");
  told += host_memory.report();
  if (imports > 0) told += sy::text(imports.load(), " imports\n");
  if (captures > 0) told += sy::text(captures.load(), " captures, ", replays.load(), " replays\n");
  const std::lock_guard lock(streams_mutex_);
  for (const Stream* stream : streams_) {
    if (stream->priority != 0) told += sy::text("a stream of priority ", stream->priority, "\n");
  }
  return told;
}

Stream::Stream(Device& on, int32_t given) : device(on), priority(given) {
  if (behaviour.asynchronous) worker_ = std::make_unique<sy::AsynchronousStream>(behaviour.batch);
  device.add(*this);
}

Stream::~Stream() {
  settle();  // its work may use memory that can be released once it is no home
  device.remove(*this);
}

uint64_t Stream::enqueue(Work work) {
  if (worker_) return last_ = worker_->enqueue(std::move(work));
  work();
  return last_ = done_.complete_next();
}

uint64_t Stream::copy(const sy_copy_args& args) {
  if (!lies(Lie::copies_any_dtype) && !lies(Lie::copies_any_region)) sy::require_known(args);
  if (lies(Lie::copies_aligned)) require_aligned(args);
  if (is_bound_elsewhere(args, *this)) return enqueue([] {});
  const sy::Dimensions shape(sy::Extents(args.shape, args.rank));
  const char* source = locate(device, args, *args.source);
  char* destination = locate(device, args, *args.destination);
  const bool is_flat = lies(Lie::copies_flat);
  const sy::Dimensions from =
      sy::strides_or_contiguous(shape, is_flat ? nullptr : args.source->strides);
  const sy::Dimensions to =
      sy::strides_or_contiguous(shape, is_flat ? nullptr : args.destination->strides);
  if (sy::dtype_bits(args.dtype) == 0) return enqueue([] {});
  const bool is_within =
      args.source->kind == SY_REGION_STORAGE && args.destination->kind == SY_REGION_STORAGE;
  return enqueue([=, dtype = args.dtype] {
    if (is_within && lies(Lie::static_copies)) {
      return copy_through_scratch(dtype, shape, source, from.data.data(), destination,
                                  to.data.data());
    }
    sy::copy_elements(dtype, shape, source, from.data.data(), destination, to.data.data());
  });
}

void Stream::flush() const {
  if (worker_) worker_->flush();
}

uint64_t Stream::completed() const {
  if (lies(Lie::completed_at_once)) return last_;
  return worker_ ? worker_->completed() : done_.completed();
}

const volatile uint64_t* Stream::counter() const {
  return worker_ ? worker_->counter() : done_.counter();
}

void Stream::wait(uint64_t sequence) const {
  if (lies(Lie::never_waits)) return;
  if (lies(Lie::waits_for_anything)) sequence = std::min<uint64_t>(sequence, last_);
  if (worker_) return worker_->wait(sequence);
  done_.wait(sequence);
}

void Stream::settle() const noexcept {
  sy_error unused = {};
  sy::guard(&unused, [this] { finish(); });
}

void Stream::notify(uint64_t sequence, std::function<void()> done) const {
  if (lies(Lie::forgets_notices)) return;
  if (worker_) return worker_->notify(sequence, std::move(done));
  done();
}

void Stream::record(sy::Event& event) {
  if (worker_) worker_->record(event);
}

void Stream::wait_for(const sy::Event& event) {
  if (lies(Lie::events_do_nothing)) return;
  if (worker_) return worker_->wait_for(event);
  event.wait();
}

}  // namespace fake
