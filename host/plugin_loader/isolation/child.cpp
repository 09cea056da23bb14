#include "plugin_loader/isolation/child.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "plugin_loader/isolation/deliveries.hpp"
#include "plugin_loader/isolation/handshake.hpp"
#include "plugin_loader/isolation/refuse.hpp"

namespace switchyard::isolation {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // how often a sleeper looks whether all is well

/// The process has ended during a call.
class Ended : public std::exception {};

/// It had ended before.
class HasEnded : public std::exception {};

std::string what_it_did(Call call, const CallContext& context) {
  return context.subject.empty() ? std::string(doing(call))
                                 : fmt::format("{} {}", doing(call), context.subject);
}

Hello hello_of(const Arena& arena) {
  Hello hello;
  std::strncpy(hello.version, SWITCHYARD_VERSION, sizeof(hello.version) - 1);
  hello.memory_address = reinterpret_cast<std::uint64_t>(arena.memory().begin());
  hello.memory_bytes = arena.memory().bytes();
  return hello;
}

}  // namespace

Child::Child(Arena& arena, ChildTerms terms) : arena_(arena), terms_(std::move(terms)) {
  process_ = std::make_unique<ServerProcess>(
      terms_.program,
      [host = terms_.host](std::int32_t level, const std::string& message) {
        host->log(host->context, level, message.c_str());
      },
      [this] {
        const std::lock_guard lock(guard_);
        for (const LaneState* lane : lanes_) wake_all(lane->turn);
      });
  const Hello hello = hello_of(arena);
  process_->send(&hello, sizeof(hello), arena.memory().descriptor());
}

Child::~Child() { process_.reset(); }

std::string Child::how_it_ended() const {
  return fmt::format("its process {} {}", process_id(), process_->how_it_ended());
}

void Child::check_is_own() const {
  if (!is_anothers()) return;
  throw StaleHandle(
      "it is served by a process of this one's parent; a child of fork() has to call exec before "
      "it uses isolated devices");
}

std::unique_ptr<HostLane> Child::take_lane() {
  check_is_own();
  if (ended()) throw HasEnded();
  {
    const std::lock_guard lock(guard_);
    if (!free_.empty()) {
      std::unique_ptr<HostLane> lane = std::move(free_.back());
      free_.pop_back();
      return lane;
    }
  }
  auto lane = std::make_unique<HostLane>(arena_);
  {
    const std::lock_guard lock(guard_);
    free_.reserve(lanes_.size() + 1);  // give_lane may not fail
    lanes_.push_back(lane->state());
  }
  const NewLane message{reinterpret_cast<std::uint64_t>(lane->state())};
  process_->send(&message, sizeof(message));
  return lane;
}

// Where a call was given up, for want of memory here, the server still is in the middle of it, and
// would take the next request for an answer to its question.
void Child::give_lane(std::unique_ptr<HostLane> lane) noexcept {
  if (!lane) return;
  if (!lane->is_idle()) process_->end("was left alone in the middle of a call");
  lane->finish();
  const std::lock_guard lock(guard_);
  if (ended())
    std::erase(lanes_, lane->state());
  else
    free_.push_back(std::move(lane));
}

void Child::clean_up() noexcept {
  process_->clean_up();
  const std::lock_guard lock(guard_);
  for (const auto& lane : free_) std::erase(lanes_, lane->state());
  free_.clear();
}

// One limit is for the whole call: a plugin that asks or tells something for ever hangs, too. The
// time that the host takes to answer is not the plugin's.
void Child::converse(HostLane& lane, Call call, const CallContext& context) {
  Clock::time_point began = Clock::now();
  for (;;) {
    await(lane, call, context, began);
    if (lane.handover() == Handover::answer) return;
    const Clock::time_point asked = Clock::now();
    serve(lane, context);
    began += Clock::now() - asked;
    check_time(call, context, began);
  }
}

void Child::await(HostLane& lane, Call call, const CallContext& context, Clock::time_point& began) {
  if (lane.await(spinning_time(), kLook)) return;
  do {
    if (ended()) throw Ended();
    check_time(call, context, began);
  } while (!lane.await(std::chrono::nanoseconds{0}, kLook));
}

void Child::check_time(Call call, const CallContext& context, Clock::time_point& began) {
  const std::chrono::milliseconds limit = context.limit.value_or(terms_.deadline);
  if (limit.count() == 0 || Clock::now() - began < limit) return;
  if (call == Call::wait && makes_progress(context)) {
    began = Clock::now();
    return;
  }
  process_->end(fmt::format("did not answer within {} s while it {}",
                            static_cast<double>(limit.count()) / 1000, what_it_did(call, context)));
  throw Ended();
}

