// Functions element by element, by the names that PyTorch's values go by.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <switchyard/tensor.hpp>
#include <vector>

namespace switchyard {

using OfOne = std::function<Tensor(const Tensor&)>;
using OfTwo = std::function<Tensor(const Tensor&, const Tensor&)>;

const std::map<std::string, OfOne>& functions_of_one();
const std::map<std::string, OfTwo>& functions_of_two();

/// A tensor of rank 1.
Tensor of_values(const std::vector<double>& values, DType dtype);

}  // namespace switchyard
