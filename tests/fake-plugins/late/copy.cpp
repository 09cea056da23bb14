#include "switchyard/plugin/copy.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"

namespace late {
namespace {

char* locate(const sy_region& region) {
  char* start = region.kind == SY_REGION_HOST ? reinterpret_cast<char*>(region.handle)
                                              : find(region.handle).bytes;
  return start + region.offset_bytes;
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device& device = object(args->device);
    if (device.happens(device.settings.transient)) {
      throw sy::Failure(SY_TRANSIENT, SY_REASON_NONE, "copy fails, as asked for");
    }
    const char* source = locate(*args->source);
    char* destination = locate(*args->destination);
    const sy::Dimensions shape(sy::Extents(args->shape, args->rank));
    const sy::Dimensions from = sy::strides_or_contiguous(shape, args->source->strides);
    const sy::Dimensions to = sy::strides_or_contiguous(shape, args->destination->strides);
    args->sequence = enqueue(object(args->stream), [=, dtype = args->dtype] {
      sy::copy_elements(dtype, shape, source, from.data.data(), destination, to.data.data());
    });
  });
}

}  // namespace

void set_copy_slot(sy_plugin& table) { table.copy = copy; }

}  // namespace late
