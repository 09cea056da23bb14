#include "call.hpp"
#include "host_memory.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "tensors.hpp"

namespace validation {
namespace {

// One side: as the plugin gets it, and the storage, if it lies in one.
struct Side {
  sy_region region = {};
  std::shared_ptr<Storage> storage;
  Elements elements;
  std::shared_ptr<Storage> block = nullptr;  // of host memory that the device knows
  bool is_in_bounds = true;
};

std::shared_ptr<Device> owner_of(Call& call, const std::shared_ptr<Device>& device,
                                 const sy_region& region) {
  if (region.kind != SY_REGION_PEER) {
    if (region.peer != nullptr) {
      call.violation(Rule::copy, "a region that is no peer's names a peer");
    }
    return device;
  }
  if (!device->is(SY_DEVICE_PEER_COPY)) {
    call.violation(Rule::copy, "the device does not reach its peers");
  }
  return call.find(region.peer, "peer");
}

Side look_up(Call& call, const std::shared_ptr<Device>& device, const sy_copy_args& args,
             const sy_region& region, const char* which) {
  Side side{copy_of(region),
            nullptr,
            {args.dtype, sy::Extents(args.shape, args.rank), region.strides, region.offset_bytes}};
  if (region.kind == SY_REGION_HOST) {
    if (region.handle == 0 && !side.elements.is_empty()) {
      call.violation(Rule::copy, "the host's pointer of the ", which, " is null");
      call.stop();
    }
    const auto first = static_cast<uint64_t>(side.elements.first());
    side.block = host_block_at(*device, region.handle + first);
    return side;
  }
  if (region.kind != SY_REGION_STORAGE && region.kind != SY_REGION_PEER) {
    call.violation(Rule::copy, "the ", which, " is of kind ", region.kind, ", which there is not");
    call.stop();
    return side;
  }
  const auto owner = owner_of(call, device, region);
  if (!owner) return side;
  if (region.kind == SY_REGION_PEER) side.region.peer = owner->inner;
  side.storage = call.find(*owner, region.handle);
  if (!side.storage) return side;
  side.region.handle = side.storage->inner;
  side.is_in_bounds = check_place(call, std::string("the ") + which, *side.storage, side.elements);
  return side;
}

void check_sides(Call& call, const Side& source, const Side& destination) {
  if (source.region.kind == SY_REGION_HOST && destination.region.kind == SY_REGION_HOST) {
    call.violation(Rule::copy, "from the host to the host");
  }
  if (!destination.is_in_bounds) return;
  if (overlap_themselves(destination.elements)) {
    call.violation(Rule::copy, "several elements go to one place");
  }
  if (source.storage && source.storage == destination.storage &&
      touch_same_bytes(source.elements, destination.elements)) {
    call.violation(Rule::overlap, "the sides overlap in storage ", source.storage->id);
  }
}

std::vector<StorageUse> uses_of(const Side& source, const Side& destination) {
  std::vector<StorageUse> uses;
  if (source.elements.is_empty()) return uses;  // no byte is touched
  if (source.storage) uses.push_back({source.storage, Access::read});
  if (destination.storage) uses.push_back({destination.storage, Access::write});
  // What is copied to and from a block at once is not told apart: it is noted alone.
  if (source.block) uses.push_back({source.block, Access::read});
  if (destination.block) uses.push_back({destination.block, Access::read});
  return uses;
}

}  // namespace

sy_status copy(Plugin& plugin, sy_copy_args* args, sy_error* error) {
  Call call(plugin, "copy", *args, error);
  const auto device = call.find(args->device);
  const auto stream = call.find(args->stream);
  if (stream) call.drive(stream);
  if (device && stream) call.check_owner(*stream, *device, "stream");
  if (!call.check_given(args->source, "the source") ||
      !call.check_given(args->destination, "the destination")) {
    return call.refuse();
  }
  if (!check_form(call, "the source", args->dtype, args->rank, args->shape,
                  args->source->strides) ||
      !check_form(call, "the destination", args->dtype, args->rank, args->shape,
                  args->destination->strides)) {
    call.stop();
  }
  if (!call.may_pass()) return call.refuse();
  const Side source = look_up(call, device, *args, *args->source, "source");
  const Side destination = look_up(call, device, *args, *args->destination, "destination");
  if (!call.may_pass()) return call.refuse();
  check_sides(call, source, destination);
  Work work(call, stream, uses_of(source, destination));
  if (!call.may_pass()) return call.refuse();
  sy_copy_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.stream = stream->inner;
  inner.source = &source.region;
  inner.destination = &destination.region;
  const sy_status status = call.pass_on(plugin.inner.copy, inner);
  args->sequence = inner.sequence;
  if (status == SY_OK) work.enqueued(inner.sequence);
  return status;
}

}  // namespace validation
