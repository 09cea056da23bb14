#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <switchyard/tensor.hpp>

#include "ops/attributes.hpp"

namespace switchyard {

/// An op written for a test: its outputs from its inputs, some of which may be no tensors.
using ByHand = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;

using Numbers = std::vector<double>;

/// The elements, for sums that are written by hand.
inline Numbers numbers_of(const Tensor& x) {
  return x.detach().to(DType::float64).to_vector<double>();
}

/// A call whose values `forward` gives and whose gradients the rule of `op` gives: for ops that no
/// device of the tests computes, or none in float64. The rule sees what its row says is saved.
std::vector<Tensor> by_hand(std::string_view op, const ByHand& forward,
                            std::span<const Tensor> inputs, const Attributes& given = {});

}  // namespace switchyard
