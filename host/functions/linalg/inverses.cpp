// Determinants and inverses, and what they decide: powers and ranks.
#include <fmt/format.h>

#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/linalg/matrices.hpp"

namespace switchyard::linalg {
namespace {

constinit const EagerOp kDet("Det"), kSlogDet("SlogDet", "switchyard"),
    kInverse("Inverse", "switchyard"), kPseudoInverse("PseudoInverse", "switchyard");

void require_tolerance(std::string_view function, std::string_view name,
                       std::optional<double> tolerance) {
  constexpr double kMost = std::numeric_limits<double>::infinity();
  if (tolerance) require_within(function, name, *tolerance, 0, kMost);
}

/// What the larger extent makes of the distance from 1 to the next number.
double usual_rtol(const Tensor& x) {
  const double next = x.dtype() == DType::float64
                          ? std::numeric_limits<double>::epsilon()
                          : static_cast<double>(std::numeric_limits<float>::epsilon());
  return static_cast<double>(std::max(x.size(-1), x.size(-2))) * next;
}

Tensor unit_matrices(const Tensor& x) {
  const Tensor unit = eye(x.size(-1), {}, options_like(x));
  return expand(unit, x.shape()).contiguous();
}

}  // namespace

Tensor det(const Tensor& x) {
  const CalledFunction here;
  return kDet({as_square_matrices("det", x)});
}

SignAndLogarithm slogdet(const Tensor& x) {
  const CalledFunction here;
  std::vector<Tensor> both = kSlogDet.outputs(2, {as_square_matrices("slogdet", x)});
  return {std::move(both[0]), std::move(both[1])};
}

Tensor inv(const Tensor& x) {
  const CalledFunction here;
  return kInverse({as_square_matrices("inv", x)});
}

Tensor pinv(const Tensor& x, std::optional<Real> atol, std::optional<Real> rtol) {
  const CalledFunction here;
  require_tolerance("pinv", "atol", atol);
  require_tolerance("pinv", "rtol", rtol);
  Attributes given = attributes({{"atol", static_cast<float>(atol.value_or(0))}});
  if (atol && !rtol) rtol = 0;
  if (rtol) given.set("rtol", static_cast<float>(*rtol));
  return kPseudoInverse({as_matrices("pinv", x)}, std::move(given));
}

Tensor matrix_power(const Tensor& x, Int n) {
  const CalledFunction here;
  Tensor square = as_square_matrices("matrix_power", x);
  if (n == 0) return unit_matrices(square);
  if (n < 0) square = inv(square);
  const auto count = static_cast<std::uint64_t>(n);
  Tensor power;
  for (std::uint64_t left = n < 0 ? 0 - count : count; left > 0; left /= 2) {
    if (left % 2 == 1) power = power.defined() ? matmul(power, square) : square;
    if (left > 1) square = matmul(square, square);
  }
  return n == 1 ? power.clone() : power;
}

Tensor matrix_rank(const Tensor& x, std::optional<Real> atol, std::optional<Real> rtol) {
  const CalledFunction here;
  require_tolerance("matrix_rank", "atol", atol);
  require_tolerance("matrix_rank", "rtol", rtol);
  const Tensor matrices = as_matrices("matrix_rank", x).detach();
  const Tensor values = svdvals(matrices);
  if (values.size(-1) == 0) return sum(ne(values, 0), {-1});
  const double share = rtol.value_or(atol ? 0 : usual_rtol(matrices));
  const double least = atol.value_or(0);
  const Tensor limit = clamp(mul(amax(values, {-1}, true), share), least);
  return sum(gt(values, limit), {-1});
}

}  // namespace switchyard::linalg
