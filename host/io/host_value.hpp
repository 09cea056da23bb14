#pragma once

#include <switchyard/tensor.hpp>

#include "ops/literal.hpp"

namespace switchyard {

/// The literal as a tensor that the host holds; shares its bytes.
Tensor host_value(Literal literal);

/// The tensor's elements, contiguous, in host memory: waits for the work that makes them.
Literal literal_of(const Tensor& tensor);

}  // namespace switchyard
