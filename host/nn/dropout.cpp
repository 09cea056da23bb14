#include <fmt/format.h>

#include <switchyard/nn/dropout.hpp>

#include <switchyard/functions/neural.hpp>

#include "functions/calls/require.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {

Dropout::Dropout(Real p) : Dropout("Dropout", p) {}
Dropout::Dropout(const char* name, Real p) : p(p) { require_within(name, "p", p, 0, 1); }

Tensor Dropout::forward(const Tensor& x) { return dropout(x, p, is_training()); }
Tensor Dropout1d::forward(const Tensor& x) { return dropout1d(x, p, is_training()); }
Tensor Dropout2d::forward(const Tensor& x) { return dropout2d(x, p, is_training()); }
Tensor Dropout3d::forward(const Tensor& x) { return dropout3d(x, p, is_training()); }

std::string Dropout::extra_repr() const {
  return fmt::format("p={}, inplace=False", python_text(p));
}

}  // namespace switchyard::nn
