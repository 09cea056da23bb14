#pragma once

#include <switchyard/functions/creation.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What makes a new tensor one of `like`'s dtype that lies where it does.
TensorOptions options_like(const Tensor& like);

}  // namespace switchyard
