#pragma once

#include <span>
#include <string_view>

#include <switchyard/dtype.hpp>

namespace switchyard {

/// An element type of the safetensors format.
struct SafetensorsType {
  DType dtype;
  std::string_view name;  // in the header
};

/// All of them, in the order in which the reference implementation lays tensors out.
std::span<const SafetensorsType> safetensors_types();

}  // namespace switchyard
