#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <switchyard/device.hpp>
#include <utility>

#include "ops/row.hpp"
#include "tensor/engine.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The device of a call, open for as long as this lives.
class CallDevice {
 public:
  /// One that the call's inputs or options keep.
  explicit CallDevice(OpenDevice& open) : open_(&open) {}
  explicit CallDevice(Device current) : kept_(std::move(current)), open_(kept_->open().get()) {}
  OpenDevice& open() const { return *open_; }

 private:
  std::optional<Device> kept_;
  OpenDevice* open_;
};

/// Where a call runs: the device where its inputs lie, or this thread's current one where all are
/// host values. Throws Error(invalid_argument) naming the op where inputs lie on different devices.
CallDevice device_of(const Op& op, std::span<const TensorRef> inputs);

/// What opened the device, for as long as somebody holds a tensor there or the call's device.
Engine& engine_of(const OpenDevice& device);

/// Throws Error(invalid_argument) if functions cannot write to the elements: of a host value, of
/// memory that was lent for reading, of a view that shows an element twice, and of a leaf that
/// requires a gradient, but under NoGrad.
void check_writable(std::string_view op, const TensorRef& target);

}  // namespace switchyard
