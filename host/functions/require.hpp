#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Extents, strides or dimensions as the caller gave them: "[2, -1]", where a shape of the contract
/// would read "[2, ?]".
std::string listed(const Dims& numbers);

/// `dim` brought into [0, rank); rank 0 counts as 1. Throws Error(usage) naming the function if it
/// lies outside.
std::int64_t wrapped(std::string_view function, std::int64_t dim, std::int64_t rank);
Dims wrapped(std::string_view function, const Dims& dims, std::int64_t rank);

/// Throws Error(usage) naming the function unless the rank lies in [least, most].
void require_rank(std::string_view function, const Tensor& x, std::int64_t least,
                  std::int64_t most);

/// Throws Error(usage) naming the function if the dtype is no floating-point one.
void require_floating(std::string_view function, const Tensor& x);

}  // namespace switchyard
