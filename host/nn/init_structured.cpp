// What parameters start with where not all elements are alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn/init.hpp>

#include "types/describe.hpp"

namespace switchyard::nn::init {
namespace {

/// Random numbers, and what is computed of them, need a type that is wide enough.
TensorOptions computed_beside(const Tensor& tensor) {
  const DType dtype = tensor.dtype() == DType::float64 ? DType::float64 : DType::float32;
  return {.device = tensor.device(), .dtype = dtype};
}

/// The probability of a normal number below x.
double normal_below(double x) { return (1 + std::erf(x / std::numbers::sqrt2)) / 2; }

/// What erf gives p for: Winitzki's approximation, 2008, and two steps of Newton's method.
Tensor inverse_erf(const Tensor& p) {
  const double least = p.dtype() == DType::float64 ? 0x1p-53 : 0x1p-24;
  const Tensor inner = clamp(p, least - 1, 1 - least);  // beyond it is infinite
  constexpr double kShape = 0.147;
  const Tensor logarithm = log((1 - inner) * (1 + inner));
  const Tensor half = logarithm / 2 + 2 / (std::numbers::pi * kShape);
  const Tensor squared = sqrt(square(half) - logarithm / kShape) - half;
  Tensor x = sign(inner) * sqrt(clamp(squared, 0));  // near 0 rounding may leave less
  for (int step = 0; step < 2; ++step) {
    x = x - (erf(x) - inner) * exp(square(x)) * (std::sqrt(std::numbers::pi) / 2);
  }
  return x;
}

}  // namespace

Tensor trunc_normal_(const Tensor& tensor, Real mean, Real deviation, Real a, Real b) {
  if (!(a < b) || !(deviation > 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[trunc_normal_] needs a < b and a deviation above 0; got {}, {} and "
                            "{}",
                            a, b, deviation));
  }
  const NoGrad no_grad;
  const double low = 2 * normal_below((a - mean) / deviation) - 1;
  const double high = 2 * normal_below((b - mean) / deviation) - 1;
  const Tensor share = empty(tensor.shape(), computed_beside(tensor)).uniform_(low, high);
  const Tensor drawn = inverse_erf(share) * (deviation * std::numbers::sqrt2) + double{mean};
  return tensor.copy_(clamp(drawn, double{a}, double{b}).to(tensor.dtype()));
}

Tensor sparse_(const Tensor& tensor, Real sparsity, Real deviation) {
  if (tensor.dim() != 2 || !(sparsity >= 0 && sparsity <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[sparse_] needs a matrix and a sparsity between 0 and 1; got shape {} "
                            "and {}",
                            describe(tensor.shape()), sparsity));
  }
  normal_(tensor, 0, deviation);
  if (tensor.size() == 0) return tensor;
  const NoGrad no_grad;
  const double zeros = std::ceil(sparsity * static_cast<double>(tensor.size(0)));
  const TensorOptions options{.device = tensor.device(), .dtype = DType::float32};
  const Tensor ranks = rand(tensor.shape(), options).argsort(0).argsort(0);  // in each column
  return tensor.masked_fill_(ranks < static_cast<std::int64_t>(zeros), 0);
}

Tensor dirac_(const Tensor& weight, Int groups) {
  const bool fits =
      weight.dim() >= 3 && weight.dim() <= 5 && groups >= 1 && weight.size(0) % groups == 0;
  if (!fits) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[dirac_] needs a weight of rank 3 to 5 whose first extent the groups "
                            "divide; got shape {} and {} groups",
                            describe(weight.shape()), groups));
  }
  zeros_(weight);
  if (weight.size() == 0) return weight;
  const NoGrad no_grad;
  Tensor centre = weight;
  while (centre.dim() > 2) centre = centre.select(2, centre.size(2) / 2);
  const std::int64_t rows = weight.size(0) / groups;
  for (std::int64_t group = 0; group < groups; ++group) {
    eye_(centre.narrow(0, group * rows, rows));
  }
  return weight;
}

Tensor orthogonal_(const Tensor& weight, Real gain) {
  if (weight.dim() < 2) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[orthogonal_] needs two dimensions or more, got shape {}",
                            describe(weight.shape())));
  }
  if (weight.size() == 0) return weight;
  const NoGrad no_grad;
  const std::int64_t rows = weight.size(0), columns = weight.size() / rows;
  const auto [less, more] = std::minmax(rows, columns);
  const auto [q, r] = linalg::qr(randn({more, less}, computed_beside(weight)));
  // Of normal numbers each q is as likely as the others once the signs in r are all the same.
  const Tensor factor = q * where(diagonal(r) < 0, -1, 1);
  const Tensor oriented = rows < columns ? factor.t() : factor;
  return weight.copy_((oriented * double{gain}).reshape(weight.shape()).to(weight.dtype()));
}

}  // namespace switchyard::nn::init
