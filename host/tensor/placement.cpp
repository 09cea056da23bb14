#include "tensor/placement.hpp"

#include <cstring>
#include <mutex>
#include <switchyard/error.hpp>

#include "device/imports.hpp"
#include "device/transfer.hpp"
#include "ops/op_error.hpp"
#include "tensor/engine.hpp"

namespace switchyard {
namespace {

Location location_of(const TensorImpl& tensor) {
  return {tensor.device, tensor.storage.get(), nullptr,
          static_cast<std::uint64_t>(tensor.offset_bytes), tensor.strides};
}

/// The bytes of a host value, as a position that a copy may read from.
Location host_location(const TensorImpl& tensor) {
  auto* bytes = const_cast<std::byte*>(tensor.host->literal.bytes());
  return Location::host(bytes ? bytes + tensor.offset_bytes : nullptr, tensor.strides);
}

bool is_lost(const TensorImpl& tensor) { return tensor.storage && tensor.storage->is_lost(); }

/// The whole host value on `device`: made once, then kept with it.
TensorRef host_value_on(OpenDevice& device, const TensorImpl& tensor, CopyCount& count) {
  HostValue& host = *tensor.host;
  std::scoped_lock guard(host.guard);
  const StreamProgress* stream = &device.stream();
  std::erase_if(host.on_devices, [&](const HostValue::Copy& copy) {
    if (copy.device != &device) return copy.device->is_retired();
    return copy.stream != stream || is_lost(*copy.tensor);
  });
  for (const HostValue::Copy& copy : host.on_devices) {
    if (copy.device == &device) return copy.tensor;
  }
  TensorRef copy = make_device_tensor(device, host.literal.dtype(), host.literal.shape());
  auto* bytes = const_cast<std::byte*>(host.literal.bytes());
  transfer(copy->dtype, copy->shape, Location::host(bytes, copy->strides), location_of(*copy));
  count.bytes += copy->size_bytes();
  host.on_devices.push_back({&device, stream, copy});
  return copy;
}

TensorRef same_view_of(const TensorRef& whole, const TensorImpl& view) {
  if (view.offset_bytes == 0 && view.shape == whole->shape && view.strides == whole->strides) {
    return whole;
  }
  TensorRef result = make_view(whole, view.shape, view.strides, 0);
  result->offset_bytes = view.offset_bytes;
  return result;
}

TensorRef import_to(OpenDevice& device, const TensorRef& tensor) {
  StorageRef imported = import_storage(device, *tensor->device, tensor->storage);
  if (!imported) return {};
  TensorRef result = make_view(tensor, tensor->shape, tensor->strides, 0);
  result->device = &device;
  result->storage = std::move(imported);
  return result;
}

/// A tensor's elements in memory of the host's own. A view may show one any number of times.
Literal host_copy(const TensorRef& tensor, CopyCount& count) {
  require_host_memory(*tensor->device, tensor->size_bytes());
  Literal literal(tensor->dtype, tensor->shape);
  write_to(tensor, literal.mutable_bytes());
  count.bytes += literal.size_bytes();
  return literal;
}

/// How many bits of its last byte belong to a contiguous tensor; 0: all.
int bits_of_last_byte(const TensorImpl& tensor) {
  const int bits = bit_width(tensor.dtype);
  return bits < 8 ? static_cast<int>(element_count(tensor.shape) % (8 / bits)) * bits : 0;
}

TensorRef bytes_of(const TensorRef& tensor) {
  TensorRef bytes = make_view(tensor, {static_cast<std::int64_t>(tensor->size_bytes())}, {1}, 0);
  bytes->dtype = DType::uint8;
  bytes->set_layout();
  return bytes;
}

/// For a destination that shows a part of its last byte alone: devices copy whole bytes.
void copy_over_part(const TensorRef& source, const TensorRef& destination, CopyCount& count) {
  const Literal given = read_to_host(source, count);
  const TensorRef bytes = bytes_of(destination);
  Literal written = snapshot(bytes, count);
  std::byte& last = written.mutable_bytes()[written.size() - 1];
  const auto own = static_cast<std::byte>((1 << bits_of_last_byte(*destination)) - 1);
  const std::byte others = last & ~own;
  std::memcpy(written.mutable_bytes(), given.bytes(), written.size_bytes());
  last = others | (last & own);
  transfer(DType::uint8, bytes->shape, Location::host(written.mutable_bytes(), bytes->strides),
           location_of(*bytes));
}

}  // namespace

TensorRef bring_to(OpenDevice& device, const TensorRef& tensor, CopyCount& count) {
  if (tensor->device == &device) return tensor;
  if (!tensor->device) return same_view_of(host_value_on(device, *tensor, count), *tensor);
  if (TensorRef imported = import_to(device, tensor)) return imported;
  return copy_to(device, tensor, count);
}

TensorRef copy_to(OpenDevice& device, const TensorRef& tensor, CopyCount& count) {
  TensorRef copy = make_device_tensor(device, tensor->dtype, tensor->shape);
  transfer(copy->dtype, copy->shape, tensor->device ? location_of(*tensor) : host_location(*tensor),
           location_of(*copy));
  if (tensor->device != &device) count.bytes += copy->size_bytes();
  return copy;
}

void copy_over(const TensorRef& source, const TensorRef& destination, CopyCount& count) {
  refuse_text(source->dtype);
  if (source->size_bytes() == 0) return;
  if (bits_of_last_byte(*destination) > 0) return copy_over_part(source, destination, count);
  transfer(source->dtype, source->shape,
           source->device ? location_of(*source) : host_location(*source),
           location_of(*destination));
  if (source->device != destination->device) count.bytes += source->size_bytes();
}

TensorRef make_contiguous(const TensorRef& tensor) {
  if (tensor->contiguous) return tensor;
  CopyCount none;
  if (tensor->device) return copy_to(*tensor->device, tensor, none);
  throw Error(ErrorKind::internal, "a host value became strided");
}

Literal read_to_host(const TensorRef& tensor, CopyCount& count) {
  if (!tensor->device) {
    const Literal& whole = tensor->host->literal;
    if (tensor->shape == whole.shape()) return whole;
    if (whole.dtype() == DType::string) return Literal(tensor->shape, whole.strings());
    return Literal(tensor->dtype, tensor->shape, whole.owner(),
                   whole.bytes() + tensor->offset_bytes);
  }
  if (tensor->device->addressable() && tensor->contiguous) {
    tensor->storage->wait_for_writes();
    const auto* bytes = reinterpret_cast<const std::byte*>(tensor->storage->handle());
    std::shared_ptr<const void> owner(tensor.get(), [held = tensor](const void*) {});
    return Literal(tensor->dtype, tensor->shape, std::move(owner), bytes + tensor->offset_bytes);
  }
  return host_copy(tensor, count);
}

Literal snapshot(const TensorRef& tensor, CopyCount& count) {
  return tensor->device ? host_copy(tensor, count) : read_to_host(tensor, count);
}

void write_to(const TensorRef& tensor, void* destination) {
  refuse_text(tensor->dtype);
  if (tensor->size_bytes() == 0) return;
  if (!tensor->device) {
    const Location source = host_location(*tensor);
    std::memcpy(destination, source.pointer, tensor->size_bytes());
    return;
  }
  transfer(tensor->dtype, tensor->shape, location_of(*tensor),
           Location::host(destination, contiguous_strides(tensor->shape)));
}

}  // namespace switchyard
