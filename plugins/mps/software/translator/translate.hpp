// From the Metal Shading Language to C++ that is compiled against shim/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mps::software {

// The source as the C++ preprocessor takes it: the language's own headers left out, lines kept.
std::string prepare(std::string_view source, std::string_view name);

// For a C++ compiler that is to be the preprocessor of a prepared source.
std::vector<std::string> preprocessor_flags();

// `text` has gone through the preprocessor. The result defines a msl::Library with C linkage, named
// `symbol`, and begins with the inclusion of the shim. Throws TranslationError.
std::string translate(std::string_view text, std::string_view name, std::string_view symbol);

// The same source as C++ for OpenCL, to be checked by a compiler that knows address spaces.
std::string translate_for_check(std::string_view text, std::string_view name);

// What stands first in a result of translate().
constexpr std::string_view shim_inclusion = "#include \"software/shim/metal.h\"\n";

}  // namespace mps::software
