// The libraries that the dynamic loader has brought into this process.
#pragma once

#include <string>
#include <vector>

namespace switchyard {

/// Their files, as the loader names them; without the program itself and what has no file.
std::vector<std::string> loaded_libraries();

}  // namespace switchyard
