#include <fmt/format.h>

#include <switchyard/nn/dropout.hpp>

#include <switchyard/functions/neural.hpp>

#include "functions/calls/require.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {

Dropout::Dropout(Real p) : p(p) { require_within("Dropout", "p", p, 0, 1); }

Tensor Dropout::forward(const Tensor& x) { return dropout(x, p, is_training()); }

std::string Dropout::extra_repr() const {
  return fmt::format("p={}, inplace=False", python_text(p));
}

}  // namespace switchyard::nn
