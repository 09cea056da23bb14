#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

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
};

/// What an exported capsule keeps alive.
struct Export {
  DLManagedTensor capsule{};
  TensorRef tensor;
  std::optional<Literal> copy;  // of a host value, which must not change: an importer may write
};

void release_export(DLManagedTensor* capsule) { delete static_cast<Export*>(capsule->manager_ctx); }

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

void set_position(Export& made) {
  const TensorImpl& tensor = *made.tensor;
  DLTensor& out = made.capsule.dl_tensor;
  if (!tensor.device) {
    const Literal& value = tensor.host->literal;
    made.copy.emplace(value.dtype(), value.shape());
    std::memcpy(made.copy->mutable_bytes(), value.bytes(), value.size_bytes());
    out.device = {kDLCPU, 0};
    out.data = made.copy->mutable_bytes();
  } else {
    const int type = tensor.device->info().dlpack_device_type;
    if (type == 0 || !tensor.device->addressable()) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("{}: this device's memory cannot be exported; copy the tensor to "
                              "another device first",
                              tensor.device->name()));
    }
    if (tensor.storage) tensor.storage->wait_until_idle();
    out.device = {static_cast<DLDeviceType>(type), 0};
    out.data = tensor.storage ? reinterpret_cast<void*>(tensor.storage->handle()) : nullptr;
  }
  out.byte_offset = static_cast<std::uint64_t>(tensor.offset_bytes);
}

}  // namespace

DLManagedTensor* Tensor::to_dlpack() const {
  const TensorImpl& impl = impl_of(*this);
  auto made = std::make_unique<Export>();
  // A view of its own: a module may take the tensor itself to another device or type.
  made->tensor = make_view(TensorRef(impl_), impl.shape, impl.strides, 0);
  DLTensor& out = made->capsule.dl_tensor;
  out.dtype = exported_type(impl.dtype);
  out.ndim = static_cast<std::int32_t>(impl.shape.size());
  out.shape = made->tensor->shape.data();
  out.strides = made->tensor->strides.data();
  set_position(*made);
  made->capsule.manager_ctx = made.get();
  made->capsule.deleter = release_export;
  return &made.release()->capsule;
}

Tensor Tensor::from_dlpack(DLManagedTensor* capsule) {
  if (capsule == nullptr) throw Error(ErrorKind::invalid_argument, "from_dlpack() got no capsule");
  const std::shared_ptr<const void> owner(capsule, [](const void* held) {
    auto* taken = static_cast<DLManagedTensor*>(const_cast<void*>(held));
    if (taken->deleter) taken->deleter(taken);
  });
  const DLTensor& in = capsule->dl_tensor;
  if (in.device.device_type != kDLCPU) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format(
            "a DLPack capsule on device type {} cannot be taken; copy it to host memory first",
            static_cast<int>(in.device.device_type)));
  }
  if (in.ndim < 0 || (in.ndim > 0 && !in.shape)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a DLPack capsule of {} dimensions{} is not a tensor", in.ndim,
                            in.shape ? "" : " without extents"));
  }
  const Dims shape(std::span<const std::int64_t>(in.shape, static_cast<std::size_t>(in.ndim)));
  if (in.strides && !switchyard::is_contiguous(
                        shape, Dims(std::span<const std::int64_t>(in.strides, shape.size())))) {
    throw Error(ErrorKind::unsupported,
                "a strided DLPack capsule cannot be taken; make it contiguous first");
  }
  const auto* bytes = static_cast<const std::byte*>(in.data) + in.byte_offset;
  return Tensor(make_host_tensor(Literal(imported_type(in.dtype), shape, owner, bytes)).get());
}

}  // namespace switchyard
