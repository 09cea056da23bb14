// The shape of a value of a program, for kernels and graphs that are made for it.
#pragma once

#include "switchyard/plugin/program.hpp"

namespace mps {

// Throws sy::unsupported where it is not known before the run.
inline sy::Extents known_shape(const sy_value& value) {
  if (!sy::has_known_shape(value)) {
    throw sy::unsupported(SY_REASON_LIMIT, "a shape is not known before the run");
  }
  return sy::shape_of(value);
}

}  // namespace mps
