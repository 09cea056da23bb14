// Refuses what the Metal Shading Language does not have and C++ does: what would compile here and
// not on a Mac.
#pragma once

#include "software/translator/syntax.hpp"

namespace mps::software {

// Throws TranslationError for the first thing found.
void lint(const Syntax& syntax);

}  // namespace mps::software
