// Factors, inverses and solutions of systems of matrices, which ONNX lacks but for Det.
#include "ops/rows/families.hpp"
#include "ops/shapes/matrices.hpp"

namespace switchyard {

namespace {

/// Narrower types have too few digits for elimination.
Row of_matrices(std::string_view op, std::string_view signature, ShapeRule shape,
                std::string_view example, std::string_view summary) {
  return {.op = op,
          .domain = "switchyard",
          .signature = signature,
          .types = "T=float32|float64",
          .shape = shape,
          .example = example,
          .autocast = AutocastTo::float32,
          .summary = summary};
}

Row triangular_solve_row() {
  Row row = of_matrices("TriangularSolve", "A:T B:T -> X:T", solve_shape,
                        "v2,7,1,4:2x2 f3x2x2 upper=1", "X such that A X = B for a triangular A");
  row.attributes = "upper:flag=0 unit:flag=0";
  return row;
}

Row pseudo_inverse_row() {
  Row row = of_matrices("PseudoInverse", "X:T -> Y:T", pseudo_inverse_shape, "v2,1,0,1,3,1:3x2",
                        "the inverse by Moore and Penrose");
  row.attributes = "atol:float=0 rtol:float";
  return row;
}

}  // namespace

std::vector<Row> linear_algebra_rows() {
  return {of_matrices("Cholesky", "X:T -> L:T", square_matrix_shape, "v4,2,2,3:2x2",
                      "the lower triangle whose product with its transpose is X"),
          of_matrices("Inverse", "X:T -> Y:T", square_matrix_shape, "v4,2,1,3:2x2",
                      "the inverse of a matrix"),
          of_matrices("Solve", "A:T B:T -> X:T", solve_shape, "v4,2,1,3:2x2 f3x2x2",
                      "X such that A X = B"),
          triangular_solve_row(),
          of_matrices("SlogDet", "X:T -> sign:T logarithm:T", slog_det_shape, "v4,2,1,3:2x2",
                      "the sign of a determinant, and the logarithm of its size"),
          of_matrices("Qr", "X:T -> Q:T R:T", qr_shape, "v2,1,0,1,3,1:3x2",
                      "orthonormal columns times an upper triangle"),
          of_matrices("Svd", "X:T -> S:T U:T? Vh:T?", svd_shape, "v2,1,0,1,3,1:3x2",
                      "singular values and vectors"),
          of_matrices("Eigh", "X:T -> W:T V:T?", eigh_shape, "v4,2,2,3:2x2",
                      "eigenvalues and eigenvectors of a symmetric matrix"),
          pseudo_inverse_row()};
}

}  // namespace switchyard
