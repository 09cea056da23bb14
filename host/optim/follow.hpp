#pragma once

#include <switchyard/tensor.hpp>

namespace switchyard::optim {

/// Brings state that was left behind when the parameter went elsewhere to its device and type.
void follow(const Tensor& parameter, Tensor& state);

}  // namespace switchyard::optim
