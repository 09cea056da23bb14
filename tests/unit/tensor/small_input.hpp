// What calls are made with where any input does.
#pragma once

#include "tensor/test_runtime.hpp"

namespace switchyard {

/// Relu makes 0 and 2 of it.
inline const Tensor kInput = floats({2}, {-1, 2});

}  // namespace switchyard
