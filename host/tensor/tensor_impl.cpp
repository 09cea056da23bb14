#include "tensor/tensor_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "memory/per_thread.hpp"
#include "ops/op_error.hpp"
#include "types/dimensions.hpp"

namespace switchyard {
namespace {

/// A thread's spare tensors, so that an op's result costs no call to the heap.
class FreeList {
 public:
  ~FreeList() {
    for (std::size_t i = 0; i < count_; ++i) delete spares_[i];
  }
  TensorImpl* take() { return count_ > 0 ? spares_[--count_] : nullptr; }
  bool give(TensorImpl* impl) {
    if (count_ == kMost) return false;
    spares_[count_++] = impl;
    return true;
  }

 private:
  static constexpr std::size_t kMost = 64;
  TensorImpl* spares_[kMost];
  std::size_t count_ = 0;
};

}  // namespace

HostValue::HostValue(Literal value) : literal(std::move(value)) {}
HostValue::~HostValue() = default;

void HostValue::release_copies() {
  std::vector<Copy> copies;  // ends without the lock
  const std::scoped_lock lock(guard);
  copies.swap(on_devices);
}

void HostValue::release_copies_on(const std::function<bool(const OpenDevice&)>& is_meant) {
  std::vector<Copy> released;  // ends without the lock
  const std::scoped_lock lock(guard);
  const auto kept = std::partition(on_devices.begin(), on_devices.end(),
                                   [&](const Copy& copy) { return !is_meant(*copy.device); });
  released.assign(std::make_move_iterator(kept), std::make_move_iterator(on_devices.end()));
  on_devices.erase(kept, on_devices.end());
}

TensorRef new_tensor() {
  FreeList* free_list = PerThread<FreeList>::find();
  TensorImpl* impl = free_list ? free_list->take() : nullptr;
  if (!impl) [[unlikely]]
    impl = new TensorImpl;
  impl->references.store(1, std::memory_order_relaxed);
  return TensorRef::adopt(impl);
}

void free_tensor_impl(TensorImpl* impl) noexcept {
  impl->storage = StorageRef();
  if (impl->host) impl->host.reset();
  impl->device = nullptr;
  impl->offset_bytes = 0;
  impl->constant_id = 0;
  impl->is_number = false;
  if (impl->history) impl->history.reset();
  FreeList* free_list = PerThread<FreeList>::get();
  if (!free_list || !free_list->give(impl)) [[unlikely]]
    delete impl;
}

TensorRef make_host_tensor(Literal literal, std::uint64_t constant_id) {
  return make_host_tensor(std::make_shared<HostValue>(std::move(literal)), constant_id);
}

TensorRef make_host_tensor(std::shared_ptr<HostValue> value, std::uint64_t constant_id) {
  TensorRef tensor = new_tensor();
  tensor->dtype = value->literal.dtype();
  tensor->shape = value->literal.shape();
  tensor->strides = contiguous_strides(tensor->shape);
  tensor->constant_id = constant_id;
  tensor->set_layout();
  tensor->host = std::move(value);
  return tensor;
}

void refuse_text(DType dtype) {
  if (dtype != DType::string) return;
  throw TypeRefusal("text tensors stay with the host; no device takes them");
}

TensorRef make_device_tensor(OpenDevice& device, DType dtype, const Dims& shape) {
  refuse_text(dtype);
  if (bit_width(dtype) == 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} is no type of elements", name_of(dtype)));
  }
  check_dimensions(shape.size());
  TensorRef tensor = new_tensor();
  tensor->dtype = dtype;
  tensor->shape = shape;
  tensor->strides = contiguous_strides(shape);
  tensor->device = &device;
  tensor->set_layout();
  tensor->storage = device.allocator().allocate(tensor->size_bytes());
  return tensor;
}

TensorRef make_view(const TensorRef& base, Dims shape, Dims strides, std::int64_t offset_elements) {
  check_dimensions(shape.size());
  TensorRef view = new_tensor();
  view->dtype = base->dtype;
  view->shape = std::move(shape);
  view->strides = std::move(strides);
  view->device = base->device;
  view->storage = base->storage;
  view->host = base->host;
  view->offset_bytes = base->offset_bytes + offset_elements * bit_width(base->dtype) / 8;
  view->set_layout();
  return view;
}

std::uint64_t next_constant_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace switchyard
