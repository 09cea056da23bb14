#pragma once

#include <string>
#include <vector>

#include <switchyard/nn.hpp>

namespace switchyard {

/// A network that is exported, and a batch of what it takes.
struct ExportedNet {
  std::string name;
  nn::Sequential net;
  Tensor input;
};

/// One for each way in which a layer is written; its parameters and statistics are not special
/// ones.
std::vector<ExportedNet> exported_nets();

}  // namespace switchyard
