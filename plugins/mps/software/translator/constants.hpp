// Function constants. The translated library has a variable for each, one on every thread, which
// the executor sets before it runs a kernel there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "software/translator/edits.hpp"
#include "software/translator/syntax.hpp"

namespace mps::software {

// A [[function_constant(index)]].
struct ConstantSyntax {
  uint32_t index = 0;
  std::string type;
  std::string name;
};

struct Constants {
  std::vector<ConstantSyntax> given;
  // Variables outside functions whose values are made of constants, by their number.
  std::vector<size_t> derived;
};

// Throws TranslationError where one is declared or used as Metal does not allow.
Constants find_constants(const Syntax& syntax);

// The declarations, and a function after each derived one that sets it.
void write_constants(const Syntax& syntax, const Constants& constants, Edits& edits);

// The function of msl::Library::set_constants, for the namespace in which they are declared.
std::string setter_of_constants(const Syntax& syntax, const Constants& constants);

}  // namespace mps::software
