#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "memory/counted.hpp"
#include "memory/storage.hpp"
#include "ops/literal.hpp"
#include "routing/descriptor.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

class OpenDevice;
class Tensor;
class TensorRef;

/// A value that the host holds: a constant of a model, a shape, a scalar. It reaches a device when
/// a kernel there first needs it, and stays there for the next.
struct HostValue {
  explicit HostValue(Literal value);
  ~HostValue();

  const Literal literal;
  trace::QuietMutex guard;
  struct Copy;
  std::vector<Copy> on_devices;

  /// Lets go of the copies on devices. What uses one meanwhile keeps it.
  void release_copies();
  /// The same for those on the devices of which `is_meant` is true.
  void release_copies_on(const std::function<bool(const OpenDevice& device)>& is_meant);
};

struct TensorImpl;

/// What autograd knows of a tensor, as far as printing asks for it.
struct History {
  virtual ~History() = default;
  virtual bool requires_gradient(TensorImpl& tensor) = 0;
  /// See grad_fn_name() in <switchyard/autograd.hpp>.
  virtual std::string grad_fn_name(TensorImpl& tensor) = 0;
};

/// What a tensor is: a view of a storage, or a host value. Immutable once others can see it, but
/// for its elements on a device, which functions that write in place change, and its history; and a
/// parameter that its module takes to another device or type is another view in the same place.
struct TensorImpl {
  std::atomic<std::uint32_t> references{0};
  DType dtype = DType::undefined;
  bool contiguous = true;
  Dims shape;
  Dims strides;                   // elements
  std::int64_t offset_bytes = 0;  // of the element whose indices are all 0
  OpenDevice* device = nullptr;   // null: a host value
  StorageRef storage;             // empty for host values; keeps the device open
  std::shared_ptr<HostValue> host;
  std::uint64_t layout = 0;  // layout_hash(dtype, shape, strides)
  std::uint64_t constant_id = 0;
  bool is_number = false;            // a C++ number that stands for a tensor: its dtype gives way
  std::unique_ptr<History> history;  // null: no gradient flows through it, and it is not a view

  std::size_t size_bytes() const { return byte_size(dtype, element_count(shape)); }
  void set_layout() {
    contiguous = is_contiguous(shape, strides);
    layout = layout_hash(dtype, shape, strides);
  }
};

/// Whether its bytes may go into the arguments of a call: a scalar that the host holds.
inline bool may_be_immediate(const TensorImpl& tensor) {
  return !tensor.device && tensor.shape.empty() && tensor.constant_id == 0 &&
         tensor.dtype != DType::string;
}

/// Takes a tensor back when its last reference has gone. A thread keeps a few for new ones.
void free_tensor_impl(TensorImpl* impl) noexcept;

/// A counted reference to a tensor; empty by default.
class TensorRef {
 public:
  TensorRef() = default;
  explicit TensorRef(TensorImpl* impl) : impl_(impl) { retain(); }
  TensorRef(const TensorRef& other) : impl_(other.impl_) { retain(); }
  TensorRef(TensorRef&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  TensorRef& operator=(TensorRef other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~TensorRef() { reset(); }

  void reset() noexcept {
    if (impl_ && drop_counted(impl_->references)) free_tensor_impl(impl_);
    impl_ = nullptr;
  }

  TensorImpl* get() const { return impl_; }
  TensorImpl* operator->() const { return impl_; }
  TensorImpl& operator*() const { return *impl_; }
  explicit operator bool() const { return impl_ != nullptr; }

  /// True if nobody else can see the tensor or the bytes behind it, which a caller who lent them
  /// can.
  bool is_sole_owner() const { return impl_ && is_held_once(*impl_); }
  /// The same of a tensor whose one reference the caller knows.
  static bool is_held_once(const TensorImpl& impl) {
    return impl.references.load(std::memory_order_acquire) == 1 && impl.storage &&
           !impl.storage->is_shared() && !impl.storage->is_borrowed();
  }

  /// Whether writing to this tensor may change elements of `other`: views between each other's
  /// elements count, too.
  bool may_overlap(const TensorRef& other) const {
    return impl_ && other && impl_->storage && other->storage &&
           impl_->storage->may_overlap(*other->storage.get());
  }

  /// Gives the reference away without counting.
  TensorImpl* release() { return std::exchange(impl_, nullptr); }
  /// Takes a reference over without counting.
  static TensorRef adopt(TensorImpl* impl) {
    TensorRef reference;
    reference.impl_ = impl;
    return reference;
  }

 private:
  void retain() {
    if (impl_) impl_->references.fetch_add(1, std::memory_order_relaxed);
  }
  TensorImpl* impl_ = nullptr;
};

/// What a tensor of a user's is. Throws Error(invalid_argument) for one that holds nothing:
/// whatever looks into a tensor that a user gave comes by here.
TensorImpl& impl_of(const Tensor& tensor);
/// Throws Error(shape_mismatch) where item() has no one element to give, or there is no tensor.
void require_one_element(const Tensor& tensor);

/// An empty tensor without another owner.
TensorRef new_tensor();

/// A host value's bytes on a device.
struct HostValue::Copy {
  const OpenDevice* device;
  const StreamProgress* stream;  // the device's when the copy was made: after a fault it is another
  TensorRef tensor;
};

/// A host value as a tensor. `constant_id` as in the ABI; 0 if it is not a constant.
TensorRef make_host_tensor(Literal literal, std::uint64_t constant_id = 0);
/// The same of a value that other tensors show, too.
TensorRef make_host_tensor(std::shared_ptr<HostValue> value, std::uint64_t constant_id);

/// Throws TypeRefusal for text, which no device takes.
void refuse_text(DType dtype);

/// A new tensor on a device with bytes of its own, contiguous and uninitialised. Throws TypeRefusal
/// for text.
TensorRef make_device_tensor(OpenDevice& device, DType dtype, const Dims& shape);

/// A tensor that views `base`'s storage.
TensorRef make_view(const TensorRef& base, Dims shape, Dims strides, std::int64_t offset_elements);

/// A number that no other constant of this process has.
std::uint64_t next_constant_id();

}  // namespace switchyard
