#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Extents, strides or dimensions as the caller gave them: "[2, -1]", where a shape of an op
/// would read "[2, ?]".
std::string listed(const Dims& numbers);

/// `dim` brought into [0, rank); rank 0 counts as 1. Throws Error(invalid_argument) naming the
/// function if it lies outside.
std::int64_t normalize_axis(std::string_view function, std::int64_t dim, std::int64_t rank);
Dims normalize_axes(std::string_view function, const Dims& dims, std::int64_t rank);

/// The extent of dimension `dim`, which must lie in [0, rank); rank 0 counts as one dimension of 1.
std::int64_t extent(const Tensor& x, std::int64_t dim);

/// Throws Error(invalid_argument) naming the function unless the rank lies in [least, most].
void require_rank(std::string_view function, const Tensor& x, std::int64_t least,
                  std::int64_t most);

/// Throws Error(invalid_argument) naming the function and its option unless `value` lies in [least,
/// most]; NaN lies nowhere.
void require_within(std::string_view function, std::string_view option, double value, double least,
                    double most);

/// `number`. Throws Error(invalid_argument) naming the function or layer, and what the number is,
/// unless it is at least `least`.
std::int64_t require_at_least(std::string_view function, std::string_view what, std::int64_t number,
                              std::int64_t least);

/// The whole part of `value`, which must lie in [least, most]; else Error(invalid_argument) as
/// above. The one way from a floating-point number to an extent. The bounds are integers that a
/// double holds, at most 2^53.
std::int64_t whole_within(std::string_view function, std::string_view what, double value,
                          std::int64_t least, std::int64_t most);

/// Throws Error(invalid_argument) naming the function if the dtype is not a floating-point one.
void require_floating(std::string_view function, const Tensor& x);

}  // namespace switchyard
