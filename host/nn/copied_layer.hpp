#pragma once

#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// Gives `to`, a module built as `from` was, copies of the parameters of `from`, which of them
/// require gradients, and the training mode of each module. Hooks stay where they are. For modules
/// without buffers.
void copy_parameters(const Module& from, Module& to);

}  // namespace switchyard::nn
