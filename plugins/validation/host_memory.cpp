// Host memory that a device copies by itself: its own, and a caller's.
#include <iterator>
#include <map>

#include "call.hpp"
#include "host_memory.hpp"
#include "order.hpp"
#include "slots.hpp"

namespace validation {
namespace {

using Slot = sy_status (*)(sy_host_memory_args*, sy_error*);
using Known = std::map<uint64_t, std::shared_ptr<Storage>>;
using Blocks = Known Device::*;

uint64_t address_of(const sy_host_memory_args& args) {
  return reinterpret_cast<uint64_t>(args.pointer);
}

// The block that the byte lies in, or null.
std::shared_ptr<Storage> block_at(const Known& known, uint64_t address) {
  const auto after = known.upper_bound(address);
  if (after == known.begin()) return nullptr;
  const auto& [begin, block] = *std::prev(after);
  return address - begin < block->size ? block : nullptr;
}

sy_status add(Call& call, Slot slot, sy_host_memory_args& args, Blocks blocks, bool is_given) {
  const auto device = call.find(args.device);
  if (args.size_bytes == 0) call.violation(Rule::host_memory, "it asks for 0 bytes");
  if (is_given && args.pointer == nullptr) call.violation(Rule::host_memory, "there is none");
  if (device && is_given && ((*device).*blocks).contains(address_of(args))) {
    call.violation(Rule::host_memory, "the block at ", address_of(args), " is known already");
  }
  if (!call.may_pass()) return call.refuse();
  sy_host_memory_args inner = copy_of(args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(slot, inner);
  if (status != SY_OK) return status;
  args.pointer = inner.pointer;
  if (inner.pointer == nullptr) return status;
  const auto block = std::make_shared<Storage>();
  block->id = call.plugin().numbers.next();
  block->size = args.size_bytes;
  ((*device).*blocks)[address_of(inner)] = block;
  return status;
}

sy_status remove(Call& call, Slot slot, sy_host_memory_args& args, Blocks blocks) {
  const auto device = call.find(args.device);
  if (device) {
    auto& known = (*device).*blocks;
    const auto found = known.find(address_of(args));
    if (found == known.end() || found->second->size != args.size_bytes) {
      call.violation(Rule::host_memory, "there is no block of ", args.size_bytes, " bytes at ",
                     address_of(args));
      call.stop();
    } else {
      check_unused(call, Rule::host_memory, *found->second, false, nullptr, "block");
      if (call.may_pass()) known.erase(found);
    }
  }
  if (!call.may_pass()) return call.refuse();
  sy_host_memory_args inner = copy_of(args);
  inner.device = device->inner;
  return call.pass_on(slot, inner);
}

}  // namespace

std::shared_ptr<Storage> host_block_at(const Device& device, uint64_t address) {
  const auto own = block_at(device.own_host_memory, address);
  return own ? own : block_at(device.registered_host_memory, address);
}

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
