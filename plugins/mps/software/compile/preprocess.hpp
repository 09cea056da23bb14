// A source through the preprocessor of a C++ compiler, which is a child process.
#pragma once

#include <string>

#include "seam/seam.hpp"

namespace mps::software {

// `stem` is a path for files of its own, which go. Throws Failure(compilation).
std::string preprocess(const std::string& compiler, const seam::Source& source,
                       const std::string& stem);

}  // namespace mps::software
