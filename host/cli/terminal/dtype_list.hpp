#pragma once

#include <cstdint>
#include <string>

namespace switchyard::cli {

/// A mask of 1 << dtype as words, widths of one kind together: "float16/32/64 bfloat16 bool";
/// "-" for none.
std::string dtype_list(std::uint64_t dtypes);

}  // namespace switchyard::cli
