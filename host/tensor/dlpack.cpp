#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>
#include <type_traits>

#include "device/imports.hpp"
#include "error/called_function.hpp"
#include "tensor/borrow.hpp"
#include "tensor/dlpack_abi.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/dimensions.hpp"

namespace switchyard {
namespace {

struct TypeRow {
  DType dtype;
  DLDataType dlpack;
};

constexpr TypeRow kTypes[] = {
    {DType::float32, {kDLFloat, 32, 1}},     {DType::float64, {kDLFloat, 64, 1}},
    {DType::float16, {kDLFloat, 16, 1}},     {DType::bfloat16, {kDLBfloat, 16, 1}},
    {DType::int8, {kDLInt, 8, 1}},           {DType::int16, {kDLInt, 16, 1}},
    {DType::int32, {kDLInt, 32, 1}},         {DType::int64, {kDLInt, 64, 1}},
    {DType::uint8, {kDLUInt, 8, 1}},         {DType::uint16, {kDLUInt, 16, 1}},
    {DType::uint32, {kDLUInt, 32, 1}},       {DType::uint64, {kDLUInt, 64, 1}},
    {DType::complex64, {kDLComplex, 64, 1}}, {DType::complex128, {kDLComplex, 128, 1}},
    {DType::bool_, {kDLPackBool, 8, 1}},
};

DLDataType exported_type(DType dtype) {
  for (const TypeRow& row : kTypes) {
    if (row.dtype == dtype) return row.dlpack;
  }
  throw Error(ErrorKind::unsupported,
              fmt::format("DLPack has no type for {}; cast first", name_of(dtype)));
}

DType imported_type(const DLDataType& type) {
  for (const TypeRow& row : kTypes) {
    if (row.dlpack.code == type.code && row.dlpack.bits == type.bits && type.lanes == 1)
      return row.dtype;
  }
  throw Error(ErrorKind::unsupported,
              fmt::format("a DLPack type of code {}, {} bits and {} lanes is not known", type.code,
                          type.bits, type.lanes));
}

/// What an exported capsule keeps alive.
template <typename Capsule>
struct Export {
  Capsule capsule{};
  TensorRef tensor;
};

template <typename Capsule>
void release_export(Capsule* capsule) {
  delete static_cast<Export<Capsule>*>(capsule->manager_ctx);
}

/// Values of the host do not change, and some are cached.
bool is_read_only(const TensorImpl& tensor) {
  return !tensor.device || (tensor.storage && tensor.storage->is_read_only());
}

TensorRef copy_of(const TensorRef& tensor) {
  CopyCount count;
  if (tensor->device) return switchyard::copy_to(*tensor->device, tensor, count);
  Literal copy(tensor->dtype, tensor->shape);
  write_to(tensor, copy.mutable_bytes());
  return make_host_tensor(std::move(copy));
}

[[noreturn]] void refuse_export(const OpenDevice& device) {
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: this device's memory cannot be exported; copy the tensor to another "
                          "device first",
                          device.name()));
}

void set_position(const TensorImpl& tensor, DLTensor& out) {
  if (!tensor.device) {
    out.device = {kDLCPU, 0};
    out.data = const_cast<std::byte*>(tensor.host->literal.bytes());
  } else {
    const auto type = static_cast<DLDeviceType>(tensor.device->info().dlpack_device_type);
    if (tensor.storage) tensor.storage->wait_until_idle();
    // DLPack knows one memory of the host's.
    out.device = {type, type == kDLCPU ? 0 : Device(tensor.device->shared_from_this()).index()};
    out.data = tensor.storage ? exported_address(*tensor.device, *tensor.storage.get()) : nullptr;
    if (tensor.storage && out.data == nullptr) refuse_export(*tensor.device);
  }
  out.byte_offset = static_cast<std::uint64_t>(tensor.offset_bytes);
}

template <typename Capsule>
std::unique_ptr<Export<Capsule>> exported(TensorImpl& impl, bool copies) {
  const DLDataType type = exported_type(impl.dtype);
  if (impl.device && impl.device->info().dlpack_device_type == 0) refuse_export(*impl.device);
  auto made = std::make_unique<Export<Capsule>>();
  const TensorRef own(&impl);
  // A view of its own: a module may take the tensor itself to another device or type.
  made->tensor = copies ? copy_of(own) : make_view(own, impl.shape, impl.strides, 0);
  DLTensor& out = made->capsule.dl_tensor;
  out.dtype = type;
  out.ndim = static_cast<std::int32_t>(impl.shape.size());
  out.shape = made->tensor->shape.data();
  out.strides = made->tensor->strides.data();
  set_position(*made->tensor, out);
  made->capsule.manager_ctx = made.get();
  made->capsule.deleter = release_export<Capsule>;
  return made;
}

