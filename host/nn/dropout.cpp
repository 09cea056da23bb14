#include <switchyard/nn/dropout.hpp>

#include <switchyard/functions/neural.hpp>

#include "functions/calls/require.hpp"

namespace switchyard::nn {

Dropout::Dropout(double p) : p(p) { require_within("Dropout", "p", p, 0, 1); }

Tensor Dropout::forward(const Tensor& x) { return dropout(x, p, is_training()); }

}  // namespace switchyard::nn
