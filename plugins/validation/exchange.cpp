// Memory from outside, and storages shown to others.
#include <algorithm>

#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "storages.hpp"

namespace validation {
namespace {

void check_import(Call& call, const Device& device, const sy_import_args& args) {
  const bool is_host = args.kind == SY_EXTERNAL_HOST;
  if (!is_host && args.kind != SY_EXTERNAL_DEVICE) {
    call.violation(Rule::import, "of kind ", args.kind, ", which there is not");
  }
  if (is_host && !device.is(SY_DEVICE_IMPORTS_HOST_MEMORY)) {
    call.violation(Rule::import, "the device does not import host memory");
  }
  if ((args.ready_event != 0) != (args.stream != nullptr)) {
    call.violation(Rule::import, "an event needs a stream that waits for it, and no event none");
  }
  if (args.pointer == nullptr || args.size_bytes == 0) {
    call.violation(Rule::import, "there are no bytes to import");
  }
}

// The event, as if it were the only number of a stream: later work of the one that waits knows it
// to be over, and so does what comes after that work.
std::shared_ptr<Stream> event_before(Stream& waiting) {
  auto event = std::make_shared<Stream>();
  event->device = waiting.device;
  event->last = 1;
  order_after(waiting, {{event, 1}});
  return event;
}

// What the storage holds is made by the time of the event.
void check_written(Call& call, const Storage& storage, const Event& event) {
  const Knowledge known = knowledge_of(event);
  for (const auto& [stream, use] : storage.uses) {
    const auto found = known.find(stream);
    const uint64_t done = std::max(stream->seen, found == known.end() ? 0 : found->second);
    if (use.write <= done) continue;
    call.violation(Rule::order, "storage ", storage.id, " is written by ", use.what, ", number ",
                   use.write, " of stream ", stream->id, ", and event ", event.id,
                   " stands for number ", done, " at most");
  }
}

}  // namespace

sy_status import_memory(Plugin& plugin, sy_import_args* args, sy_error* error) {
  Call call(plugin, "import_memory", *args, error);
  const auto device = call.find(args->device);
  const auto stream = args->stream == nullptr ? nullptr : call.find(args->stream);
  if (stream) call.drive(stream);
  if (device && stream) call.check_owner(*stream, *device, "stream");
  if (device) check_import(call, *device, *args);
  if (!call.may_pass()) return call.refuse();
  sy_import_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.stream = stream ? stream->inner : nullptr;
  const sy_status status = call.pass_on(plugin.inner.import_memory, inner);
  if (status != SY_OK) return status;
  args->storage = 0;
  if (inner.storage == 0) return status;
  auto storage = std::make_shared<Storage>();
  storage->inner = inner.storage;
  storage->size = args->size_bytes;
  storage->is_imported = true;
  const bool is_late = stream && !device->is(SY_DEVICE_SYNCHRONOUS);
  if (is_late && args->ready_event != 0) storage->ready = event_before(*stream);
  args->storage = keep(plugin, device, std::move(storage));
  return status;
}

sy_status export_memory(Plugin& plugin, sy_export_args* args, sy_error* error) {
  Call call(plugin, "export_memory", *args, error);
  const auto device = call.find(args->device);
  const auto storage = device ? call.find(*device, args->storage) : nullptr;
  const auto event = args->event == nullptr ? nullptr : call.find(args->event);
  if (event && !event->stream) call.violation(Rule::event, "the event was never recorded");
  if (storage && event && event->stream) check_written(call, *storage, *event);
  if (storage && args->event == nullptr) {
    check_unused(call, Rule::order, *storage, true, nullptr);
  }
  if (!call.may_pass()) return call.refuse();
  sy_export_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.storage = storage->inner;
  inner.event = event ? event->inner : nullptr;
  const sy_status status = call.pass_on(plugin.inner.export_memory, inner);
  args->pointer = inner.pointer;
  args->ready_event = inner.ready_event;
  return status;
}

}  // namespace validation
