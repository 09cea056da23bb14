// Host memory that a device copies by itself: its own, and a caller's.
#include <map>

#include "call.hpp"
#include "slots.hpp"

namespace validation {
namespace {

using Slot = sy_status (*)(sy_host_memory_args*, sy_error*);
using Blocks = std::map<void*, uint64_t> Device::*;

uint64_t address_of(const sy_host_memory_args& args) {
  return reinterpret_cast<uint64_t>(args.pointer);
}

sy_status add(Call& call, Slot slot, sy_host_memory_args& args, Blocks blocks, bool is_given) {
  const auto device = call.find(args.device);
  if (args.size_bytes == 0) call.violation(Rule::host_memory, "it asks for 0 bytes");
  if (is_given && args.pointer == nullptr) call.violation(Rule::host_memory, "there is none");
  if (device && is_given && ((*device).*blocks).contains(args.pointer)) {
    call.violation(Rule::host_memory, "the block at ", address_of(args), " is known already");
  }
  if (!call.may_pass()) return call.refuse();
  sy_host_memory_args inner = copy_of(args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(slot, inner);
  args.pointer = inner.pointer;
  if (status == SY_OK && inner.pointer != nullptr) {
    ((*device).*blocks)[inner.pointer] = args.size_bytes;
  }
  return status;
}

sy_status remove(Call& call, Slot slot, sy_host_memory_args& args, Blocks blocks) {
  const auto device = call.find(args.device);
  if (device) {
    auto& known = (*device).*blocks;
    const auto found = known.find(args.pointer);
    if (found == known.end() || found->second != args.size_bytes) {
      call.violation(Rule::host_memory, "there is no block of ", args.size_bytes, " bytes at ",
                     address_of(args));
      call.stop();
    } else if (call.may_pass()) {
      known.erase(found);
    }
  }
  if (!call.may_pass()) return call.refuse();
  sy_host_memory_args inner = copy_of(args);
  inner.device = device->inner;
  return call.pass_on(slot, inner);
}

}  // namespace

sy_status allocate_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error) {
  Call call(plugin, "allocate_host", *args, error);
  return add(call, plugin.inner.allocate_host, *args, &Device::own_host_memory, false);
}

sy_status release_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error) {
  Call call(plugin, "release_host", *args, error, Handling::lets_go);
  return remove(call, plugin.inner.release_host, *args, &Device::own_host_memory);
}

sy_status register_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error) {
  Call call(plugin, "register_host", *args, error);
  return add(call, plugin.inner.register_host, *args, &Device::registered_host_memory, true);
}

sy_status unregister_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error) {
  Call call(plugin, "unregister_host", *args, error, Handling::lets_go);
  return remove(call, plugin.inner.unregister_host, *args, &Device::registered_host_memory);
}

}  // namespace validation