/// A capsule is its own owner: its deleter is called where nobody holds this any more.
template <typename Capsule>
std::shared_ptr<const void> owner_of(Capsule* capsule) {
  if (capsule == nullptr) throw Error(ErrorKind::invalid_argument, "from_dlpack() got no capsule");
  return std::shared_ptr<const void>(capsule, [](const void* held) {
    auto* taken = static_cast<Capsule*>(const_cast<void*>(held));
    if (taken->deleter) taken->deleter(taken);
  });
}

/// The device whose memory the capsule lies in: it is the one asked for, or the current one.
Device home_of(const DLTensor& in, const std::optional<Device>& asked) {
  const Device device = asked ? *asked : current_device();
  if (!device.is_host() && device.open()->info().dlpack_device_type == in.device.device_type &&
      device.index() == in.device.device_id) {
    return device;
  }
  throw Error(
      ErrorKind::unsupported,
      fmt::format("a DLPack capsule on device {} of type {} does not lie on {}; name the "
                  "device that it lies on, or copy it to host memory first",
                  in.device.device_id, static_cast<int>(in.device.device_type), device.name()));
}

Tensor imported(const DLTensor& in, bool is_read_only, std::shared_ptr<const void> owner,
                const std::optional<Device>& device) {
  if (in.ndim < 0 || (in.ndim > 0 && !in.shape)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a DLPack capsule of {} dimensions{} is not a tensor", in.ndim,
                            in.shape ? "" : " without extents"));
  }
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46;
  if (in.byte_offset > kMostBytes) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a DLPack capsule's elements begin {} bytes into its memory, which is "
                            "more than any memory has",
                            in.byte_offset));
  }
  check_dimensions(static_cast<std::size_t>(in.ndim));  // before any extent is read
  const Dims shape(std::span<const std::int64_t>(in.shape, static_cast<std::size_t>(in.ndim)));
  const Dims strides = in.strides ? Dims(std::span<const std::int64_t>(in.strides, shape.size()))
                                  : contiguous_strides(shape);
  const auto* data = static_cast<const std::byte*>(in.data);
  LentElements lent{.dtype = imported_type(in.dtype),
                    .first = data ? data + in.byte_offset : nullptr,
                    .shape = shape,
                    .strides = strides,
                    .is_read_only = is_read_only,
                    .kept = std::move(owner)};
  if (in.device.device_type == kDLCPU) return borrow_elements(std::move(lent), device);
  return borrow_device_elements(std::move(lent), home_of(in, device), in.byte_offset);
}

}  // namespace

DLManagedTensor* Tensor::to_dlpack() const {
  const CalledFunction here;
  TensorImpl& impl = impl_of(*this);
  return &exported<DLManagedTensor>(impl, is_read_only(impl)).release()->capsule;
}

DLManagedTensorVersioned* Tensor::to_dlpack_versioned(Flag copy) const {
  const CalledFunction here;
  TensorImpl& impl = impl_of(*this);
  auto made = exported<DLManagedTensorVersioned>(impl, copy);
  made->capsule.version = {kDLPackMajor, 0};
  if (copy) {
    made->capsule.flags = kDLPackIsCopied;
  } else if (is_read_only(impl)) {
    made->capsule.flags = kDLPackReadOnly;
  }
  return &made.release()->capsule;
}

Tensor Tensor::from_dlpack(DLManagedTensor* capsule, const std::optional<Device>& device) {
  const CalledFunction here;
  std::shared_ptr<const void> owner = owner_of(capsule);
  return imported(capsule->dl_tensor, false, std::move(owner), device);
}

Tensor Tensor::from_dlpack(DLManagedTensorVersioned* capsule, const std::optional<Device>& device) {
  const CalledFunction here;
  std::shared_ptr<const void> owner = owner_of(capsule);
  if (capsule->version.major != kDLPackMajor) {
    throw Error(ErrorKind::unsupported,
                fmt::format("a DLPack capsule of version {}.{} cannot be read, only those of {}.x; "
                            "ask who makes it for one of these",
                            capsule->version.major, capsule->version.minor, kDLPackMajor));
  }
  return imported(capsule->dl_tensor, (capsule->flags & kDLPackReadOnly) != 0, std::move(owner),
                  device);
}

}  // namespace switchyard
