// Element types and shapes as MPSGraph has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apple/frameworks.hpp"
#include "seam/graph.hpp"

namespace mps::apple {

MPSDataType data_type(seam::ElementType element);
size_t element_bytes(seam::ElementType element);
bool is_floating(seam::ElementType element);

// MPSGraph has no tensors of rank 0: they are vectors of one element there.
MPSShape* metal_shape(const std::vector<int64_t>& shape);
NSArray<NSNumber*>* numbers(const std::vector<int64_t>& values);

size_t count_elements(const std::vector<int64_t>& shape);
// "float32[2, 3]"
std::string describe(const seam::TensorType& type);

// Throws Failure(unsupported) for types that MPSGraph does not take; it would end the process.
void require_supported(const seam::TensorType& type, bool has_bfloat16);

}  // namespace mps::apple
