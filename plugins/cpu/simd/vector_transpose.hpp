// Planes transposed: what the source holds side by side the destination holds apart.
#pragma once

#include <cstdint>

namespace cpu {

// A plane of `rows` by `columns` elements. Steps are in bytes; the elements of a row lie side by
// side in the source, those of a column in the destination.
struct TransposedPlane {
  const char* source;
  int64_t source_step;  // from row to row
  char* destination;
  int64_t destination_step;  // from column to column
  int64_t rows, columns;
};

// Copies columns [begin, end). With `past_cache` lines of the destination are written past the
// caches, for copies too large to stay there.
using TransposeColumns = void (*)(const TransposedPlane& plane, int64_t begin, int64_t end,
                                  bool past_cache);

// For elements of 1, 2, 4 or 8 bytes; null for others.
TransposeColumns transpose_columns(int64_t element_bytes);

}  // namespace cpu
