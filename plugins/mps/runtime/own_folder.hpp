// Where this plugin lies.
#pragma once

#include <string>

namespace mps {

// mps-kernels beside the plugin's file, or beside the program that it is linked into; empty if the
// system does not tell.
std::string own_kernel_folder();

}  // namespace mps
