#pragma once

#include <string>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// The name of the module's class, without namespaces: "Conv2d".
std::string class_name(const Module& module);

}  // namespace switchyard::nn
