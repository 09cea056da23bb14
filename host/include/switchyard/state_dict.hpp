#pragma once

#include <map>
#include <string>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Tensors by name, as safetensors files hold them: see <switchyard/io.hpp>.
using StateDict = std::map<std::string, Tensor>;

}  // namespace switchyard
