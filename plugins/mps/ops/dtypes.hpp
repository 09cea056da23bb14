// Sets of element types that families share.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

namespace mps {

inline constexpr uint64_t float_types = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
inline constexpr uint64_t whole_types = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) |
                                        SY_DTYPE_BIT(SY_INT16) | SY_DTYPE_BIT(SY_INT32) |
                                        SY_DTYPE_BIT(SY_INT64);
inline constexpr uint64_t number_types = float_types | whole_types;
// What kernels move without a look at it, by the size of an element.
inline constexpr uint64_t moved_types = number_types | SY_DTYPE_BIT(SY_BOOL) |
                                        SY_DTYPE_BIT(SY_BFLOAT16) | SY_DTYPE_BIT(SY_UINT16) |
                                        SY_DTYPE_BIT(SY_UINT32) | SY_DTYPE_BIT(SY_UINT64);

}  // namespace mps
