#pragma once

#include <switchyard/functions/creation.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What makes a new tensor one of `like`'s dtype that lies where it does, unless `options` says
/// otherwise.
TensorOptions options_like(const Tensor& like, TensorOptions options = {});

}  // namespace switchyard
