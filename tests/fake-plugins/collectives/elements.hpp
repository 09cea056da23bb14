// Elements of several ranks made into one, in the order of the ranks: all get the same bits.
#pragma once

#include <switchyard/collectives.h>
#include <switchyard/plugin.h>

#include <cstdint>
#include <vector>

namespace collective {

// The types that a reduction takes; of SY_REDUCE_NONE those that are moved.
uint64_t dtypes_of(sy_reduction reduction);

// out[i] is made of parts[0][i], parts[1][i], ... of a type that the reduction takes.
void reduce(sy_dtype dtype, sy_reduction reduction, uint64_t count,
            const std::vector<const char*>& parts, char* out);

}  // namespace collective
