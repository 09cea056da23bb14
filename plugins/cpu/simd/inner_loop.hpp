// Inner loops: what a kernel does with a row of elements, apart from where the rows lie.
#pragma once

#include <cstdint>

namespace cpu {

// `count` elements of each operand, `steps` bytes apart, 0 for a repeated one. The output comes
// last; it may be the very elements of an input, never overlap one in another way.
using InnerLoop = void (*)(char* const* data, const int64_t* steps, int64_t count,
                           const void* parameters);

// `count` elements, `source_step` and `destination_step` bytes apart. Source and destination may be
// the same elements of types of one size; otherwise they do not overlap.
using ConvertRow = void (*)(const char* source, int64_t source_step, char* destination,
                            int64_t destination_step, int64_t count);

}  // namespace cpu
