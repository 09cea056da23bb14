// Rows of elements from one dtype to another, after ONNX's Cast.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

namespace cpu {

// `count` elements, `source_step` and `destination_step` bytes apart. Source and destination may be
// the same elements of types of one size; otherwise they do not overlap.
using ConvertRow = void (*)(const char* source, int64_t source_step, char* destination,
                            int64_t destination_step, int64_t count);

// For every pair of dtypes of at least a byte but the complex ones. `saturate` is for 8-bit floats.
// Throws sy::unsupported for other types.
ConvertRow convert_row(sy_dtype from, sy_dtype to, bool saturate = true);

}  // namespace cpu