void Child::serve(HostLane& lane, const CallContext& context) {
  switch (lane.handover()) {
    case Handover::answer: return;
    case Handover::allocate: return serve_allocate(lane, context);
    case Handover::write: return serve_write(lane, context);
    case Handover::log: return serve_log(lane);
    case Handover::room: return lane.widen(lane.message().take<std::uint64_t>());
  }
}

// A wait may be for much work: as long as some of it is done within the deadline it may go on.
bool Child::makes_progress(const CallContext& context) noexcept {
  if (context.stream == nullptr) return false;
  const std::uint64_t before = context.stream->completed.load();
  sy_completed_args args{};
  args.struct_size = sizeof(args);
  args.stream = reinterpret_cast<sy_stream>(context.stream);
  const CallContext asking{.stream = context.stream};
  return call(Call::completed, args, nullptr, asking) == SY_OK &&
         context.stream->completed.load() > before;
}

void Child::serve_allocate(HostLane& lane, const CallContext& context) {
  MessageReader message = lane.message();
  AllocateReply reply;
  const auto output = message.take<std::uint32_t>();
  const auto rank = message.take<std::uint32_t>();
  std::array<std::int64_t, SY_MAX_RANK> shape{};
  if (rank > shape.size() || context.allocator == nullptr) {
    reply.status = SY_INVALID;
    return lane.reply(reply);
  }
  for (std::uint32_t axis = 0; axis < rank; ++axis) shape[axis] = message.take<std::int64_t>();
  sy_storage storage = 0;
  reply.status = context.allocator->allocate(context.allocator->context, output, rank, shape.data(),
                                             &storage, &reply.offset_bytes);
  if (reply.status == SY_OK) reply.storage = remote_storage(storage, *this);
  lane.reply(reply);
}

void Child::serve_write(HostLane& lane, const CallContext& context) {
  MessageReader message = lane.message();
  const auto bytes = message.take<std::uint64_t>();
  const auto* const text = reinterpret_cast<const char*>(message.view_array(bytes, 1, 1));
  const sy_writer* const writer = context.writer;
  lane.reply<std::int32_t>(writer == nullptr ? SY_INVALID
                                             : writer->write(writer->context, text, bytes));
}

void Child::serve_log(HostLane& lane) {
  MessageReader message = lane.message();
  const auto level = message.take<std::int32_t>();
  const auto bytes = message.take<std::uint64_t>();
  const auto* const text = reinterpret_cast<const char*>(message.view_array(bytes, 1, 1));
  terms_.host->log(terms_.host->context, level, std::string(text, bytes).c_str());
  lane.reply<std::int32_t>(SY_OK);
}

sy_status Child::read_status(MessageReader& reader, sy_error* error, const CallContext& context) {
  const auto status = reader.take<std::int32_t>();
  const auto completed = reader.take<std::uint64_t>();
  if (context.stream != nullptr) note_told(*context.stream, completed);
  if (status == SY_OK) return SY_OK;
  const auto reason = reader.take<std::int32_t>();
  const auto bytes = reader.take<std::uint64_t>();
  const auto* const text = reinterpret_cast<const char*>(reader.view_array(bytes, 1, 1));
  return refuse(error, status, reason, std::string(text, bytes));
}

void Child::note_lost(const CallContext& context) noexcept {
  told_loss_.store(true, std::memory_order_release);
  if (context.stream != nullptr) abandon(*context.stream);
}

sy_status Child::report(sy_error* error, Call call, const CallContext& context) noexcept try {
  try {
    throw;
  } catch (const Ended&) {
    return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE,
                  process_->was_killed()
                      ? how_it_ended()
                      : fmt::format("{} while it {}", how_it_ended(), what_it_did(call, context)));
  } catch (const HasEnded&) {
    return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE, fmt::format("{} before", how_it_ended()));
  } catch (const StaleHandle& stale) {
    return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE, stale.what());
  } catch (const NotCarried& refusal) {
    return refuse(
        error, SY_UNSUPPORTED, SY_REASON_CONFIG,
        fmt::format("{} (plugins.{}.isolation = \"process\")", refusal.what(), terms_.plugin));
  } catch (const BadMessage& bad) {
    process_->end(fmt::format("sent what makes no sense while it {}: {}",
                              what_it_did(call, context), bad.what()));
    return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE, how_it_ended());
  } catch (const std::bad_alloc&) {
    return refuse(error, SY_OUT_OF_MEMORY, SY_REASON_NONE,
                  "no memory is left to share with the process that serves it");
  } catch (const std::exception& other) {
    return refuse(error, SY_BUG, SY_REASON_NONE, other.what());
  }
} catch (...) {
  return SY_DEVICE_LOST;
}

}  // namespace switchyard::isolation
