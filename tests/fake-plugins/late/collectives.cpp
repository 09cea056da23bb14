// The extension of collectives.h, by the ranks of ../collectives, which meet in shared memory.
#include <switchyard/collectives.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../collectives/elements.hpp"
#include "../collectives/group.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace late {
namespace {

using collective::Group;
using collective::Id;
using collective::Meeting;

struct Communicator {
  Device* device;
  std::shared_ptr<Meeting> meeting;
};

Communicator& object(sy_communicator handle) { return *reinterpret_cast<Communicator*>(handle); }

// Elements of arrays that the callee writes to.
template <typename Struct>
Struct& element(Struct* array, uint32_t index) {
  return const_cast<Struct&>(*SY_AT(Struct, array, index));
}

sy_status make_id(sy_communicator_id_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Id id = collective::new_id();
    std::copy(id.begin(), id.end(), args->id);
  });
}

sy_status create(sy_create_communicator_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Id id;
    std::copy(std::begin(args->id), std::end(args->id), id.begin());
    const std::chrono::milliseconds timeout(args->timeout_milliseconds);
    std::vector<std::unique_ptr<Communicator>> made;
    for (uint32_t i = 0; i < args->count; ++i) {
      const sy_communicator_rank& asked = element(args->ranks, i);
      auto meeting = std::make_shared<Meeting>(id, asked.rank, args->rank_count, timeout);
      made.push_back(std::make_unique<Communicator>(
          Communicator{&late::object(asked.device), std::move(meeting)}));
    }
    for (const auto& communicator : made) communicator->meeting->wait_for_all();
    for (uint32_t i = 0; i < args->count; ++i) {
      element(args->ranks, i).communicator = reinterpret_cast<sy_communicator>(made[i].release());
    }
  });
}

sy_status destroy(sy_communicator_args* args, sy_error*) {
  delete &object(args->communicator);
  return SY_OK;
}

sy_status abort(sy_communicator_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Meeting& meeting = *object(args->communicator).meeting;
    meeting.fail(SY_PEER_LOST, collective::rank_text(meeting.rank()) + " was aborted");
  });
}

sy_status check(sy_communicator_args* args, sy_error* error) {
  return sy::guard(error, [&] { object(args->communicator).meeting->check(); });
}

bool is_reducing(sy_collective_kind kind) {
  return kind == SY_ALL_REDUCE || kind == SY_REDUCE_SCATTER;
}

void check_types(const sy_collective& given) {
  if (given.kind < SY_ALL_REDUCE || given.kind > SY_RECEIVE) {
    throw sy::unsupported(SY_REASON_OP, "no collective of kind ", given.kind);
  }
  if (is_reducing(given.kind) == (given.reduction == SY_REDUCE_NONE)) {
    throw sy::invalid("a reduction is for ALL_REDUCE and REDUCE_SCATTER, and these have one");
  }
  const uint32_t bits = sy::dtype_bits(given.dtype);
  const uint64_t taken = collective::dtypes_of(given.reduction);
  if (bits == 0 || (taken & SY_DTYPE_BIT(given.dtype)) == 0) {
    throw sy::unsupported(SY_REASON_DTYPE, "no such collective of ", sy::dtype_name(given.dtype));
  }
}

void check_peer(const sy_collective& given, const Meeting& meeting) {
  const bool is_between_two = given.kind == SY_SEND || given.kind == SY_RECEIVE;
  if (!is_between_two && given.kind != SY_BROADCAST) return;
  if (given.peer >= meeting.count()) {
    throw sy::invalid("rank ", given.peer, " of ", meeting.count(), ", which count from 0");
  }
  if (is_between_two && given.peer == meeting.rank()) {
    throw sy::invalid("rank ", given.peer, " sends to itself, or receives from there");
  }
}

char* locate(sy_storage storage, uint64_t offset) {
  return storage == 0 ? nullptr : find(storage).bytes + offset;
}

// The caller holds everything().
collective::Task task_of(const sy_collective& given) {
  check_types(given);
  const Communicator& communicator = object(given.communicator);
  const std::shared_ptr<Meeting>& meeting = communicator.meeting;
  meeting->check();
  check_peer(given, *meeting);
  if (late::object(given.stream).device != communicator.device) {
    throw sy::invalid("the stream is not of the communicator's device");
  }
  const collective::Call call{given.kind, given.dtype, given.reduction,
                              given.kind == SY_BROADCAST ? given.peer : 0, given.count};
  return {meeting, call, given.peer, locate(given.input, given.input_offset_bytes),
          locate(given.output, given.output_offset_bytes)};
}

// The part of a group that one stream carries out. On synchronous devices they are one: no stream's
// part would wait for another's to begin.
struct Part {
  Stream* stream;
  std::shared_ptr<Group> group;
  uint64_t sequence = 0;
};

// The caller holds everything().
std::vector<Part> parts_of(const sy_enqueue_collectives_args& args, bool are_one) {
  // All are checked before there is a group, which fails what it does not carry out.
  std::vector<collective::Task> tasks;
  for (uint32_t i = 0; i < args.count; ++i) tasks.push_back(task_of(element(args.collectives, i)));
  std::vector<Part> parts;
  for (uint32_t i = 0; i < args.count; ++i) {
    Stream* stream = &late::object(element(args.collectives, i).stream);
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const Part& known) { return known.stream == stream; });
    if (part == parts.end()) {
      const bool joins = are_one && !parts.empty();
      auto group = joins ? parts.front().group : std::make_shared<Group>();
      part = parts.insert(part, {stream, std::move(group)});
    }
    part->group->add(std::move(tasks[i]));
  }
  return parts;
}

// Other callers get on meanwhile.
void carry_out_now(std::vector<Part>& parts, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  parts.front().group->carry_out();
  lock.lock();
  for (Part& part : parts) part.sequence = enqueue(*part.stream, [] {});
}

void enqueue_parts(std::vector<Part>& parts) {
  for (Part& part : parts) {
    part.sequence = enqueue(*part.stream, [group = part.group] { group->carry_out(); });
    part.stream->state->flush();
  }
}

sy_status enqueue_collectives(sy_enqueue_collectives_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    const Device& device = *late::object(element(args->collectives, 0).stream).device;
    std::vector<Part> parts = parts_of(*args, device.settings.synchronous);
    if (device.settings.synchronous) {
      carry_out_now(parts, lock);
    } else {
      enqueue_parts(parts);
    }
    for (uint32_t i = 0; i < args->count; ++i) {
      sy_collective& given = element(args->collectives, i);
      for (const Part& part : parts) {
        if (part.stream == &late::object(given.stream)) given.sequence = part.sequence;
      }
    }
  });
}

sy_collectives make_extension() {
  sy_collectives made = {};
  made.link = {sizeof(made), SY_EXTENSION_COLLECTIVES, nullptr};
  made.flags = SY_COLLECTIVES_ACROSS_PROCESSES;
  made.max_ranks = Meeting::most_ranks;
  made.moved_dtypes = collective::dtypes_of(SY_REDUCE_NONE);
  for (sy_reduction reduction = SY_REDUCE_SUM; reduction <= SY_REDUCE_AVERAGE; ++reduction) {
    made.reduced_dtypes[reduction] = collective::dtypes_of(reduction);
  }
  made.make_id = make_id;
  made.create = create;
  made.destroy = destroy;
  made.abort = abort;
  made.check = check;
  made.enqueue = enqueue_collectives;
  return made;
}

}  // namespace

void set_collectives(sy_plugin& table) {
  static const sy_collectives extension = make_extension();
  table.extensions = &extension.link;
}

}  // namespace late
