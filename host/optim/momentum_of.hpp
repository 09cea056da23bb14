#pragma once

#include <cstddef>
#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// The momentum of a group, or Adam's first beta. Throws Error(invalid_argument) that names the
/// schedule where there is none.
double& momentum_of(const Optimizer& optimizer, std::size_t group, const char* schedule);

}  // namespace switchyard::optim
