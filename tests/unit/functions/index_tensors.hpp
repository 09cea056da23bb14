// Tensors that index others.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <switchyard/functions.hpp>

namespace switchyard {

/// A tensor of int64, of rank 1.
inline Tensor longs(std::initializer_list<std::int64_t> values) { return tensor(values); }

}  // namespace switchyard
