#include "runtime/stream.hpp"

#include <utility>

#include "switchyard/plugin/guard.hpp"

namespace mps {

void Outcome::fail(std::exception_ptr failure, uint64_t good) {
  const std::lock_guard lock(mutex_);
  if (!failure_) {
    failure_ = std::move(failure);
    good_ = good;
  }
  failed_.store(true, std::memory_order_release);
}

void Outcome::rethrow(uint64_t sequence) const {
  if (!has_failed()) return;
  const std::lock_guard lock(mutex_);
  if (sequence > good_) std::rethrow_exception(failure_);
}

struct Stream::Batch {
  uint64_t last = 0;  // the number that is complete when it is
  std::vector<std::function<void()>> callbacks;
  std::vector<std::pair<seam::Ref<seam::Event>, uint64_t>> signals;
  std::vector<std::string> sections;                 // what each did
  seam::Ref<seam::CommandBuffer> profiled;           // whose times are wanted; null: nobody's
  std::vector<std::unique_ptr<FaultRecord>> faults;  // of operations that end with it
};

Stream::Stream(seam::Device& device, Allocator& memory, Allocator& staging, CommitPolicy policy,
               Profile* profile)
    : memory_(memory),
      staging_(staging),
      policy_(policy),
      profile_(profile),
      fault_records_(device),
      queue_(device.queue("switchyard")) {}

Stream::~Stream() {
  settle();
  for (const auto& [allocator, block] : temporaries_) allocator->release(block);
  for (const auto& [allocator, block] : used_up_) allocator->release(block);
}

Stream::Batch& Stream::open_batch() {
  if (!batch_) {
    auto batch = std::make_shared<Batch>();
    // Without a queue all is dropped; a batch still holds the signals that are to be raised.
    if (queue_) commands_ = queue_->command_buffer();
    batch_ = std::move(batch);
    if (profile_ != nullptr) batch_->profiled = commands_;
  }
  return *batch_;
}

seam::CommandBuffer& Stream::commands() {
  open_batch();
  return *commands_;
}

const seam::Ref<seam::Buffer>& Stream::faults() {
  if (!faults_) faults_ = fault_records_.take();
  return faults_->buffer();
}

// With the last of the operation's commands: a batch may have been committed in its midst.
void Stream::keep_faults() {
  if (faults_) open_batch().faults.push_back(std::move(faults_));
}

Block& Stream::temporary(size_t bytes) {
  temporaries_.push_back({&memory_, memory_.allocate(bytes, progress_)});
  return *temporaries_.back().block;
}

Block& Stream::upload_buffer(size_t bytes) {
  temporaries_.push_back({&staging_, staging_.allocate(bytes, progress_, FirstWriter::host)});
  return *temporaries_.back().block;
}

std::shared_ptr<Block> Stream::download_buffer(size_t bytes) {
  Block* block = staging_.allocate(bytes, progress_);
  return {block, [&staging = staging_](Block* used) { staging.release(used); }};
}

void Stream::afterwards(std::function<void()> callback) {
  open_batch().callbacks.push_back(std::move(callback));
}

void Stream::begin_profiled_section(std::string_view name) {
  Batch& batch = open_batch();
  batch.sections.emplace_back(name);
  commands_->begin_section();
}

uint64_t Stream::finish_operation() {
  take_turn();
  const uint64_t sequence = progress_->enqueued.load(std::memory_order_relaxed) + 1;
  progress_->enqueued.store(sequence, std::memory_order_release);
  // After the number, so that they count as used up to it.
  for (const auto& [allocator, block] : used_up_) allocator->release(block);
  used_up_.clear();
  const bool full = operations_ >= policy_.operations || operation_bytes_ >= policy_.bytes;
  if (full || outcome_->has_failed()) commit();
  return sequence;
}

void Stream::wait_for_some() {
  std::unique_lock lock(completion_);
  completed_.wait(lock, [&] { return in_flight_ < policy_.in_flight; });
}

void Stream::flush() {
  const std::lock_guard lock(recording_);
  commit();
}

void Stream::commit() {
  operations_ = 0;
  operation_bytes_ = 0;
  const uint64_t last = progress_->enqueued.load(std::memory_order_relaxed);
  const std::shared_ptr<Batch> batch = std::exchange(batch_, nullptr);
  const seam::Ref<seam::CommandBuffer> commands = std::exchange(commands_, nullptr);
  const bool drops = outcome_->has_failed();
  if (batch && drops) raise(*batch);
  {
    const std::lock_guard lock(completion_);
    committed_up_to_ = last;
    if (!batch || drops) {
      if (in_flight_ == 0) complete_up_to(last);
      return;
    }
    ++in_flight_;
  }
  batch->last = last;
  ++committed_;
  start(batch, *commands);
}

// The numbers are given by now, so that what goes wrong here sticks to the stream like what goes
// wrong later; work that never came to the device must not be waited for.
void Stream::start(const std::shared_ptr<Batch>& batch, seam::CommandBuffer& commands) {
  try {
    commands.on_complete([this, batch](seam::State state, const std::string& message) {
      complete(*batch, state, message);
    });
    commands.commit();
  } catch (...) {
    outcome_->fail(std::current_exception(), progress_->completed.load());
    batch->profiled = nullptr;
    batch->callbacks.clear();
    raise(*batch);
    const std::lock_guard lock(completion_);
    if (--in_flight_ == 0) complete_up_to(committed_up_to_);
    completed_.notify_all();
  }
}

// With completion_ held.
void Stream::complete_up_to(uint64_t last) {
  progress_->completed.store(last, std::memory_order_release);
  completed_.notify_all();
}

void Stream::raise(Batch& batch) {
  for (const auto& [event, value] : batch.signals) event->signal(value);
  batch.signals.clear();
}

// Throws what has failed.
void Stream::check(Batch& batch, seam::State state, const std::string& message) {
  outcome_->rethrow();
  if (state == seam::State::failed) {
    throw sy::Failure(SY_DEVICE_LOST, SY_REASON_FAULTED, message);
  }
  for (auto& faults : batch.faults) {
    if (const auto fault = faults->read()) throw sy::invalid(*fault);
    fault_records_.give_back(std::move(faults));
  }
  for (const auto& callback : batch.callbacks) callback();
}

void Stream::complete(Batch& batch, seam::State state, const std::string& message) {
  const seam::Ref<seam::CommandBuffer> profiled = std::exchange(batch.profiled, nullptr);
  try {
    check(batch, state, message);
  } catch (...) {
    outcome_->fail(std::current_exception(), progress_->completed.load());
  }
  if (profiled && state == seam::State::completed) {
    profile_->add(profiled->interval(), batch.sections, profiled->sections());
  }
  batch.callbacks.clear();
  raise(batch);
  const std::lock_guard lock(completion_);
  --in_flight_;
  // Numbers after the batch's need no commands, or lost them.
  complete_up_to(in_flight_ == 0 ? committed_up_to_ : batch.last);
}

void Stream::wait(uint64_t sequence) {
  const uint64_t enqueued = progress_->enqueued.load(std::memory_order_acquire);
  if (sequence > enqueued) {
    throw sy::invalid("waits for ", sequence, ", but the stream's last number is ", enqueued);
  }
  if (!progress_->has_completed(sequence)) flush();
  {
    std::unique_lock lock(completion_);
    completed_.wait(lock, [&] { return progress_->has_completed(sequence); });
  }
  if (outcome_->has_failed()) let_queue_go();
  outcome_->rethrow(sequence);
}

// A queue is a thread with its stacks on the software device, and one of few on Metal.
void Stream::let_queue_go() {
  seam::Ref<seam::Queue> queue;  // ends after the locks
  const std::lock_guard lock(recording_);
  commit();
  const std::lock_guard completing(completion_);
  if (in_flight_ == 0) queue_.swap(queue);
}

void Stream::settle() {
  {
    const std::unique_lock recording(recording_, std::try_to_lock);
    if (recording.owns_lock()) commit();
  }
  std::unique_lock lock(completion_);
  completed_.wait(lock, [&] { return in_flight_ == 0; });
}

// Not by the device: who waits must find the callbacks called and a failure told.
void Stream::signal(const seam::Ref<seam::Event>& event, uint64_t value) {
  limit_in_flight();
  const std::lock_guard lock(recording_);
  open_batch().signals.emplace_back(event, value);
  if (outcome_->has_failed()) commit();
}

void Stream::wait_for(const seam::Ref<seam::Event>& event, uint64_t value,
                      const std::shared_ptr<const Outcome>& producer) {
  limit_in_flight();
  const std::lock_guard lock(recording_);
  take_turn();
  if (!queue_) return;
  commands().wait(event, value);
  afterwards([producer] { producer->rethrow(); });
}

}  // namespace mps
