// The elements of a tensor where they lie, for the host to read.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "device/open_device.hpp"
#include "error/called_function.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

void check_readable(const TensorImpl& impl, const char* function) {
  const CalledFunction here(function);
  if (!impl.contiguous) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] the elements of {} are strided: call contiguous() first, or copy "
                            "them with to_vector()",
                            function, describe(impl.dtype, impl.shape)));
  }
  if (impl.device && !impl.device->addressable()) {
    throw Error(ErrorKind::unsupported,
                fmt::format("[{}] {} on {} lies where the host cannot read it, so that it has to "
                            "be copied: to_vector() does, or to(Device::host())",
                            function, describe(impl.dtype, impl.shape), impl.device->name()));
  }
}

}  // namespace

std::shared_ptr<const void> Tensor::keep_for_host(const void*& elements,
                                                  const char* function) const {
  const TensorImpl& impl = *impl_;
  check_readable(impl, function);
  // A view of its own: a module may take the tensor itself to another device or type.
  const TensorRef kept = make_view(TensorRef(impl_), impl.shape, impl.strides, 0);
  const std::byte* bytes = nullptr;
  if (!impl.device) {
    bytes = impl.host->literal.bytes();
  } else if (kept->storage) {
    kept->storage->wait_for_writes();
    bytes = reinterpret_cast<const std::byte*>(kept->storage->handle());
  }
  elements = bytes ? bytes + impl.offset_bytes : nullptr;
  return std::shared_ptr<const void>(kept.get(), [kept](const void*) {});
}

HostView<std::byte> Tensor::view_host_bytes() const {
  const CalledFunction here("view_host_bytes");
  if (impl_of(*this).dtype == DType::string) {
    throw Error(ErrorKind::invalid_argument,
                "[view_host_bytes] texts have no bytes of a size; copy them with to_texts()");
  }
  const void* elements = nullptr;
  std::shared_ptr<const void> kept = keep_for_host(elements, "view_host_bytes");
  return {std::move(kept), {static_cast<const std::byte*>(elements), size_bytes()}, shape()};
}

}  // namespace switchyard
