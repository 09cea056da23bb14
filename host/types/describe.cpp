#include "types/describe.hpp"

#include <fmt/format.h>

namespace switchyard {

std::string describe(const Dims& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] == kUnknown ? "?" : fmt::to_string(shape[i]);
  }
  return text + "]";
}

std::string describe(DType dtype, const Dims& shape) {
  return std::string(name_of(dtype)) + describe(shape);
}

}  // namespace switchyard
