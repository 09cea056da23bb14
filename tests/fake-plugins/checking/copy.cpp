#include "switchyard/plugin/copy.hpp"
#include "bounds.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "turn.hpp"
#include "violations.hpp"

namespace checking {
namespace {

// One side of a copy: where its elements lie, and in which storage, if in one.
struct Side {
  char* start = nullptr;
  Storage* storage = nullptr;
};

Side locate(Device& device, const sy_copy_args& args, const sy_region& region) {
  const sy::Extents shape(args.shape, args.rank);
  if (region.kind == SY_REGION_HOST) {
    if (region.handle == 0 && sy::element_count(shape) != 0) violation("copy: null host pointer");
    return {reinterpret_cast<char*>(region.handle) + region.offset_bytes, nullptr};
  }
  Device* owner = region.kind == SY_REGION_PEER ? find(region.peer, "copy") : &device;
  Storage* storage = owner == nullptr ? nullptr : find(*owner, region.handle, "copy");
  if (storage == nullptr) throw sy::invalid("no storage ", region.handle);
  if (storage->mappings != 0) violation("copy: storage ", storage->id, " is mapped");
  check_bounds(*storage, {args.dtype, shape, region.strides, region.offset_bytes}, "copy");
  return {storage->bytes + region.offset_bytes, storage};
}

void check_sides(const sy_copy_args& args, const Side& source, const Side& destination) {
  const sy::Extents shape(args.shape, args.rank);
  if (source.storage == nullptr && destination.storage == nullptr) {
    violation("copy: from the host to the host");
  }
  if (sy::element_count(shape) > 1 && args.destination->strides != nullptr) {
    for (uint32_t i = 0; i < args.rank; ++i) {
      if (shape[i] > 1 && args.destination->strides[i] == 0) {
        violation("copy: several elements to one position");
      }
    }
  }
  const Elements read{args.dtype, shape, args.source->strides, args.source->offset_bytes};
  const Elements written{args.dtype, shape, args.destination->strides,
                         args.destination->offset_bytes};
  if (source.storage == destination.storage && source.storage != nullptr &&
      touch_same_bytes(read, written)) {
    violation("copy: the sides overlap");
  }
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "copy");
    Stream* stream = find(args->stream, "copy");
    if (device == nullptr || stream == nullptr) throw sy::invalid("no such handle");
    if (stream->device != device) violation("copy: on another device's stream");
    const Turn turn(*stream, "copy");
    if (device->happens(device->settings.transient)) {
      throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "copy fails, as asked for");
    }
    const Side source = locate(*device, *args, *args->source);
    const Side destination = locate(*device, *args, *args->destination);
    check_sides(*args, source, destination);
    const sy::Dimensions shape(sy::Extents(args->shape, args->rank));
    const sy::Dimensions from = sy::strides_or_contiguous(shape, args->source->strides);
    const sy::Dimensions to = sy::strides_or_contiguous(shape, args->destination->strides);
    args->sequence = enqueue(*stream, [=, dtype = args->dtype] {
      sy::copy_elements(dtype, shape, source.start, from.data.data(), destination.start,
                        to.data.data());
    });
    if (source.storage != nullptr) {
      note_use(*stream, args->sequence, *source.storage, Access::read, "a copy");
    }
    if (destination.storage != nullptr) {
      note_use(*stream, args->sequence, *destination.storage, Access::write, "a copy");
    }
  });
}

}  // namespace

void set_copy_slot(sy_plugin& table) { table.copy = copy; }

}  // namespace checking
