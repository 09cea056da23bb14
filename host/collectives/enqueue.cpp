// How a group reaches its plugin: one call, which takes the next number of each stream.
#include <fmt/format.h>
#include <switchyard/collectives.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <switchyard/error.hpp>
#include <utility>

#include "autograd/record.hpp"
#include "collectives/collective.hpp"
#include "collectives/communicator_state.hpp"
#include "device/open_device.hpp"
#include "device/status.hpp"
#include "plugin_loader/plugin_api.hpp"
#include "tensor/overlap.hpp"
#include "tensor/placement.hpp"

namespace switchyard {
namespace {

constexpr std::string_view kEnqueue = "enqueue of collectives";

/// A collective with the tensors that the plugin gets, which are contiguous.
struct Enqueued {
  Collective called;
  OpenStream* stream;
  TensorRef input, output;
  std::uint64_t sequence = 0;
};

std::uint64_t bytes_of(const Collective& collective, const TensorRef& tensor) {
  return byte_size(tensor->dtype, static_cast<std::int64_t>(collective.count));
}

/// Whether the plugin may have input and output where they lie, although they share memory.
bool is_in_place(const Collective& called) {
  const TensorRef &input = called.input, &output = called.output;
  if (!input->contiguous || !output->contiguous) return false;
  if (input->storage.get() != output->storage.get()) return false;
  const std::int64_t own =
      static_cast<std::int64_t>(called.communicator->rank * bytes_of(called, input));
  const std::int64_t distance = input->offset_bytes - output->offset_bytes;
  if (called.kind == SY_ALL_GATHER) return distance == own;
  if (called.kind == SY_REDUCE_SCATTER) return distance == -own;
  return distance == 0;
}

Enqueued prepared(Collective called) {
  OpenDevice& device = *called.communicator->device;
  Enqueued made{std::move(called), &device.stream(), {}, {}};
  const TensorRef &input = made.called.input, &output = made.called.output;
  if (output) {
    made.output =
        output->contiguous ? output : make_device_tensor(device, output->dtype, output->shape);
  }
  if (input) {
    CopyCount count;
    const bool is_overwritten = output && share_memory(input, output) && !is_in_place(made.called);
    made.input = is_overwritten ? copy_to(device, input, count) : make_contiguous(input);
  }
  return made;
}

bool is_written_by(const Collective& one, const Collective& other) {
  if (!one.output) return false;
  return (other.output && share_memory(one.output, other.output)) ||
         (other.input && share_memory(one.output, other.input));
}

void check_group(const std::vector<Collective>& group) {
  const Plugin& plugin = group[0].communicator->device->plugin();
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i].communicator->require_alive(group[i].function);
    if (&group[i].communicator->device->plugin() != &plugin) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("[{}] the group has a communicator of {} and one of {}; a group is of "
                      "one plugin",
                      group[i].function, group[0].communicator->device->name(),
                      group[i].communicator->device->name()));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_written_by(group[i], group[j]) && !is_written_by(group[j], group[i])) continue;
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] collectives {} and {} of the group touch the same elements, "
                              "which one of them writes, and have no order; put them into two "
                              "groups",
                              group[i].function, j, i));
    }
  }
}

/// Without doubles, in one order for all threads, so that none waits for another in a circle.
template <typename T>
std::vector<T*> in_order(std::vector<T*> objects) {
  std::sort(objects.begin(), objects.end(), std::less<T*>());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  return objects;
}

/// The turns of all communicators of a group.
class Turns {
 public:
  explicit Turns(std::vector<Communicator::State*> communicators)
      : communicators_(std::move(communicators)) {
    for (Communicator::State* communicator : communicators_) communicator->turn.lock();
  }
  ~Turns() {
    for (Communicator::State* communicator : communicators_) communicator->turn.unlock();
  }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

 private:
  const std::vector<Communicator::State*> communicators_;
};

void order_before(const std::vector<Enqueued>& group) {
  for (const Enqueued& one : group) {
    if (one.stream->synchronous()) continue;
    if (one.input && one.input->storage) one.input->storage->order_before_read(*one.stream);
    if (one.output && one.output->storage) one.output->storage->order_before_write(*one.stream);
    one.called.communicator->uses.order_after_all(*one.stream);
  }
}

