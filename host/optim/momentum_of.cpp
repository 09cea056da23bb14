#include "optim/momentum_of.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard::optim {

double& momentum_of(const Optimizer& optimizer, std::size_t group, const char* schedule) {
  for (const Setting& setting : optimizer.settings(group)) {
    if (setting.name == "beta1" || (setting.name == "momentum" && *setting.value != 0)) {
      return *setting.value;
    }
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] the optimizer has no momentum to move; set cycle_momentum to false",
                          schedule));
}

}  // namespace switchyard::optim
