// Systems of equations.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/linalg/matrices.hpp"
#include "types/describe.hpp"

namespace switchyard::linalg {
namespace {

constinit const EagerOp kSolve("Solve", "switchyard"),
    kTriangularSolve("TriangularSolve", "switchyard");

Tensor triangular(const Tensor& a, const Tensor& b, bool upper, bool unitriangular) {
  return kTriangularSolve(
      {a, b}, attributes({{"upper", std::int64_t{upper}}, {"unit", std::int64_t{unitriangular}}}));
}

}  // namespace

Tensor solve(const Tensor& a, const Tensor& b, Flag left) {
  const CalledFunction here;
  const Pair both = promoted(as_square_matrices("solve", a), as_floating(b));
  const Tensor matrices = left ? both.a : turned(both.a);
  if (are_vectors(a, b)) return squeeze(kSolve({matrices, unsqueeze(both.b, -1)}), -1);
  const Tensor sides = as_matrices("solve", both.b);
  return left ? kSolve(matrices, sides) : turned(kSolve(matrices, turned(sides)));
}

Tensor solve_triangular(const Tensor& a, const Tensor& b, const SolveTriangularOptions& options) {
  const CalledFunction here;
  const Pair both =
      promoted(as_square_matrices("solve_triangular", a), as_matrices("solve_triangular", b));
  const auto [left, unitriangular, upper] = options;
  if (left) return triangular(both.a, both.b, upper, unitriangular);
  return turned(triangular(turned(both.a), turned(both.b), !upper, unitriangular));
}

LeastSquares lstsq(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const Pair both = promoted(as_matrices("lstsq", a), as_floating(b));
  const bool has_vectors = are_vectors(a, b);
  const Tensor sides = has_vectors ? unsqueeze(both.b, -1) : as_matrices("lstsq", both.b);
  if (sides.size(-2) != a.size(-2)) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[lstsq] matrices {} and right-hand sides {} do not go together: {} "
                            "equations and {} rows",
                            describe(a.shape()), describe(b.shape()), a.size(-2), sides.size(-2)));
  }
  const Tensor solution = matmul(pinv(both.a), sides);
  const Tensor residuals = a.size(-2) > a.size(-1)
                               ? sum(square(sub(matmul(both.a, solution), sides)), {-2})
                               : zeros({0}, options_like(both.a));
  if (!has_vectors) return {solution, residuals};
  const bool has_residuals = a.size(-2) > a.size(-1);
  return {squeeze(solution, -1), has_residuals ? squeeze(residuals, -1) : residuals};
}

}  // namespace switchyard::linalg
