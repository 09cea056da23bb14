#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/functions/shaping.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// One number for all spatial dimensions, or one each, as one each; each at least `least`. Throws
/// Error(invalid_argument) naming the function and what the numbers are.
std::vector<std::int64_t> for_each_axis(std::string_view function, std::string_view what,
                                        const Dims& given, std::size_t spatial, std::int64_t least);

/// The same padding at both ends, as the ops take it.
std::vector<std::int64_t> both_ends(const std::vector<std::int64_t>& padding);

/// A function of [N, C, ...] with `spatial` more dimensions; one less is a single sample, whose
/// result has no batch dimension either.
template <typename Function>
Tensor with_batch(const Tensor& x, std::size_t spatial, const Function& function) {
  if (x.shape().size() == spatial + 2) return function(x);
  return squeeze(function(unsqueeze(x, 0)), 0);
}

}  // namespace switchyard
