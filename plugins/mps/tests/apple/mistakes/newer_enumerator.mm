// refused: 'MTLLanguageVersion3_0' is only available on macOS 13.0 or newer
#include "apple/frameworks.hpp"

void choose(MTLCompileOptions* options) { options.languageVersion = MTLLanguageVersion3_0; }
