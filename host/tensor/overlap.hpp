#pragma once

#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Whether the view shows an element more than once. Where each stride passes all that the smaller
/// ones reach, it does not; else its elements are looked at, of more than a few millions none.
bool overlaps_itself(const TensorImpl& tensor);

/// Whether the memory from one tensor's first element to its last overlaps that of the other: views
/// between each other's elements count, too.
bool share_memory(const TensorRef& a, const TensorRef& b);

}  // namespace switchyard
