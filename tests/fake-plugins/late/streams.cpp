#include <algorithm>
#include <chrono>
#include <exception>

#include "kernels.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"

namespace late {
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

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device& device = object(args->device);
    auto stream = std::make_unique<Stream>();
    stream->device = &device;
    stream->dice.seed(device.settings.seed * 31 + next_id());
    sy_create_stream_args inner{sizeof(inner), 0, nullptr, device.inner, nullptr, nullptr};
    if (kernels().create_stream(&inner, error) != SY_OK) throw sy::bug("the kernels' stream");
    stream->inner = inner.stream;
    stream->state = std::make_shared<sy::StreamState>(static_cast<size_t>(device.settings.batch));
    stream->worker = std::thread([state = stream->state] { state->work_off(); });
    args->completed = device.settings.shows_counter ? stream->state->counter() : nullptr;
    args->stream = reinterpret_cast<sy_stream>(stream.release());
  });
}

sy_status destroy_stream(sy_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::unique_ptr<Stream> stream(&object(args->stream));
    stream->state->close();
    stream->worker.join();
    const std::lock_guard lock(everything());
    forget_home(*stream->device, *stream);
    sy_stream_args inner{sizeof(inner), 0, nullptr, stream->inner};
    kernels().destroy_stream(&inner, error);
  });
}

sy_status flush(sy_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] { object(args->stream).state->flush(); });
}

sy_status completed(sy_completed_args* args, sy_error* error) {
  return sy::guard(error, [&] { args->sequence = object(args->stream).state->completed(); });
}

sy_status wait(sy_wait_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Stream& stream = object(args->stream);
    if (stream.device->happens(stream.device->settings.waits)) {
      throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "fails to wait, as asked for");
    }
    sy_error failure = {};
    if (stream.state->wait(args->sequence, failure)) sy::throw_failure(failure);
  });
}

}  // namespace

namespace {

// What fails is the call's own failure, and none of the stream's.
uint64_t carry_out_at_once(Stream& stream, const std::function<void()>& work) {
  std::exception_ptr failure;
  stream.last = stream.state->enqueue([&] {
    dawdle(stream);
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    stream.overwrites.finish_number();
  });
  sy_error none = {};
  stream.state->wait(stream.last, none);
  if (failure) std::rethrow_exception(failure);
  return stream.last;
}

}  // namespace

uint64_t enqueue(Stream& stream, std::function<void()> work) {
  if (stream.device->settings.synchronous) return carry_out_at_once(stream, work);
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

}  // namespace late
