// What PyTorch made of inputs, and their gradients: the cases of neural_golden.txt.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <switchyard/functions.hpp>
#include <vector>

namespace switchyard {

/// A case's function, of its inputs.
using NeuralFunctions = std::map<std::string, std::function<Tensor(std::span<const Tensor>)>>;

/// Computes each function on its case's inputs, in every floating-point type; compares output and
/// gradients with PyTorch's of float64. A function without a case fails.
void check_neural_golden(const NeuralFunctions& functions);

/// The names of all cases.
std::vector<std::string> neural_cases();

}  // namespace switchyard
