#include <algorithm>
#include <chrono>

#include "kernels.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"
#include "turn.hpp"
#include "violations.hpp"

namespace checking {

Turn::Turn(Stream& stream, const char* call) : stream_(stream) {
  const char* other = stream.caller.exchange(call);
  if (other != nullptr) violation(call, ": ", other, " drives stream ", stream.id, " as well");
}

namespace {

// Now and then nothing, a turn for others, or a real pause.
void dawdle(Stream& stream) {
  const int64_t longest = stream.device->settings.delay_microseconds;
  if (longest == 0) return;
  const uint64_t die = stream.dice();
  if (die % 4 == 0) return;
  if (die % 4 == 1) return std::this_thread::yield();
  const auto pause = static_cast<int64_t>(die >> 8U) % longest;
  std::this_thread::sleep_for(std::chrono::microseconds(std::max<int64_t>(pause, 0)));
}

uint32_t next_id() {
  static uint32_t last = 0;
  return ++last;
}

Stream& stream_at(sy_stream handle, const char* call) {
  const std::lock_guard lock(everything());
  Stream* stream = find(handle, call);
  if (stream == nullptr) throw sy::invalid("no stream");
  return *stream;
}

void see(Stream& stream, uint64_t sequence) {
  const std::lock_guard lock(everything());
  stream.seen = std::max(stream.seen, sequence);
}

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "create_stream");
    if (device == nullptr) throw sy::invalid("no device");
    auto stream = std::make_unique<Stream>();
    stream->device = device;
    stream->id = next_id();
    stream->dice.seed(device->settings.seed * 31 + stream->id);
    sy_create_stream_args inner{sizeof(inner), 0, nullptr, device->inner, nullptr, nullptr};
    if (kernels().create_stream(&inner, error) != SY_OK) throw sy::bug("the kernels' stream");
    stream->inner = inner.stream;
    stream->state = std::make_shared<sy::StreamState>(static_cast<size_t>(device->settings.batch));
    stream->worker = std::thread([state = stream->state] { state->work_off(); });
    ++device->streams;
    args->completed = device->settings.shows_counter ? stream->state->counter() : nullptr;
    args->stream = keep(std::move(stream));
  });
}

sy_status destroy_stream(sy_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_at(args->stream, "destroy_stream");
    if (stream.is_destroyed) return;
    const Turn turn(stream, "destroy_stream");
    stream.state->close();
    stream.worker.join();
    const std::lock_guard lock(everything());
    stream.seen = stream.last;
    stream.is_destroyed = true;
    --stream.device->streams;
    sy_stream_args inner{sizeof(inner), 0, nullptr, stream.inner};
    kernels().destroy_stream(&inner, error);
  });
}

sy_status flush(sy_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_at(args->stream, "flush");
    const Turn turn(stream, "flush");
    stream.state->flush();
  });
}

sy_status completed(sy_completed_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_at(args->stream, "completed");
    args->sequence = stream.state->completed();
    see(stream, args->sequence);
  });
}

sy_status wait(sy_wait_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_at(args->stream, "wait");
    if (args->sequence > stream.state->enqueued()) {
      violation("wait: for number ", args->sequence, " of stream ", stream.id, ", which has had ",
                stream.state->enqueued());
      return;
    }
    if (stream.device->happens(stream.device->settings.waits)) {
      throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "fails to wait, as asked for");
    }
    sy_error failure = {};
    const bool failed = stream.state->wait(args->sequence, failure);
    see(stream, args->sequence);
    if (failed) sy::throw_failure(failure);
  });
}

}  // namespace

uint64_t enqueue(Stream& stream, std::function<void()> work) {
  const bool fails = stream.device->happens(stream.device->settings.late);
  stream.last = stream.state->enqueue([&stream, fails, work = std::move(work)] {
    dawdle(stream);
    if (fails) throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "fails late, as asked for");
    work();
    stream.overwrites.finish_number();
  });
  return stream.last;
}

void set_stream_slots(sy_plugin& table) {
  table.create_stream = create_stream;
  table.destroy_stream = destroy_stream;
  table.flush = flush;
  table.completed = completed;
  table.wait = wait;
}

}  // namespace checking
