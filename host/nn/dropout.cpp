#include <switchyard/nn/dropout.hpp>

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions/neural.hpp>

namespace switchyard::nn {

Dropout::Dropout(double p) : p(p) {
  if (p >= 0 && p <= 1) return;
  throw Error(ErrorKind::usage, fmt::format("[Dropout] {} is no probability", p));
}

Tensor Dropout::forward(const Tensor& x) { return dropout(x, p, is_training()); }

}  // namespace switchyard::nn
