// Factors of matrices: triangles, orthonormal columns, singular values and eigenvalues.
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/linalg/matrices.hpp"

namespace switchyard::linalg {
namespace {

constinit const EagerOp kCholesky("Cholesky", "switchyard"), kQr("Qr", "switchyard"),
    kSvd("Svd", "switchyard"), kEigh("Eigh", "switchyard");

/// Symmetric matrices whose lower triangle is the one that is read.
Tensor lower(std::string_view function, const Tensor& x, bool upper) {
  const Tensor matrices = as_square_matrices(function, x);
  return upper ? turned(matrices) : matrices;
}

}  // namespace

Tensor cholesky(const Tensor& x, Flag upper) {
  const CalledFunction here;
  const Tensor factor = kCholesky({lower("cholesky", x, upper)});
  return upper ? turned(factor) : factor;
}

OrthonormalAndTriangle qr(const Tensor& x) {
  const CalledFunction here;
  std::vector<Tensor> both = kQr.outputs(2, {as_matrices("qr", x)});
  return {std::move(both[0]), std::move(both[1])};
}

SingularDecomposition svd(const Tensor& x) {
  const CalledFunction here;
  std::vector<Tensor> all = kSvd.outputs(3, {as_matrices("svd", x)});
  return {std::move(all[1]), std::move(all[0]), std::move(all[2])};
}

Tensor svdvals(const Tensor& x) {
  const CalledFunction here;
  return kSvd({as_matrices("svdvals", x)});
}

Eigen eigh(const Tensor& x, Flag upper) {
  const CalledFunction here;
  std::vector<Tensor> both = kEigh.outputs(2, {lower("eigh", x, upper)});
  return {std::move(both[0]), std::move(both[1])};
}

Tensor eigvalsh(const Tensor& x, Flag upper) {
  const CalledFunction here;
  return kEigh({lower("eigvalsh", x, upper)});
}

}  // namespace switchyard::linalg