/// That a collective failed is told by its outputs: the communicator's next need not.
void record(const std::vector<Enqueued>& group) {
  for (const Enqueued& one : group) {
    if (one.stream->synchronous()) continue;
    if (one.input && one.input->storage) one.input->storage->record_read(*one.stream, one.sequence);
    if (one.output && one.output->storage) {
      one.output->storage->record_write(*one.stream, one.sequence);
    }
    one.called.communicator->uses.record_read(*one.stream, one.sequence);
  }
}

void set_region(const TensorRef& tensor, sy_storage& storage, std::uint64_t& offset_bytes) {
  if (!tensor || !tensor->storage || tensor->size_bytes() == 0) return;
  storage = tensor->storage->handle();
  offset_bytes = static_cast<std::uint64_t>(tensor->offset_bytes);
}

sy_collective as_plugin_sees(const Enqueued& one) {
  const TensorRef& either = one.output ? one.output : one.input;
  sy_collective made{};
  made.struct_size = sizeof(made);
  made.kind = one.called.kind;
  made.communicator = one.called.communicator->handle;
  made.stream = one.stream->handle();
  made.dtype = static_cast<sy_dtype>(either->dtype);
  made.reduction = one.called.reduction;
  made.count = one.called.count;
  made.peer = one.called.peer;
  set_region(one.input, made.input, made.input_offset_bytes);
  set_region(one.output, made.output, made.output_offset_bytes);
  return made;
}

/// The one call, with the turns of all streams from `next` on.
class GroupCall {
 public:
  explicit GroupCall(std::vector<Enqueued>& group) : group_(group) {
    std::vector<OpenStream*> streams;
    for (const Enqueued& one : group) {
      streams.push_back(one.stream);
      given_.push_back(as_plugin_sees(one));
    }
    streams_ = in_order(std::move(streams));
  }

  void make() { with_turns_from(0); }

 private:
  void with_turns_from(std::size_t next) {
    if (next == streams_.size()) return call();
    OpenStream& stream = *streams_[next];
    const std::uint64_t accepted = stream.enqueue(kEnqueue, [&] {
      with_turns_from(next + 1);
      return number_on(stream);
    });
    for (Enqueued& one : group_) {
      if (one.stream == &stream) one.sequence = accepted;
    }
  }

  void call() {
    const Communicator::State& first = *group_[0].called.communicator;
    sy_enqueue_collectives_args args{};
    args.struct_size = sizeof(args);
    args.count = static_cast<std::uint32_t>(given_.size());
    args.collectives = given_.data();
    const PluginFunction enqueue(first.collectives.enqueue, "enqueue", &first.device->calls());
    if (!names_several_devices()) return first.device->call(enqueue, args, kEnqueue);
    // Which of them failed the status does not say: a lost one is told of by its listener.
    PluginError error;
    const sy_status status = first.device->try_call(enqueue, args, error);
    if (status != SY_OK) check(status, error, first.device->name(), kEnqueue);
  }

  bool names_several_devices() const {
    const OpenDevice* const first = group_[0].called.communicator->device.get();
    return std::any_of(group_.begin(), group_.end(), [&](const Enqueued& one) {
      return one.called.communicator->device.get() != first;
    });
  }

  std::uint64_t number_on(OpenStream& stream) const {
    std::size_t first = 0;
    while (group_[first].stream != &stream) ++first;
    const std::uint64_t sequence = given_[first].sequence;
    if (!stream.synchronous()) stream.note(sequence, group_[first].called.function, "");
    return sequence;
  }

  std::vector<Enqueued>& group_;
  std::vector<sy_collective> given_;
  std::vector<OpenStream*> streams_;
};

/// What was written into memory of the group's own goes where the program wants it.
void write_back(const std::vector<Enqueued>& group) {
  std::vector<Tensor> written;
  for (const Enqueued& one : group) {
    const TensorRef& output = one.called.output;
    if (!output) continue;
    CopyCount count;
    if (one.output.get() != output.get()) copy_over(one.output, output, count);
    if (output->storage) output->storage->count_write();
    written.push_back(Tensor::adopt(TensorRef(output).release()));
  }
  clear_history(written);
}

}  // namespace

void enqueue_collectives(std::vector<Collective> called) {
  check_group(called);
  std::vector<Enqueued> group;
  for (Collective& collective : called) group.push_back(prepared(std::move(collective)));
  std::vector<Communicator::State*> communicators;
  for (const Enqueued& one : group) communicators.push_back(one.called.communicator.get());
  {
    const Turns turns(in_order(std::move(communicators)));
    order_before(group);
    GroupCall(group).make();
    record(group);
  }
  write_back(group);
}

}  // namespace switchyard
