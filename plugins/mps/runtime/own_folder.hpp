// Where this plugin lies.
#pragma once

#include <string>

namespace mps {

// The folder of the plugin's file, or of the program that it is linked into; empty if the system
// does not tell.
std::string own_folder();

}  // namespace mps
