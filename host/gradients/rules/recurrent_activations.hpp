#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <switchyard/tensor.hpp>

#include "ops/attributes.hpp"

namespace switchyard {

/// A function of a recurrent layer's gates, with its numbers.
struct GateFunction {
  Tensor (*function)(const Tensor& x, double alpha, double beta);
  double alpha, beta;

  Tensor operator()(const Tensor& x) const { return function(x, alpha, beta); }
};

/// The functions of a layer, `defaults` for each direction where the attributes name none.
std::vector<GateFunction> gate_functions(const Attributes& attributes, std::size_t directions,
                                         const std::vector<std::string>& defaults);

}  // namespace switchyard
