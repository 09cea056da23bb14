// The kernels of a source, with what each parameter is bound to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "software/translator/constants.hpp"
#include "software/translator/syntax.hpp"

namespace mps::software {

struct BoundKernel {
  std::string host_name;
  std::string symbol;
  std::vector<Attribute> bindings;  // of each parameter
  bool collective = false;          // it may reach a barrier or a SIMD-group function
  std::vector<uint32_t> constants;  // the function constants that it may need
};

// Throws TranslationError where a parameter has no binding that Metal knows, or two have the same.
std::vector<BoundKernel> find_kernels(const Syntax& syntax,
                                      const std::vector<ConstantSyntax>& constants);

}  // namespace mps::software
