#pragma once

#include <span>
#include <string_view>

#include "ops/row.hpp"
#include "tensor/engine.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Where a call runs: the device where its inputs lie, or this thread's current one where all are
/// host values. Throws Error(usage) naming the op where inputs lie on different devices.
OpenDevice& device_of(const Op& op, std::span<const TensorRef> inputs);

/// The runtime that opened the device. Throws Error(usage) if that has gone.
Engine& engine_of(const OpenDevice& device);

/// Throws Error(usage) if functions cannot write to the elements: of a host value, of a view that
/// shows an element twice, and of a leaf that requires a gradient, but under NoGrad.
void check_writable(std::string_view op, const TensorRef& target);

}  // namespace switchyard
